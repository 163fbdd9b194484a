import { join } from 'node:path';
import { disposeAll, type AsyncDisposer } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { ToolError } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { readStateFile, writeStateFile } from '../../base/stateFile.ts';
import type { Project } from '../workspace/project.ts';
import type { TerminalStore } from '../workspace/terminals/terminalStore.ts';
import { launchOf, listAgents, type CustomAgent } from './catalogue.ts';
import { effectOfCall, ownToolName, type JudgedEffect } from './effects.ts';
import type { Loose } from './loose.ts';
import {
  permissionModes,
  type ListedAgent,
  type PermissionMode,
  type Question,
  type ThreadEvent,
  type ThreadView,
  type Verdict,
} from './model.ts';
import type { Reply } from './questions.ts';
import { openSignInTerminal } from './signInTerminal.ts';
import { AgentThread, type ThreadRecord } from './thread.ts';
import type { Checkpoints } from './turns.ts';

interface HostParts {
  stateDir: string;
  logger: Logger;
  checkpoints: Checkpoints;
  terminals: TerminalStore;
  /** How an agent starts our server: what `sightline install` writes. */
  serverCommand: readonly string[];
  /** Variables that lead a server which the agent starts to this very process. */
  serverEnv: Readonly<Record<string, string>>;
  custom(): Readonly<Record<string, CustomAgent>>;
  decision(project: Project, effect: Verdict['effect']): Verdict['decision'];
  /** The effect of a tool of ours; undefined when there is none of that name. */
  ownEffect(tool: string): Verdict['effect'] | undefined;
  onStateProblem(message: string): void;
}

interface NewThread {
  project: Project;
  agent: string | undefined;
  fromNpm: boolean;
  permissions: PermissionMode;
  /** Of the agent: taken up instead of a new one. */
  sessionId?: string;
}

/** Names the thread to the server that its agent starts. */
export const threadVariable = 'SIGHTLINE_THREAD';

const maxThreads = 12;
const maxRecords = 200;
const recordVersion = 1;

