import { errorMessage, ToolError } from '../../base/errors.ts';
import { DisposableStore, type AsyncDisposer } from '../../base/disposable.ts';
import { estimateTokens } from '../../base/text/tokens.ts';
import { pastView, threadVariable, type AgentHost } from '../../engine/agents/agentHost.ts';
import { permissionModes, type PermissionMode, type Question } from '../../engine/agents/model.ts';
import type { Reply } from '../../engine/agents/questions.ts';
import type { AgentThread } from '../../engine/agents/thread.ts';
import type { Project } from '../../engine/workspace/project.ts';
import type { Backend } from '../backend.ts';
import type { Client } from '../clients.ts';
import type { AgentOperation, AgentRequests, Done } from './agentRequests.ts';

interface DeskParts {
  host: AgentHost;
  backend: Backend;
  /** The project that a person starts an agent in: starting it there is trusting it. */
  openProject: (path: string, env: NodeJS.ProcessEnv) => Promise<Project>;
  defaults: () => { agent: string | undefined; permissions: PermissionMode };
}

/** Who asks: a command line or a page of the dashboard. */
export interface DeskCaller {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** How long a read waits for something new. */
const readWaitMs = 20_000;

/**
 * Where persons and agents meet: takes requests of the command line and the dashboard, puts questions of agents among the approvals, and
 * notes what each agent makes of our own server.
 */
export class AgentDesk implements AsyncDisposer {
  readonly #parts: DeskParts;
  readonly #owned = new DisposableStore();

