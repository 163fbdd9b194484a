import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { cancellationReason, untilCancelled } from '../base/cancellation.ts';
import { AgreementNeeded, BugError, ToolError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { displayPath } from '../base/paths.ts';
import { defaultMaxChars, escapeInvisible, type TextBudget } from '../base/text/textBudget.ts';
import { agreedToEverything } from '../engine/workspace/edits/operations.ts';
import type { OpenBuffer } from '../engine/workspace/buffers/bufferStore.ts';
import { noticingUnsaved } from '../engine/workspace/buffers/unsaved.ts';
import type { Project } from '../engine/workspace/project.ts';
import { invalid, normaliseArguments } from '../tools/arguments.ts';
import { defaultRender } from '../tools/defaultRender.ts';
import type { Effect, PartAnswer, PathKind, Tool, ToolCall } from '../tools/defineTool.ts';
import type { Engines } from '../tools/engines.ts';
import { fit, type Fitted } from '../tools/fit.ts';
import { hintOn } from '../tools/hints.ts';
import type { PreconditionCheck, Precondition } from '../tools/preconditions.ts';
import { answerError, errorText, type AnswerError, type ToolAnswer } from './answer.ts';
import { ApprovalGate, type GatedCall } from './approvalGate.ts';
import type { Approvals, Policy } from './approvals.ts';
import type { CallRequest } from './callRequest.ts';
import type { Client } from './clients.ts';
import type { PathMap } from './pathMap.ts';
import type { PersonNotes } from './personNotes.ts';
import { mapPaths, pathsIn } from './pathParameters.ts';

/** What the runner needs of the rest of the product. */
export interface RunnerParts {
  /** The tool of that name or alias; throws `unknown_tool`. */
  findTool(name: string): Tool;
  engines: Engines;
  approvals: Approvals;
  logger: Logger;
  recorder: CallRecorder;
  policyFor(project: Project | undefined): Policy;
  /** How long answers may be unless the call says; the product's default when absent. */
  maxCharsFor?(project: Project | undefined): number;
  /** `mentioned`: paths in the arguments, which decide when no project is named and several are open. */
  resolveProject(projectPath: string | undefined, client: Client, mentioned: readonly string[]): Promise<Project>;
  resolvePath(project: Project, path: string, kind: PathKind): Promise<string>;
  preconditions: Readonly<Record<Precondition, PreconditionCheck>>;
  /** Takes the secrets of this process out of an answer. */
  withoutTokens?(text: string): string;
  /** What people did besides, for the agents of a project. */
  personNotes?: PersonNotes;
  /** Of clients that see the files under other paths. */
  pathMap?: PathMap;
}

/** Where calls are written down; see `history.ts`. */
export interface CallRecorder {
  begin(call: {
    id: string;
    time: Date;
    clientId: string;
    clientName: string;
    project: Project | undefined;
    tool: string;
    parameters: Record<string, unknown>;
  }): void;
  end(
    id: string,
    outcome: {
      status: 'success' | 'error';
      text: string;
      data?: Record<string, unknown>;
      error?: string;
      durationMs: number;
      affectedFiles: string[];
    },
  ): void;
}

/** Clients give up after 60 s, some after 30. Nothing here takes longer than this; longer work is a job. */
const callDeadlineMs = 45_000;

/** Every cross-cutting rule of a call, once, for every face and transport. */
export class ToolRunner {
  readonly #parts: RunnerParts;
  readonly #gate: ApprovalGate;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#gate = new ApprovalGate(parts.approvals, parts.logger);
  }

  /** Throws only for an unknown tool, which is a protocol error; everything else is an answer. */
  async call(request: CallRequest): Promise<ToolAnswer> {
    const tool = this.#parts.findTool(request.tool);
    const forwarded = this.#forwarded(tool, request);
    if (forwarded !== undefined) return this.call(forwarded);
    const record = new CallRecord(tool, request, this.#parts.recorder);
    try {
      const answer = record.succeed(await this.#answer(tool, request, record));
      this.#tellOthers(tool, record, answer);
      return answer;
    } catch (thrown) {
      await this.#beginRefused(tool, request, record);
      return record.fail(this.#failure(thrown, tool, record));
    }
  }

  /** What a person does by a tool, agents learn. */
  #tellOthers(tool: Tool, { request, project, args }: CallRecord, { data }: ToolAnswer): void {
    const { personNotes } = this.#parts;
    if (!request.client.isPerson || personNotes === undefined || project === undefined || data === undefined) return;
    const unspoken = tool.effect === 'read' ? '' : `called ${tool.name} with ${JSON.stringify(args)}`;
    const deed = tool.deed?.(args, data, project.root) ?? unspoken;
    if (deed !== '') personNotes.did(project, deed, `${tool.name} ${JSON.stringify(args['session_id']) ?? ''}`);
  }

  /** What people did since this client was last answered; parts leave it to the call that they are parts of. */
  #notices({ request, project, notices }: CallRecord): readonly string[] {
    if (request.part !== undefined || project === undefined) return notices;
    return [...notices, ...(this.#parts.personNotes?.take(request.client, project) ?? [])];
  }

  /** A call that was refused for its arguments is in the history of its project like any other. */
  async #beginRefused(tool: Tool, request: CallRequest, record: CallRecord): Promise<void> {
    if (record.hasBegun || tool.scope === 'none') return;
    const { args } = request;
    const given: Record<string, unknown> = typeof args === 'object' && args !== null ? { ...args } : {};
    const path = given['project_path'];
    try {
      record.begin(
        await this.#parts.resolveProject(typeof path === 'string' ? path : undefined, request.client, []),
        given,
      );
    } catch {
      // It named no project that there is; it is written down without one.
    }
  }

  /** The call that this one stands for. One of a tool that does not exist, or that cannot be understood, is answered as its own. */
  #forwarded(tool: Tool, request: CallRequest): CallRequest | undefined {
    try {
      const target = tool.forward?.(parseInput(tool, normaliseArguments(tool, request.args).values));
      if (target === undefined) return undefined;
      return { ...request, tool: this.#parts.findTool(target.tool).name, args: target.args };
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  async #answer(tool: Tool, request: CallRequest, record: CallRecord): Promise<ToolAnswer> {
    const { values, notes } = normaliseArguments(tool, request.args);
    record.notes.push(...notes);
    const here = await this.#here(tool, values);
    const { project_path: projectPath, max_chars: maxChars, ...own } = here;
    const common = parseCommon(tool, projectPath, maxChars);
    let args = parseInput(tool, tool.inputSchema.properties?.['project_path'] === undefined ? own : here);
    // What was not forwarded names a tool that does not exist; looking for it says so.
    const target = tool.forward?.(args);
    if (target !== undefined) this.#parts.findTool(target.tool);
    const mentioned = await pathsIn(args, tool.paths ?? {});
    const project =
      tool.scope === 'none'
        ? undefined
        : await this.#parts.resolveProject(common.projectPath, request.client, mentioned);
    record.begin(project, args);
    if (project !== undefined && tool.paths !== undefined)
      args = await mapPaths(args, tool.paths, (path, kind) => this.#parts.resolvePath(project, path, kind));
    const deadline = record.deadline.signal;
    const usualChars = this.#parts.maxCharsFor?.(project) ?? defaultMaxChars;
    const ownChars = usualChars >= defaultMaxChars ? (tool.maxChars ?? 0) : 0;
    const budget = {
      maxChars: Math.min(common.maxChars ?? Math.max(usualChars, ownChars), request.part?.maxChars ?? Infinity),
      isChosen: common.maxChars !== undefined,
    };
    const policy = this.#parts.policyFor(project);
    const callUntil = (signal: AbortSignal, agreedTo?: string) =>
      this.#makeCall(record, project, signal, budget, agreedTo);
    const call = callUntil(deadline);
    for (const name of tool.requires ?? []) this.#parts.preconditions[name](this.#parts.engines, args, call);
    const effect = tool.effectOf?.(args, project) ?? tool.effect;
    const agreedTo = (what: string | undefined) => (signal: AbortSignal) =>
      this.#run(tool, args, callUntil(signal, what), record);
    const isFree = effect === 'destructive' || policy.destructive === 'allow';
    const run = agreedTo(isFree ? agreedToEverything : undefined);
    const gated: GatedCall = { tool, args, project, effect, request, run, signal: deadline };
    if (policy[effect] === 'deny') throw denied(tool, effect);
    try {
      // A call that a person was asked about before joins that question, whatever it would come to now.
      if (policy[effect] === 'ask' || this.#gate.isAskedAbout(gated)) return await this.#gate.pass(gated);
      return await untilCancelled(run(deadline), deadline);
    } catch (error) {
      if (!(error instanceof AgreementNeeded)) throw error;
      if (policy.destructive === 'deny') throw denied(tool, 'destructive');
      const { fingerprint, shown } = error;
      return this.#gate.pass({ ...gated, effect: 'destructive', shown, run: agreedTo(fingerprint) });
    }
  }

  #makeCall(
    record: CallRecord,
    project: Project | undefined,
    signal: AbortSignal,
    budget: TextBudget,
    agreedTo: string | undefined,
  ): ToolCall {
    const { request } = record;
    const startedAt = Date.now();
    const patience = Math.min(callDeadlineMs - 2000, request.part?.patienceMs ?? Infinity);
    return {
      id: record.id,
      client: request.client,
      signal,
      budget,
      agreedTo,
      get project(): Project {
        if (project === undefined) throw new BugError(`A tool without a project asked for it (${request.tool}).`);
        return project;
      },
      get patienceMs(): number {
        return Math.max(patience - (Date.now() - startedAt), 0);
      },
      progress: (message, fraction) => request.onProgress?.(message, fraction),
      note: (text) => void record.notes.push(text),
      hint: (text) => hintOn(request.client, text),
      affects: (...paths) => paths.forEach((path) => record.affectedFiles.add(path)),
      isPart: request.part !== undefined,
      part: (tool, args, part) => this.#part({ ...request, tool, args, signal, part }),
    };
  }

  /** A person who is asked about a part is asked while it waits: a second call would do the parts before it again. */
  async #part(request: CallRequest): Promise<PartAnswer> {
    try {
      return await this.call({ ...request, asksByRetry: false, approvalReply: undefined });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const { code, message, hint } = error;
      const failure = { code, message, hint: hint === undefined ? undefined : hintOn(request.client, hint) };
      return { text: escapeInvisible(errorText(failure)), error: failure };
    }
  }

  async #run(tool: Tool, args: Record<string, unknown>, call: ToolCall, record: CallRecord): Promise<ToolAnswer> {
    const unsaved = new Map<string, OpenBuffer>();
    const produced = await noticingUnsaved(unsaved, () => tool.run(this.#parts.engines, args, call));
    if (unsaved.size > 0) record.notes.push(unsavedNote(tool.scope === 'none' ? '' : call.project.root, unsaved));
    const checked = tool.output.safeParse(produced);
    if (!checked.success)
      throw new BugError(
        `${tool.name} produced data that its output schema refuses: ${z.prettifyError(checked.error)}`,
      );
    const data: Record<string, unknown> = this.#parts.pathMap?.outwardData(checked.data) ?? checked.data;
    return this.#present(tool, data, call, record);
  }

  #present(tool: Tool, data: Record<string, unknown>, call: ToolCall, record: CallRecord): ToolAnswer {
    const wantsJson = record.request.client.output !== 'text';
    const budget = { maxChars: call.budget.maxChars };
    const withoutTokens = (text: string) => this.#parts.withoutTokens?.(text) ?? text;
    const ownRoot = tool.scope === 'none' ? '' : call.project.root;
    const root = this.#parts.pathMap?.outward(ownRoot) ?? ownRoot;
    const render = (value: Record<string, unknown>) =>
      escapeInvisible(tool.render?.(value, budget, root) ?? defaultRender(value));
    // Whoever reads JSON does not see the text: it is made when the history wants it, after the answer has left.
    let madeText: Fitted<Record<string, unknown>> | undefined;
    const fittedText = () => (madeText ??= fit(data, budget.maxChars, render));
    const fittedJson = wantsJson ? fit(data, budget.maxChars, (value) => JSON.stringify(value)) : undefined;
    const { value, omitted: leftOut } = fittedJson ?? fittedText();
    const more =
      leftOut.length === 0
        ? []
        : [
            `Left out to fit ${budget.maxChars} characters: ${leftOut.slice(0, 6).join('; ')}. Ask for less, or pass max_chars.`,
          ];
    const notes = [
      ...[...this.#notices(record), ...record.notes].map((note) => `Note: ${note}.`.replace(/\.\.$/, '.')),
      ...more,
    ];
    return {
      callId: record.id,
      tool: tool.name,
      data: this.#valueWithoutTokens({ ...value, ...(notes.length === 0 ? {} : { notes }) }),
      ...(record.request.part === undefined ? {} : { whole: this.#valueWithoutTokens(data) }),
      get text() {
        return withoutTokens([...notes.slice(0, notes.length - more.length), fittedText().text, ...more].join('\n'));
      },
    };
  }

  /** Tokens are plain letters, so that taking them out of JSON leaves JSON. */
  #valueWithoutTokens<T>(value: T): T {
    if (this.#parts.withoutTokens === undefined) return value;
    const json = JSON.stringify(value);
    const clean = this.#parts.withoutTokens(json);
    return clean === json ? value : (JSON.parse(clean) as T);
  }

  /** Arguments with the paths as they are here. */
  async #here(tool: Tool, values: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { pathMap } = this.#parts;
    if (pathMap === undefined || pathMap.isEmpty) return values;
    return mapPaths(values, { ...tool.paths, project_path: 'existing' }, async (path) => pathMap.inward(path));
  }

  #asTheyWrite(error: AnswerError): AnswerError {
    const { pathMap } = this.#parts;
    if (pathMap === undefined || pathMap.isEmpty) return error;
    const { message, hint, data } = error;
    return {
      ...error,
      message: pathMap.outwardText(message),
      ...(hint === undefined ? {} : { hint: pathMap.outwardText(hint) }),
      ...(data === undefined ? {} : { data: pathMap.outwardData(data) }),
    };
  }

  #failure(thrown: unknown, tool: Tool, record: CallRecord): ToolAnswer {
    const failure = answerError(thrown, () => {
      const bugId = randomId('bug');
      this.#parts.logger.error(`${bugId} in ${tool.name}`, thrown);
      return bugId;
    });
    const message = [...this.#notices(record).map((notice) => `${notice}.`), failure.message].join(' ');
    const hint = failure.hint === undefined ? undefined : hintOn(record.request.client, failure.hint);
    const error = this.#valueWithoutTokens(this.#asTheyWrite({ ...failure, message, hint }));
    return { callId: record.id, tool: tool.name, text: escapeInvisible(errorText(error)), error };
  }
}

/** An answer that is not about the disk says so. */
function unsavedNote(root: string, unsaved: ReadonlyMap<string, OpenBuffer>): string {
  const named = (wanted: boolean) =>
    [...unsaved]
      .filter(([, { isLost }]) => isLost === wanted)
      .map(([path, { editor }]) => `${displayPath(root, path)} (${editor.name})`);
  const [shown, lost] = [named(false), named(true)];
  return [
    ...(shown.length === 0 ? [] : [`Read as unsaved in the editor: ${shown.join(', ')}`]),
    ...(lost.length === 0
      ? []
      : [`Read as saved, though the editor has changes that did not arrive in order: ${lost.join(', ')}`]),
  ].join('. ');
}

/** One call as it happens: its id, notes and the entries it leaves in the history. */
class CallRecord {
  readonly id = randomId('call');
  readonly notes: string[] = [];
  /** What the client has to know whatever comes of this call. */
  readonly notices: readonly string[];
  readonly affectedFiles = new Set<string>();
  readonly deadline: Deadline;
  readonly request: CallRequest;
  readonly #tool: Tool;
  readonly #recorder: CallRecorder;
  readonly #startedAt = new Date();
  #begun = false;
  /** Known once the call has begun. */
  project: Project | undefined;
  args: Record<string, unknown> = {};

  constructor(tool: Tool, request: CallRequest, recorder: CallRecorder) {
    this.#tool = tool;
    this.request = request;
    this.notices = request.client.takeNotices();
    this.deadline = new Deadline(request.signal, Math.min(request.part?.patienceMs ?? Infinity, callDeadlineMs));
    this.#recorder = recorder;
  }

  get hasBegun(): boolean {
    return this.#begun;
  }

  begin(project: Project | undefined, parameters: Record<string, unknown>): void {
    if (this.#begun) return;
    this.#begun = true;
    this.project = project;
    this.args = parameters;
    const { client } = this.request;
    this.#recorder.begin({
      id: this.id,
      time: this.#startedAt,
      clientId: client.id,
      clientName: client.name,
      project,
      tool: this.#tool.name,
      parameters,
    });
  }

  succeed(answer: ToolAnswer): ToolAnswer {
    return this.#end(answer);
  }

  fail(answer: ToolAnswer): ToolAnswer {
    const given = this.request.args;
    this.begin(undefined, typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given } : {});
    return this.#end(answer);
  }

  #end(answer: ToolAnswer): ToolAnswer {
    this.deadline.dispose();
    this.#recorder.end(this.id, {
      status: answer.error === undefined && answer.approval === undefined ? 'success' : 'error',
      get text() {
        return answer.text;
      },
      data: answer.data,
      ...(answer.error === undefined ? {} : { error: answer.error.message }),
      ...(answer.approval === undefined ? {} : { error: `Waits for approval (${answer.approval.ticketId}).` }),
      durationMs: Date.now() - this.#startedAt.getTime(),
      affectedFiles: [...this.affectedFiles],
    });
    // A call joined through an approval ticket carries the id of the call that did the work; the client knows only its own.
    return answer.callId === this.id ? answer : { ...answer, callId: this.id };
  }
}

