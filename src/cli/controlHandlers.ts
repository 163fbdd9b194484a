import { contentHash } from '../base/ids.ts';
import { sightlineBuild, sightlineVersion } from '../base/version.ts';
import type { ApprovalTicket } from '../server/approvals.ts';
import type { Client } from '../server/clients.ts';
import type { ControlHandlers } from '../server/daemon/controlServer.ts';
import type { ProcessStatus, TicketSummary } from '../server/daemon/controlProtocol.ts';
import type { Hello } from '../server/daemon/hello.ts';
import type { IdleWatch } from '../server/daemon/idleWatch.ts';
import { isOlder } from '../server/daemon/versions.ts';
import type { Sightline } from './compose.ts';
import { terminalControl } from './terminalControl.ts';

interface ControlledProcess {
  sightline: Sightline;
  idle: IdleWatch;
  url: string;
  reasonsToStay: () => string[];
  stop(reason: string): void;
}

/** What the command line can ask of a running process. */
export function controlHandlers(controlled: ControlledProcess): ControlHandlers {
  const { sightline, idle } = controlled;
  const startedAt = new Date().toISOString();
  const shells = new ShellClients(sightline, () => idle.touch());
  // Looking at a history trusts nothing.
  const projectOf = (hello: Hello) => sightline.projects.open(hello.cwd, { env: hello.env });
  return {
    status: () => status(controlled, startedAt),
    stop: () => {
      // After the answer is out.
      setImmediate(() => controlled.stop('asked to'));
      return { pid: process.pid };
    },
    retire: ({ version, build }) => {
      const reasons = controlled.reasonsToStay();
      const retired =
        reasons.length === 0 && isOlder({ version: sightlineVersion, build: sightlineBuild }, { version, build });
      if (retired) setImmediate(() => controlled.stop(`replaced by ${version}`));
      return { retired, reasons };
    },
    open: async ({ path }, { hello }) => {
      const project = await sightline.projects.open(path, { env: hello.env, trustedByStart: true });
      idle.touch();
      return { name: project.name, path: project.root };
    },
    call: ({ tool, args }, { hello, signal }) => shells.call(hello, tool, args, signal),
    approvals: () => sightline.backend.approvals.list().map(ticketSummary),
    decide: ({ ticketId, approved }) =>
      ticketSummary(sightline.backend.approvals.decide(ticketId, approved, 'command line')),
    dashboardLink: () => ({ url: sightline.dashboard.newLink() }),
    reloadTrust: async () => {
      await sightline.trust.reload();
      return {};
    },
    history: async (filter, { hello }) => sightline.history.list(await projectOf(hello), filter),
    exportHistory: async ({ format, ...filter }, { hello }) => {
      const project = await projectOf(hello);
      const { history } = sightline;
      return { text: format === 'csv' ? history.exportCsv(project, filter) : history.exportJson(project, filter) };
    },
    agent: ({ operation, params }, { hello, signal }) => {
      idle.touch();
      return sightline.agents.request(operation, params, { cwd: hello.cwd, env: hello.env, signal });
    },
    ...terminalControl(sightline.engines.terminals),
    clearHistory: async (_params, { hello }) => {
      const project = await projectOf(hello);
      const cleared = sightline.history.list(project).length;
      sightline.history.clear(project);
      return { cleared };
    },
  };
}

/**
 * Calls from a shell. All calls of one directory are one client, because a person or a script debugs over several of them; what
 * they started ends when no further call came for a while.
 */
class ShellClients {
  readonly #sightline: Sightline;
  readonly #touch: () => void;
  readonly #clients = new Map<string, { client: Client; expiry: NodeJS.Timeout | undefined; calls: number }>();

  constructor(sightline: Sightline, touch: () => void) {
    this.#sightline = sightline;
    this.#touch = touch;
  }

  async call(hello: Hello, tool: string, args: Record<string, unknown>, signal: AbortSignal) {
    const shell = this.#shellOf(hello);
    clearTimeout(shell.expiry);
    shell.calls++;
    this.#touch();
    try {
      return await this.#sightline.backend.callTool({ tool, args, client: shell.client, signal });
    } finally {
      this.#touch();
      shell.calls--;
      if (shell.calls === 0) this.#expireLater(hello.cwd);
    }
  }

  #shellOf(hello: Hello) {
    const known = this.#clients.get(hello.cwd);
    if (known !== undefined) {
      // Each shell has its own environment, also in the same directory.
      known.client.env = hello.env;
      return known;
    }
    const client = this.#sightline.backend.connect({
      id: `shell_${contentHash(hello.cwd).slice(0, 12)}`,
      name: 'sightline call',
      transport: 'cli',
      face: 'all',
      output: 'both',
      cwd: hello.cwd,
      env: hello.env,
    });
    const shell = { client, expiry: undefined, calls: 0 };
    this.#clients.set(hello.cwd, shell);
    return shell;
  }

  #expireLater(cwd: string): void {
    const shell = this.#clients.get(cwd);
    if (shell === undefined) return;
    const idleMs = this.#sightline.settings.person['server.idleExitMinutes'] * 60_000;
    if (idleMs <= 0) return;
    shell.expiry = setTimeout(() => {
      this.#clients.delete(cwd);
      shell.client.dispose();
    }, idleMs);
    shell.expiry.unref();
  }
}

function status({ sightline, idle, url, reasonsToStay }: ControlledProcess, startedAt: string): ProcessStatus {
  const leavesInMs = idle.leavesInMs;
  return {
    pid: process.pid,
    version: sightlineVersion,
    build: sightlineBuild,
    startedAt,
    url,
    rssMb: Math.round(process.memoryUsage.rss() / 1_048_576),
    projects: sightline.projects.list().map(({ name, root, trusted }) => ({ name, path: root, trusted })),
    clients: sightline.backend.clients.map(({ name, transport, face, connectedAt, cwd, quirks }) => ({
      name,
      transport,
      face,
      since: connectedAt.toISOString(),
      cwd,
      ...(quirks.length === 0 ? {} : { quirks: quirks.map((quirk) => quirk.about) }),
    })),
    work: sightline.work(),
    approvalsPending: sightline.backend.approvals.list().filter((ticket) => ticket.state === 'pending').length,
    ...(leavesInMs === undefined || reasonsToStay().length > 0
      ? {}
      : { leavesInSeconds: Math.round(leavesInMs / 1000) }),
  };
}

export function ticketSummary(ticket: ApprovalTicket): TicketSummary {
  const { subject } = ticket;
  return {
    id: ticket.id,
    tool: subject.tool,
    effect: subject.effect,
    client: subject.clientName,
    project: subject.projectRoot,
    args: subject.args,
    ...(subject.shown === undefined ? {} : { shown: subject.shown }),
    createdAt: ticket.createdAt.toISOString(),
    state: ticket.state,
  };
}