  constructor(parts: DeskParts) {
    this.#parts = parts;
    const { host, backend } = parts;
    this.#owned.add(host.onDidAsk.on(({ thread, question }) => this.#makeTicket(thread, question)));
    this.#owned.add(host.onDidAnswer.on(({ thread, question, reply }) => this.#settleTicket(thread, question, reply)));
    this.#owned.add(backend.clientJoined.on((client) => this.#joined(client)));
    this.#owned.add(
      backend.listed.on(({ client, count }) => this.#threadOf(client)?.serverUsed((use) => (use.listed = count))),
    );
    this.#owned.add(
      backend.called.on(({ client, answer }) => {
        this.#threadOf(client)?.serverUsed((use) => {
          use.calls += 1;
          if (answer.error !== undefined) use.failed += 1;
          use.tokens += estimateTokens(client.output === 'json' ? JSON.stringify(answer.data ?? '') : answer.text);
          use.byTool[answer.tool] = (use.byTool[answer.tool] ?? 0) + 1;
        });
      }),
    );
  }

  dispose(): Promise<void> {
    return this.#owned.dispose();
  }

  async request<Operation extends AgentOperation>(
    operation: Operation,
    params: AgentRequests[Operation]['params'],
    caller: DeskCaller,
  ): Promise<AgentRequests[Operation]['result']> {
    if (!Object.hasOwn(this.#operations, operation))
      throw new ToolError('unsupported', `There is no request ${operation} to the agents.`);
    return this.#operations[operation](params, caller);
  }

  readonly #operations: Operations = {
    list: async (_params, { env }) => {
      const { host } = this.#parts;
      return {
        agents: host.agents(env),
        threads: host.threads.map(({ view }) => view),
        past: (await host.past()).map(pastView),
      };
    },
    start: (params, caller) => this.#start(params, caller),
    read: ({ id, from }, { signal }) => this.#read(this.#thread(id), from, signal),
    prompt: ({ id, text }) => ({ promptId: this.#thread(id).prompt(text) }),
    answer: (params) => ({ wasOpen: this.#thread(params.id).answer(params.questionId, replyOf(params)) }),
    sessions: async ({ id }) => ({ sessions: await this.#thread(id).sessions() }),
    revert: async ({ id, turn, historyId }) => ({ files: await this.#thread(id).revert(turn, historyId) }),
    log: ({ id, after }) => ({ messages: this.#thread(id).messages(after ?? 0) }),
    unqueue: ({ id, promptId }) => done(this.#thread(id).unqueue(promptId)),
    cancel: ({ id }) => done(this.#cancel(this.#thread(id))),
    setOption: ({ id, option, value }) => done(this.#thread(id).setOption(option, value)),
    setPermissions: ({ id, mode }) => done(this.#thread(id).setPermissions(modeOf(mode))),
    signIn: ({ id, methodId }) => done(this.#thread(id).signIn(methodId)),
    restart: ({ id }) => done(this.#thread(id).restart()),
    close: ({ id, forget = false }) => done(this.#parts.host.close(id, { forget })),
  };

  #thread(id: string): AgentThread {
    return this.#parts.host.get(id);
  }

  async #start(request: AgentRequests['start']['params'], caller: DeskCaller): Promise<{ id: string }> {
    const { host, openProject, defaults } = this.#parts;
    const { threadId, isTemporary = false, fromNpm = false } = request;
    const known = threadId === undefined ? undefined : (await host.past()).find(({ id }) => id === threadId);
    if (threadId !== undefined && known === undefined) return { id: host.get(threadId).id };
    const project = await openProject(known?.project ?? request.cwd ?? caller.cwd, caller.env);
    const permissions = request.permissions === undefined ? defaults().permissions : modeOf(request.permissions);
    const { sessionId } = request;
    const thread =
      known === undefined
        ? await host.create({
            project,
            agent: request.agent ?? defaults().agent,
            fromNpm,
            permissions,
            ...(sessionId === undefined ? {} : { sessionId }),
          })
        : await host.revive(known, project, fromNpm);
    if (isTemporary) caller.signal.addEventListener('abort', () => void host.close(thread.id, { forget: false }));
    return { id: thread.id };
  }

  /** There are agents that let go of a call of ours without a word; the host knows whose it is. */
  async #cancel(thread: AgentThread): Promise<void> {
    await thread.cancel();
    for (const client of thread.clients) this.#parts.backend.cancelCalls(client);
  }

  async #read(
    thread: AgentThread,
    from: number | undefined,
    signal: AbortSignal,
  ): Promise<AgentRequests['read']['result']> {
    if (from !== undefined && thread.since(from)?.length === 0) await changeOf(thread, signal);
    const events = from === undefined ? undefined : thread.since(from);
    return events === undefined
      ? { next: thread.seq, thread: thread.view, items: thread.items, events: [] }
      : { next: events.at(-1)?.seq ?? from ?? 0, events };
  }

  #joined(client: Client): void {
    const thread = this.#threadOf(client);
    if (thread === undefined) return;
    thread.clients.add(client.id);
    thread.serverUsed((use) => (use.connected = true));
    client.gone.on(() => {
      thread.serverUsed((use) => (use.connected = false));
    });
  }

  #threadOf(client: Client): AgentThread | undefined {
    const id = client.env?.[threadVariable];
    return id === undefined ? undefined : this.#parts.host.find(id);
  }

  /** A permission, or a page to open, waits among everything else that waits for the person. A form is answered where it is shown. */
  #makeTicket(thread: AgentThread, question: Question): void {
    if (question.kind === 'form') return;
    const { approvals } = this.#parts.backend;
    const { title, verdict, url } = question;
    const tool =
      question.toolCallId === undefined
        ? undefined
        : thread.items.find(({ id }) => id === `tool ${question.toolCallId}`);
    const details = tool?.type === 'tool' ? { kind: tool.kind, input: tool.input, changes: tool.content } : {};
    try {
      const ticket = approvals.ticketFor({
        tool: question.kind === 'url' ? 'a page to open' : `permission to ${verdict?.effect ?? 'go on'}`,
        args: {
          asks: title,
          ...(verdict === undefined ? {} : { policy: `${verdict.decision} (${verdict.effect}: ${verdict.why})` }),
          ...(url === undefined ? {} : { url }),
          ...details,
          question: `${thread.id} ${question.id}`,
        },
        projectRoot: thread.project.root,
        clientId: thread.id,
        clientName: thread.view.agentTitle,
        effect: verdict?.effect ?? 'execute',
      });
      thread.noteTicket(question.id, ticket.id);
      void approvals.decision(ticket.id).then(({ state }) => {
        thread.answer(question.id, { kind: state === 'approved' ? 'approved' : 'refused' });
        approvals.finish(ticket.id);
      });
    } catch (error) {
      thread.log.add('noise', `No ticket could be made: ${errorMessage(error)}`);
    }
  }

  /** It was answered elsewhere. */
  #settleTicket(thread: AgentThread, question: Question, reply: Reply): void {
    const { approvals } = this.#parts.backend;
    const name = `${thread.id} ${question.id}`;
    const ticket = approvals.list().find(({ subject }) => subject.args['question'] === name);
    if (ticket?.state !== 'pending') return;
    const isRefused = reply.kind === 'refused' || reply.kind === 'cancelled';
    approvals.decide(ticket.id, !isRefused, reply.kind === 'cancelled' ? 'cancelled' : 'dashboard');
  }
}

type Operations = {
  [Operation in AgentOperation]: (
    params: AgentRequests[Operation]['params'],
    caller: DeskCaller,
  ) => AgentRequests[Operation]['result'] | Promise<AgentRequests[Operation]['result']>;
};

async function done(work: void | Promise<void>): Promise<Done> {
  await work;
  return {};
}

function replyOf({ optionId, allow, content }: AgentRequests['answer']['params']): Reply {
  if (optionId !== undefined) return { kind: 'option', optionId };
  if (content !== undefined) return { kind: 'content', content };
  return { kind: allow === true ? 'approved' : 'refused' };
}

function modeOf(value: string): PermissionMode {
  const mode = permissionModes.find((known) => known === value);
  if (mode !== undefined) return mode;
  throw new ToolError('invalid_arguments', `Permissions are ${permissionModes.join(', ')}, not ${value}.`);
}

function changeOf(thread: AgentThread, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      void subscription.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, readWaitMs);
    const subscription = thread.onDidChange.on(done);
    signal.addEventListener('abort', done, { once: true });
  });
}