/** All conversations with agents: those that run, and what is known of earlier ones. */
export class AgentHost implements AsyncDisposer {
  readonly onDidChange = new Emitter<{ thread: AgentThread; event: ThreadEvent }>();
  /** With the id of a thread that is no longer here. */
  readonly onDidClose = new Emitter<string>();
  readonly onDidAsk = new Emitter<{ thread: AgentThread; question: Question }>();
  readonly onDidAnswer = new Emitter<{ thread: AgentThread; question: Question; reply: Reply }>();
  readonly #parts: HostParts;
  readonly #threads = new Map<string, AgentThread>();
  readonly #file: string;
  #records: Promise<Map<string, ThreadRecord>> | undefined;
  #writing = Promise.resolve();
  #isDisposed = false;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#file = join(parts.stateDir, 'agents', 'threads.json');
  }

  get threads(): AgentThread[] {
    return [...this.#threads.values()];
  }

  /** Those that keep the process. */
  get atWork(): AgentThread[] {
    return this.threads.filter((thread) => thread.isAtWork);
  }

  agents(env: NodeJS.ProcessEnv): ListedAgent[] {
    return listAgents(this.#parts.custom(), env);
  }

  get(id: string): AgentThread {
    const thread = this.#threads.get(id);
    if (thread !== undefined) return thread;
    throw new ToolError('session_not_found', `There is no running thread ${id}.`, {
      hint: 'sightline agent --list shows the threads there are.',
    });
  }

  find(id: string): AgentThread | undefined {
    return this.#threads.get(id);
  }

  /** Threads of earlier, newest first, that do not run now. */
  async past(): Promise<ThreadRecord[]> {
    const records = await this.#known();
    return [...records.values()].filter(({ id }) => !this.#threads.has(id)).reverse();
  }

  /** Made at once; its agent starts meanwhile, and a failure is the state of the thread. */
  async create({ project, agent, fromNpm, permissions, sessionId }: NewThread): Promise<AgentThread> {
    const now = new Date().toISOString();
    const known: ThreadRecord = {
      id: randomId('thread'),
      agent: agent ?? '',
      project: project.root,
      title: '',
      createdAt: now,
      updatedAt: now,
      permissions,
      ...(sessionId === undefined ? {} : { sessionId }),
    };
    return this.#open(project, known, agent, fromNpm);
  }

  /** Takes a thread of earlier up again, with the session that its agent had. */
  async revive(known: ThreadRecord, project: Project, fromNpm: boolean): Promise<AgentThread> {
    return this.#threads.get(known.id) ?? this.#open(project, known, known.agent, fromNpm);
  }

  /** Ends it for good; its record goes too when it is to be forgotten. */
  async close(id: string, options: { forget: boolean }): Promise<void> {
    await this.#threads.get(id)?.close();
    this.#threads.delete(id);
    this.onDidClose.fire(id);
    if (!options.forget) return;
    (await this.#known()).delete(id);
    this.#save();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await disposeAll(this.threads);
    await this.#writing;
    for (const emitter of [this.onDidChange, this.onDidClose, this.onDidAsk, this.onDidAnswer]) emitter.dispose();
  }

  #open(project: Project, known: ThreadRecord, agent: string | undefined, fromNpm: boolean): AgentThread {
    if (this.#isDisposed) throw new ToolError('tool_not_available', 'Sightline is shutting down.');
    if (this.#threads.size >= maxThreads)
      throw new ToolError('too_large', `${maxThreads} agents run already; no more are started.`, {
        hint: 'Close a thread first.',
      });
    const launch = launchOf({ name: agent, fromNpm }, this.#parts.custom(), project.env, project.root);
    const { serverCommand, serverEnv, checkpoints, logger, terminals } = this.#parts;
    const [command = '', ...args] = serverCommand;
    const thread = new AgentThread(
      launch,
      { ...known, agent: launch.id },
      {
        project,
        checkpoints,
        logger: logger.tagged(launch.id),
        server: { command, args, env: { ...serverEnv, [threadVariable]: known.id } },
        judge: (call) => this.#judge(project, call),
        openTerminal: (wanted) => openSignInTerminal(terminals, project, wanted),
        othersAtWork: (from) =>
          this.atWork
            .filter((other) => other !== from && other.project.root === from.project.root)
            .map((other) => ({ title: other.view.agentTitle, paths: other.editedPaths })),
        asked: (from, question) => this.onDidAsk.fire({ thread: from, question }),
        answered: (from, question, reply) => this.onDidAnswer.fire({ thread: from, question, reply }),
      },
    );
    this.#threads.set(thread.id, thread);
    thread.onDidChange.on((event) => {
      if (event.kind === 'thread') void this.#remember(thread);
      this.onDidChange.fire({ thread, event });
    });
    thread.start().catch((error: unknown) => logger.info(`${launch.title} did not start.`, error));
    return thread;
  }

  #judge(project: Project, call: Loose): Verdict {
    const own = ownToolName(call);
    const ownEffect = own === undefined ? undefined : this.#parts.ownEffect(own);
    const judged: JudgedEffect =
      ownEffect === undefined ? effectOfCall(call, project.root) : { effect: ownEffect, why: `${own} of Sightline` };
    return { ...judged, decision: this.#parts.decision(project, judged.effect) };
  }

  async #remember(thread: AgentThread): Promise<void> {
    const records = await this.#known();
    const { record } = thread;
    const before = records.get(record.id);
    if (
      before?.sessionId === record.sessionId &&
      before?.title === record.title &&
      before?.permissions === record.permissions
    )
      return;
    // Newest last, as the file is read.
    records.delete(record.id);
    records.set(record.id, record);
    for (const id of [...records.keys()].slice(0, Math.max(records.size - maxRecords, 0))) records.delete(id);
    this.#save();
  }

  #known(): Promise<Map<string, ThreadRecord>> {
    this.#records ??= readStateFile(this.#file, {
      version: recordVersion,
      parse: (content) => new Map(parseRecords(content).map((each) => [each.id, each])),
      empty: () => new Map<string, ThreadRecord>(),
      onProblem: ({ path, setAsideAs, reason }) =>
        this.#parts.onStateProblem(`${path} was damaged (${reason}) and set aside as ${setAsideAs}.`),
    });
    return this.#records;
  }

  #save(): void {
    this.#writing = this.#writing
      .then(async () => writeStateFile(this.#file, recordVersion, [...(await this.#known()).values()]))
      .catch((error: unknown) => this.#parts.logger.warn('Threads could not be written down.', error));
  }
}

/** A thread of earlier as a list shows it. */
export function pastView(
  known: ThreadRecord,
): Pick<ThreadView, 'id' | 'agent' | 'title' | 'project' | 'state' | 'createdAt' | 'updatedAt'> {
  const { id, agent, title, project, createdAt, updatedAt } = known;
  return { id, agent, title, project, createdAt, updatedAt, state: 'dead' };
}

function parseRecords(content: unknown): ThreadRecord[] {
  if (!Array.isArray(content)) throw new Error('it is no list of threads');
  return content.map((each: unknown): ThreadRecord => {
    const fields: Partial<Record<string, unknown>> = typeof each === 'object' && each !== null ? { ...each } : {};
    const { id, agent, project, title, createdAt, updatedAt, permissions, sessionId } = fields;
    const mode = permissionModes.find((known) => known === permissions);
    const texts = [id, agent, project, title, createdAt, updatedAt];
    if (!texts.every((value) => typeof value === 'string') || mode === undefined)
      throw new Error('a thread lacks something');
    return {
      id: String(id),
      agent: String(agent),
      project: String(project),
      title: String(title),
      createdAt: String(createdAt),
      updatedAt: String(updatedAt),
      permissions: mode,
      ...(typeof sessionId === 'string' ? { sessionId } : {}),
    };
  });
}