function parseCommon(
  tool: Tool,
  projectPath: unknown,
  maxChars: unknown,
): { projectPath: string | undefined; maxChars: number | undefined } {
  if (projectPath !== undefined && typeof projectPath !== 'string')
    throw invalid(tool, 'project_path must be the absolute path of a project.');
  if (maxChars !== undefined && (typeof maxChars !== 'number' || !(maxChars >= 200 && maxChars <= 200_000)))
    throw invalid(tool, 'max_chars must be a number from 200 to 200000.');
  return { projectPath, maxChars: typeof maxChars === 'number' ? maxChars : undefined };
}

function parseInput(tool: Tool, values: Record<string, unknown>): Record<string, unknown> {
  const parsed = tool.input.safeParse(values);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const where = issue.path
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
      .join('')
      .replace(/^\./, '');
    return where === '' ? issue.message : `${where}: ${issue.message}`;
  });
  throw invalid(tool, `The arguments of ${tool.name} do not fit: ${problems.join('; ')}.`);
}

/** Ends with the caller's own signal, or at the deadline with an error that says so. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #callerSignal: AbortSignal | undefined;
  readonly #stop = () => {
    if (this.#callerSignal !== undefined) this.#controller.abort(cancellationReason(this.#callerSignal));
  };

  constructor(callerSignal: AbortSignal | undefined, timeoutMs: number) {
    this.#callerSignal = callerSignal;
    // A call may have hundreds of requests to its engines under way; that many listeners are no leak.
    setMaxListeners(0, this.#controller.signal);
    this.#timer = setTimeout(() => this.#controller.abort(tooLong(timeoutMs)), timeoutMs);
    this.#timer.unref();
    if (callerSignal?.aborted) this.#stop();
    callerSignal?.addEventListener('abort', this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#stop);
  }
}

function denied(tool: Tool, effect: Effect): ToolError {
  return new ToolError('policy_denied', `The policy does not allow ${tool.name} here (effect: ${effect}).`, {
    hint: 'A person can change it in the Sightline configuration (policy).',
  });
}

function tooLong(timeoutMs: number): ToolError {
  return new ToolError('timeout', `The call took longer than ${Math.round(timeoutMs / 1000)} s and was stopped.`, {
    hint: 'Ask for less, or start it as a job.',
  });
}
