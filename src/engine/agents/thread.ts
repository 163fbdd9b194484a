import type { AsyncDisposer } from '../../base/disposable.ts';
import type { Emitter } from '../../base/emitter.ts';
import { ToolError, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { clip } from '../../base/text/textBudget.ts';
import { authRequiredCode, refusalOf } from '../../protocol/acp/connection.ts';
import type { Project } from '../workspace/project.ts';
import { AgentProcess, type AgentLaunch, type SignInMethod } from './agentProcess.ts';
import { Inquiries } from './inquiries.ts';
import { record, text, type Loose } from './loose.ts';
import type {
  LoggedMessage,
  PermissionMode,
  Question,
  ServerUse,
  ThreadEvent,
  ThreadItem,
  ThreadState,
  ThreadView,
  Verdict,
} from './model.ts';
import { ProtocolLog } from './protocolLog.ts';
import type { Questions, Reply } from './questions.ts';
import { SessionFacts } from './sessionFacts.ts';
import { SessionOpening, listedSessions, type GivenServer, type ListedSession } from './sessionOpening.ts';
import { ThreadEvents } from './threadEvents.ts';
import { Transcript, blockText } from './transcript.ts';
import { Turns, type Checkpoints, type TurnActors, type TurnOutcome } from './turns.ts';

interface ThreadParts {
  project: Project;
  checkpoints: Checkpoints;
  logger: Logger;
  server: GivenServer;
  /** What our policy says of a tool call. */
  judge(call: Loose): Verdict;
  /** Runs the agent's own command in a terminal for a person to sign in; resolves when it has ended. */
  openTerminal(launch: AgentLaunch): Promise<{ id: string; ended: Promise<void> }>;
  /** Other agents that are at work in the same project. */
  othersAtWork(thread: AgentThread): TurnActors['others'];
  /** A question waits for a person, or no longer does. */
  asked(thread: AgentThread, question: Question): void;
  answered(thread: AgentThread, question: Question, reply: Reply): void;
}

/** What is kept of a thread when its process is gone. */
export interface ThreadRecord {
  id: string;
  agent: string;
  project: string;
  title: string;
  createdAt: string;
  updatedAt: string;
  permissions: PermissionMode;
  sessionId?: string;
}

const maxQueue = 50;
/** How long an agent may take to end a session before it is ended. */
const closeMs = 1500;
/** How long after a broken connection the end of the process is known at the latest. */
const endKnownMs = 1000;

/**
 * A conversation with one agent. Its process comes and goes below it: what was said, what was changed and what waits for a person stay.
 */
export class AgentThread implements AsyncDisposer {
  readonly id: string;
  readonly log = new ProtocolLog();
  readonly project: Project;
  readonly server: ServerUse = { connected: false, calls: 0, failed: 0, tokens: 0, byTool: {} };
  /** Connections over which the agent uses our tools, as clients. */
  readonly clients = new Set<string>();
  permissions: PermissionMode;
  readonly #launch: AgentLaunch & { id: string };
  readonly #parts: ThreadParts;
  readonly #transcript: Transcript;
  readonly #inquiries: Inquiries;
  readonly #opening: SessionOpening;
  readonly #facts: SessionFacts;
  readonly #turns: Turns;
  readonly #events = new ThreadEvents();
  readonly #queue: { id: string; text: string }[] = [];
  readonly #createdAt: string;
  #updatedAt: string;
  #sessionId: string | undefined;
  #process: AgentProcess | undefined;
  #base: 'starting' | 'signed_out' | 'idle' | 'running' | 'dead' | 'closed' = 'dead';
  #problem: string | undefined;
  #terminalId: string | undefined;
  #queued = 0;
  #prompt = '';
  #starting: Promise<void> | undefined;
  #viewSoon: NodeJS.Immediate | undefined;

  constructor(launch: AgentLaunch & { id: string }, known: ThreadRecord, parts: ThreadParts) {
    this.id = known.id;
    this.project = parts.project;
    this.permissions = known.permissions;
    this.#launch = launch;
    this.#parts = parts;
    this.#createdAt = known.createdAt;
    this.#updatedAt = known.updatedAt;
    this.#facts = new SessionFacts(known.title);
    this.#sessionId = known.sessionId;
    this.#transcript = new Transcript((event) => this.#events.tell(event));
    this.#opening = new SessionOpening(launch, parts.server, this.#transcript);
    this.#inquiries = new Inquiries({
      transcript: this.#transcript,
      mode: () => this.permissions,
      judge: (call) => parts.judge(call),
      asked: (question) => parts.asked(this, question),
      answered: (question, reply) => parts.answered(this, question, reply),
      changed: () => this.#changed(),
    });
    const origin = { tool: 'agent', client: known.id, clientName: launch.title };
    this.#turns = new Turns(parts.project, origin, parts.checkpoints);
  }

  get onDidChange(): Emitter<ThreadEvent> {
    return this.#events.onDidTell;
  }

  get #questions(): Questions {
    return this.#inquiries.questions;
  }

  get state(): ThreadState {
    return this.#questions.open.length > 0 && this.#base === 'running' ? 'needs_you' : this.#base;
  }

  get isAtWork(): boolean {
    return this.#base === 'starting' || this.#base === 'running';
  }

  get items(): ThreadItem[] {
    return this.#transcript.items;
  }

  /** The files that tool calls of this turn change, as the agent tells. */
  get editedPaths(): ReadonlySet<string> {
    return this.#transcript.editedPaths(this.project.root);
  }

  item(id: string): ThreadItem | undefined {
    return this.#transcript.item(id);
  }

  get seq(): number {
    return this.#events.seq;
  }

  get record(): ThreadRecord {
    const { id, agent, project, title, createdAt, updatedAt, permissions, sessionId } = this.view;
    return {
      id,
      agent,
      project,
      title,
      createdAt,
      updatedAt,
      permissions,
      ...(sessionId === undefined ? {} : { sessionId }),
    };
  }

  get view(): ThreadView {
    const version = this.#process?.version;
    return {
      id: this.id,
      agent: this.#launch.id,
      title: this.#facts.title,
      agentTitle: this.#launch.title,
      ...(version === undefined ? {} : { agentVersion: version }),
      project: this.project.root,
      projectName: this.project.name,
      state: this.state,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
      ...(this.#sessionId === undefined ? {} : { sessionId: this.#sessionId }),
      createdAt: this.#createdAt,
      updatedAt: this.#updatedAt,
      permissions: this.permissions,
      queue: [...this.#queue],
      options: this.#facts.options,
      commands: this.#facts.commands,
      ...(this.#facts.usage === undefined ? {} : { usage: this.#facts.usage }),
      questions: this.#questions.open,
      signIn: (this.#process?.signIn ?? []).map(({ id, name, description, isTerminal }) => ({
        id,
        name,
        isTerminal,
        ...(description === undefined ? {} : { description }),
      })),
      ...(this.#terminalId === undefined ? {} : { terminalId: this.#terminalId }),
      can: this.#process?.can ?? { load: false, resume: false, list: false, close: false },
      turns: this.#turns.all,
      server: { ...this.server, byTool: { ...this.server.byTool } },
    };
  }

  /** What happened after a number; `undefined` when that is no longer known, and the whole has to be read again. */
  since(seq: number): ThreadEvent[] | undefined {
    return this.#events.since(seq);
  }

  messages(after: number): LoggedMessage[] {
    return this.log.since(after);
  }

  /** Starts the agent and its session: the one it had, where the agent can, else a new one. */
  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async restart(): Promise<void> {
    await this.#endProcess();
    await this.start();
  }

  /** Adds to the queue; the next one is sent when the turn before has ended. */
  prompt(words: string): string {
    if (this.#base === 'closed' || this.#base === 'dead')
      throw new ToolError(
        'not_running',
        `${this.#launch.title} is not running in this thread${this.#problem === undefined ? '' : `: ${this.#problem}`}.`,
        {
          hint: 'Restart it first.',
        },
      );
    if (words.trim() === '') throw new ToolError('invalid_arguments', 'A prompt needs words.');
    if (this.#queue.length >= maxQueue) throw new ToolError('too_large', `${maxQueue} prompts wait already.`);
    this.#queued += 1;
    const id = `p${this.#queued}`;
    this.#queue.push({ id, text: words });
    this.#changed();
    void this.#pump();
    return id;
  }

  unqueue(id: string): void {
    const at = this.#queue.findIndex((each) => each.id === id);
    if (at !== -1) this.#queue.splice(at, 1);
    this.#changed();
  }

  /** Stops the turn and forgets what waits. The agent ends the turn itself; every question of it is answered. */
  async cancel(): Promise<void> {
    this.#queue.length = 0;
    if (this.#base === 'running' && this.#sessionId !== undefined) {
      await this.#process?.connection.notify('session/cancel', { sessionId: this.#sessionId }).catch(() => undefined);
      this.#transcript.endTools('cancelled');
    }
    this.#questions.cancelAll();
    this.#changed();
  }

  /** False when nobody asks that any more. */
  answer(questionId: string, reply: Reply): boolean {
    return this.#questions.answer(questionId, reply);
  }

  noteTicket(questionId: string, ticketId: string): void {
    this.#questions.note(questionId, ticketId);
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    const { agent, sessionId } = this.#alive();
    await this.#facts.choose({ connection: agent.connection, sessionId, title: this.#launch.title }, id, value);
    this.#changed();
  }

  setPermissions(mode: PermissionMode): void {
    this.permissions = mode;
    this.#changed();
  }

  /** Lets the person sign in, by the agent or in a terminal, and goes on with the session. */
  async signIn(methodId: string): Promise<void> {
    const agent = this.#process;
    const method = agent?.signIn.find((each) => each.id === methodId);
    if (agent === undefined || method === undefined)
      throw new ToolError('invalid_arguments', `${this.#launch.title} offers no way ${methodId} to sign in.`);
    if (method.isTerminal) return this.#signInByTerminal(method);
    await agent.connection.request('authenticate', { methodId });
    await this.#openSession(agent);
  }

  /** The sessions that the agent itself knows, newest page first. */
  async sessions(): Promise<ListedSession[]> {
    return listedSessions(this.#alive().agent, this.#launch.title, this.project.root);
  }

  async revert(turn: number, historyId?: string): Promise<string[]> {
    const files = await this.#turns.revert(turn, historyId);
    this.#changed();
    return files;
  }

  /** A connection of this agent to our server came, asked or left. */
  serverUsed(change: (use: ServerUse) => void): void {
    change(this.server);
    this.#changed();
  }

  /** Ends the session where the agent can do that, then the process. */
  async close(): Promise<void> {
    const agent = this.#process;
    this.#base = 'closed';
    await this.cancel();
    if (agent?.can.close === true && this.#sessionId !== undefined) {
      const closed = agent.connection.request('session/close', { sessionId: this.#sessionId }).catch(() => undefined);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
    }
    await this.#endProcess();
    this.#base = 'closed';
    this.#changed();
  }

  async dispose(): Promise<void> {
    this.#questions.cancelAll();
    await this.#endProcess();
    clearImmediate(this.#viewSoon);
    this.onDidChange.dispose();
  }

  async #start(): Promise<void> {
    this.#setBase('starting');
    try {
      const agent = await AgentProcess.start(this.#opening.launch, this.project.env, {
        update: (params) => this.#update(params),
        permission: (params, signal) => this.#permission(params, signal),
        elicitation: (params, signal) => this.#inquiries.elicitation(params, signal),
        elicitationComplete: () => undefined,
        traffic: (direction, message) => this.log.add(direction, message),
      });
      this.#process = agent;
      void agent.ended.then((reason) => this.#died(agent, reason));
      await this.#openSession(agent);
    } catch (error) {
      if (this.#base === 'closed') return;
      this.#setBase('dead', errorMessage(error));
      await this.#endProcess();
      throw error;
    }
  }

  async #openSession(agent: AgentProcess): Promise<void> {
    try {
      const { sessionId, session } =
        this.#sessionId === undefined
          ? await this.#opening.begin(agent)
          : await this.#opening.takeUp(agent, this.#sessionId);
      this.#sessionId = sessionId;
      this.#facts.opened(session);
      this.#setBase('idle');
      void this.#pump();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code !== authRequiredCode || agent.signIn.length === 0)
        throw refusal === undefined
          ? error
          : new ToolError('engine_failed', `${this.#launch.title} opened no session: ${refusal.message}`);
      this.#setBase('signed_out', `${this.#launch.title} wants to know who you are: ${refusal.message}`);
    }
  }

  async #signInByTerminal(method: SignInMethod): Promise<void> {
    const { args, env } = method;
    const launch = {
      ...this.#launch,
      args: args.length > 0 ? args : this.#launch.args,
      env: { ...this.#launch.env, ...env },
    };
    const terminal = await this.#parts.openTerminal(launch);
    this.#terminalId = terminal.id;
    this.#changed();
    void terminal.ended.then(async () => {
      this.#terminalId = undefined;
      await this.restart().catch((error: unknown) => this.#parts.logger.info('Signing in did not help.', error));
    });
  }

  async #pump(): Promise<void> {
    if (this.#base !== 'idle' || this.#process === undefined || this.#sessionId === undefined) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    const agent = this.#process;
    this.#base = 'running';
    this.#prompt = next.text;
    if (this.#facts.title === '') this.#facts.title = clip(next.text.replaceAll(/\s+/g, ' '), 80);
    this.#problem = undefined;
    await this.#turns.begin(next.text);
    this.#transcript.beginTurn(this.#turns.current);
    this.#transcript.said(next.text);
    this.#changed();
    const outcome = await this.#ask(agent, this.#sessionId, next.text);
    this.#questions.cancelAll();
    this.#transcript.endTools(outcome.stopReason === 'cancelled' ? 'cancelled' : 'ended');
    await this.#turns.end(outcome, {
      clients: [...this.clients],
      own: this.editedPaths,
      others: this.#parts.othersAtWork(this),
    });
    if (outcome.error !== undefined) {
      this.#problem = outcome.error;
      this.#transcript.notice('error', outcome.error);
    }
    if (this.#base === 'running') this.#setBase('idle', this.#problem);
    else this.#changed();
    void this.#pump();
  }

  async #ask(agent: AgentProcess, sessionId: string, words: string): Promise<TurnOutcome> {
    const dead = agent.ended.then((reason) => ({ stopReason: 'failed', error: reason }));
    try {
      const asking = agent.connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: words }] });
      asking.catch(() => undefined);
      const answer = await Promise.race([
        asking.then((result) => ({ stopReason: text(result['stopReason']) ?? 'end_turn' })),
        dead,
      ]);
      return answer;
    } catch (error) {
      const refusal = refusalOf(error);
      // Its end is seen as a broken connection first; the reason comes a moment later.
      if (refusal === undefined) return Promise.race([dead, endsSoon(errorMessage(error))]);
      if (refusal.code === authRequiredCode) this.#base = 'signed_out';
      return { stopReason: 'failed', error: refusal.message };
    }
  }

  #update(params: Loose): void {
    if (params['sessionId'] !== this.#sessionId && this.#sessionId !== undefined) return;
    const update = record(params['update']);
    switch (update['sessionUpdate']) {
      case 'user_message_chunk':
        // Some repeat what they were asked.
        if (this.#opening.isReplaying || !this.#prompt.includes(blockText(record(update['content']))))
          this.#transcript.chunk('user', update);
        return;
      case 'agent_message_chunk':
        return this.#transcript.chunk('agent', update);
      case 'agent_thought_chunk':
        return this.#transcript.chunk('thought', update);
      case 'tool_call':
      case 'tool_call_update':
        return this.#transcript.upsertTool(update);
      case 'plan':
        return this.#transcript.plan(update);
      case 'notice':
        return this.#transcript.notice(
          text(update['severity']) ?? 'info',
          text(update['title']) ?? '',
          text(update['description']),
        );
      case 'compaction_update':
      case 'compaction_summary_chunk':
        return this.#transcript.compaction(update);
      default:
        if (this.#facts.take(update)) this.#changed();
    }
  }

  async #permission(params: Loose, signal: AbortSignal): Promise<Loose> {
    if (this.#base !== 'running') return { outcome: { outcome: 'cancelled' } };
    return this.#inquiries.permission(params, signal);
  }

  #died(agent: AgentProcess, reason: string): void {
    if (this.#process !== agent) return;
    this.#process = undefined;
    this.#questions.cancelAll();
    if (this.#base === 'closed') return;
    this.#transcript.endTools('ended');
    this.#setBase('dead', reason);
    void agent.dispose();
  }

  async #endProcess(): Promise<void> {
    const agent = this.#process;
    this.#process = undefined;
    this.server.connected = false;
    await agent?.dispose();
  }

  #alive(): { agent: AgentProcess; sessionId: string } {
    if (this.#process === undefined || this.#sessionId === undefined)
      throw new ToolError(
        'not_running',
        `${this.#launch.title} is not running in this thread${this.#problem === undefined ? '' : `: ${this.#problem}`}.`,
        {
          hint: 'Restart it first.',
        },
      );
    return { agent: this.#process, sessionId: this.#sessionId };
  }

  #setBase(base: 'starting' | 'signed_out' | 'idle' | 'dead', problem?: string): void {
    this.#base = base;
    this.#problem = problem;
    this.#changed();
  }

  /** Told once for all that changes in one go. */
  #changed(): void {
    this.#updatedAt = new Date().toISOString();
    this.#viewSoon ??= setImmediate(() => {
      this.#viewSoon = undefined;
      this.#events.tell({ kind: 'thread', thread: this.view });
    });
  }
}

async function endsSoon(error: string): Promise<TurnOutcome> {
  await new Promise((resolve) => setTimeout(resolve, endKnownMs));
  return { stopReason: 'failed', error };
}
