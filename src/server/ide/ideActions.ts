import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { ToolError, isErrnoException } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { displayPath, isInside } from '../../base/paths.ts';
import { isExecutableConfig } from '../../engine/workspace/executableConfig.ts';
import { unifiedDiff } from '../../engine/workspace/edits/text/unifiedDiff.ts';
import type { WorkingTree } from '../../engine/workspace/localHistory/workingTree.ts';
import type { Project } from '../../engine/workspace/project.ts';
import type { Policy } from '../approvals.ts';
import type { Backend } from '../backend.ts';
import type { Client } from '../clients.ts';

export interface IdeParts {
  backend: Backend;
  workingTree: WorkingTree;
  policyFor: (project: Project) => Policy;
}

export interface Problem {
  path: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
  severity: string;
  message: string;
  source?: string;
}

/** A change that a command line wants to make. */
interface Review {
  name: string;
  before: string;
  after: string;
  client: string;
  effect: 'edit' | 'destructive';
  decision: Policy['edit'];
}

/** A file that a command line was allowed to write. */
interface Writing {
  /** What changed until now is its change. */
  end(): Promise<void>;
  /** Ends once the file has the agreed text. */
  look(): Promise<void>;
}

/** How long after a review the command line may take to write what was agreed to. */
const writtenMs = 10_000;
const lookMs = 250;

/** What an IDE does for a command line, whatever the protocol in which that asks. */
export class IdeActions {
  readonly project: Project;
  /** Everything that a command line sends. */
  readonly onDidHear = new Emitter<Record<string, unknown>>();
  readonly #parts: IdeParts;
  readonly #client: Client;
  readonly #writings = new Map<string, Writing>();

  constructor(project: Project, client: Client, parts: IdeParts) {
    this.project = project;
    this.#client = client;
    this.#parts = parts;
  }

  /** Fresh: asked of the language servers now, not of what an editor happened to have open. */
  async problems(path: string | undefined, signal: AbortSignal): Promise<Problem[]> {
    const args = path === undefined ? {} : { path: displayPath(this.project.root, await this.#inside(path)) };
    const { data, error } = await this.#parts.backend.callTool({
      tool: 'get_problems',
      args,
      client: this.#client,
      signal,
    });
    if (error !== undefined) throw new ToolError(error.code, error.message);
    // An empty list means that there are none, so what nobody has analysed must not look like that.
    if (path !== undefined && data?.['analysedFiles'] !== data?.['wantedFiles'])
      throw new ToolError('index_not_ready', `${path} could not be analysed yet. Ask again.`);
    const found: unknown = data?.['problems'];
    return Array.isArray(found) ? found.flatMap((each) => problemOf(each, this.project.root)) : [];
  }

  /** Resolves once a person has answered, here or at the terminal, or the policy refuses: whether the change may be written. */
  async review(path: string, after: string, client: string, signal: AbortSignal): Promise<boolean> {
    const file = await this.#inside(path);
    const before = await textOf(file);
    const effect = isExecutableConfig(file, this.project.root) ? 'destructive' : 'edit';
    const decision = this.#parts.policyFor(this.project)[effect];
    const name = displayPath(this.project.root, file);
    // It asks because its person told it to. A policy of ours may refuse for them, but not agree.
    const isAllowed =
      decision !== 'deny' && (await this.#ask({ name, before, after, client, effect, decision }, signal));
    if (isAllowed) await this.#recordWriting(file, client, { before, after });
    return isAllowed;
  }

  async mustBeInside(path: string): Promise<void> {
    await this.#inside(path);
  }

  /** Whoever was asked has answered elsewhere: what is written now was agreed to there. */
  async expectWriting(path: string, client: string, after?: string): Promise<void> {
    const file = await this.#inside(path);
    if (this.#writings.has(file)) return;
    await this.#recordWriting(file, client, after === undefined ? undefined : { before: await textOf(file), after });
  }

  /** The command line has done with a file; what it wrote is recorded. */
  async written(path: string): Promise<void> {
    await this.#writings.get(resolve(path))?.end();
  }

  /** Records what is written by now, and goes on waiting for the rest: reviews are closed before and after writing. */
  async settle(): Promise<void> {
    for (const writing of [...this.#writings.values()]) await writing.look();
  }

  async dispose(): Promise<void> {
    for (const writing of [...this.#writings.values()]) await writing.end();
  }

  async #ask({ name, before, after, client, effect, decision }: Review, signal: AbortSignal): Promise<boolean> {
    const { approvals } = this.#parts.backend;
    const ticket = approvals.ticketFor({
      tool: 'edit by its own hands',
      args: { file: name, review: randomId('review') },
      projectRoot: this.project.root,
      clientId: this.#client.id,
      clientName: client,
      effect,
      shown: unifiedDiff(name, before, after),
      note: `policy.${effect}: ${decision}. ${client} asks because its own settings want your word; you can also answer at its terminal.`,
    });
    const leave = () => {
      if (approvals.isPending(ticket.id)) approvals.decide(ticket.id, false, 'cancelled');
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return (await approvals.decision(ticket.id)).state === 'approved';
    } finally {
      signal.removeEventListener('abort', leave);
      approvals.finish(ticket.id);
    }
  }

  /** The command line writes the file itself: what changes until it says so is its change, and can be undone. */
  async #recordWriting(file: string, client: string, expected?: { before: string; after: string }): Promise<void> {
    const record = await this.#parts.workingTree.begin(this.project, {
      tool: 'openDiff',
      client: this.#client.id,
      clientName: client,
      summary: `edit of ${displayPath(this.project.root, file)} by ${client}`,
    });
    const end = async () => {
      clearTimeout(timer);
      clearInterval(looking);
      if (this.#writings.get(file) !== writing) return;
      this.#writings.delete(file);
      await record();
    };
    const look = async () => {
      const text = expected === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined);
      if (text !== undefined && expected !== undefined && isWritten(text, expected)) await end();
    };
    const writing: Writing = { end, look };
    const timer = setTimeout(() => void end(), writtenMs);
    timer.unref();
    // Most say nothing when they have written it.
    const looking = setInterval(() => void look(), lookMs);
    looking.unref();
    this.#writings.set(file, writing);
  }

  /** Canonical, also of a file that is yet to be made. */
  async #inside(path: string): Promise<string> {
    const wanted = resolve(this.project.root, path);
    const real = await realpath(wanted).catch(async () => join(await realpath(dirname(wanted)), basename(wanted)));
    if (isInside(this.project.root, real)) return real;
    throw new ToolError('path_outside_project', `${path} is outside the workspace.`);
  }
}

/** Empty when there is none yet. */
async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (isErrnoException(error, 'ENOENT')) return '';
    throw error;
  });
}

/** Claude Code writes a new file without the newline at its end. */
function isWritten(text: string, { before, after }: { before: string; after: string }): boolean {
  return text === after || (text !== before && text.trimEnd() === after.trimEnd());
}

function problemOf(value: unknown, root: string): Problem[] {
  const fields: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const { file, path, line, column, severity, message, source, endLine, endColumn } = fields;
  const where = typeof file === 'string' ? file : path;
  if (typeof where !== 'string' || typeof line !== 'number' || typeof message !== 'string') return [];
  return [
    {
      path: resolve(root, where),
      line,
      column: typeof column === 'number' ? column : 1,
      severity: typeof severity === 'string' ? severity : 'error',
      message,
      ...(typeof endLine === 'number' ? { endLine } : {}),
      ...(typeof endColumn === 'number' ? { endColumn } : {}),
      ...(typeof source === 'string' ? { source } : {}),
    },
  ];
}
