import { advise, step } from '../../base/text/advice.ts';
import { errorMessage, ToolError } from '../../base/errors.ts';
import { checkExpression, type EvaluationRules } from './evaluationPolicy.ts';
import type { StopEvent, ThreadInfo, ValueLimits, Variable, VariablePage } from './model.ts';
import { defaultValueLimits } from './model.ts';
import type { FrameView, ReportOptions, StopView, VariableView } from './report.ts';
import type { SessionBreakpoints } from './session/sessionBreakpoints.ts';
import type { SourceContext, SourceTexts } from './sourceText.ts';
import type { Standing } from './session/sessionState.ts';
import { frameView } from './callers.ts';
import { pairedNumbers } from './identities.ts';
import { StopViews } from './stopView.ts';
import type { AdapterDescription, Target } from './target.ts';
import { type Watch, Watches } from './session/watches.ts';

interface InspectionParts {
  target: Target;
  adapter: AdapterDescription;
  standing: Standing;
  breakpoints: SessionBreakpoints;
  sources: SourceTexts;
  rules: () => EvaluationRules;
  /** The thread that is looked at; throws when the program runs or has ended. */
  requirePaused: () => string;
  requireAlive: () => void;
}

interface VariablesRequest {
  frameIndex?: number;
  depth?: number;
  filter?: string;
  allScopes: boolean;
  start: number;
  count: number;
}

interface ExpandRequest {
  reference?: string;
  path?: string;
  /** The frame the path is meant in. */
  frameIndex?: number;
  depth?: number;
  filter?: string;
  start: number;
  count: number;
}

interface EvaluateOptions {
  frameIndex?: number;
  limits?: ValueLimits;
  timeoutMs?: number;
  purpose?: 'repl' | 'watch';
  signal?: AbortSignal;
}

const evaluationTimeoutMs = 5000;

/** What can be seen and tried in a program that stands still: frames, variables, expressions. */
export class Inspection {
  readonly watches = new Watches();
  readonly #parts: InspectionParts;
  readonly #views: StopViews;

  constructor(parts: InspectionParts) {
    this.#parts = parts;
    this.#views = new StopViews(parts.target, parts.sources);
  }

  async stopView(options: ReportOptions): Promise<StopView> {
    const { stop, frameIndex } = await this.stopContext();
    const view = await this.#views.build(stop, frameIndex, options, this.#parts.breakpoints.list());
    const watches = await Promise.all(
      this.watches.list().map(async (watch) => ({ ...watch, ...(await this.evaluateWatch(watch)) })),
    );
    return { ...view, watches };
  }

  async selectFrame(index: number): Promise<void> {
    await this.stopContext(index);
    this.#parts.standing.selectFrame(index);
  }

  async stack(maxFrames: number): Promise<{ frames: FrameView[]; totalFrames: number }> {
    const { threadId, frameIndex } = await this.stopContext();
    const { frames, totalFrames } = await this.#parts.target.stack(threadId, 0, maxFrames);
    return {
      frames: frames.map((frame) => frameView(frame, frameIndex)),
      totalFrames: totalFrames ?? frames.length,
    };
  }

  async variables(
    request: VariablesRequest,
  ): Promise<{ frameIndex: number; variables: VariableView[]; total: number }> {
    const { threadId, frameIndex } = await this.stopContext(request.frameIndex);
    const frame = (await this.#parts.target.stack(threadId, frameIndex, 1)).frames[0];
    if (frame?.isLive !== true)
      throw new ToolError('not_paused', `Frame ${frameIndex} is an asynchronous caller: its variables are gone.`, {
        hint: advise`Use one of the live frames of ${step('getStackTrace')}.`,
      });
    const all = await this.#views.allVariables(frame, request);
    const shown = pairedNumbers(all.slice(request.start, request.start + request.count));
    return { frameIndex, variables: shown, total: all.length };
  }

  async expand(request: ExpandRequest): Promise<VariablePage & { reference?: string; value?: Variable }> {
    this.#parts.requirePaused();
    const limits = limitsFor(request.depth);
    const value =
      request.path === undefined
        ? undefined
        : await this.evaluate(request.path, {
            limits,
            frameIndex: request.frameIndex,
          });
    const reference = request.reference ?? value?.reference;
    if (reference === undefined) {
      if (value !== undefined) return { variables: [], value };
      throw new ToolError('invalid_arguments', 'Pass the id of a value, or a path.');
    }
    const range = {
      start: request.start,
      count: request.count,
      filter: request.filter,
    };
    const page = await this.#parts.target.variables(reference, range, limits);
    return { ...page, reference, ...(value === undefined ? {} : { value }) };
  }

  /** The source at the frame that is looked at. */
  async source(contextLines: number): Promise<SourceContext | undefined> {
    const { threadId, frameIndex } = await this.stopContext();
    const frame = (await this.#parts.target.stack(threadId, frameIndex, 1)).frames[0];
    return frame === undefined ? undefined : this.#views.source(frame, contextLines, this.#parts.breakpoints.list());
  }

  async threads(): Promise<(ThreadInfo & { isCurrent: boolean })[]> {
    this.#parts.requireAlive();
    const threads = await this.#parts.target.threads();
    return threads.map((thread) => ({ ...thread, isCurrent: thread.id === this.#parts.standing.threadId }));
  }

  async evaluate(expression: string, options: EvaluateOptions = {}): Promise<Variable> {
    const { target, standing, adapter } = this.#parts;
    const readOnly = this.#checkExpression(expression);
    const common = {
      expression,
      purpose: options.purpose ?? ('repl' as const),
      readOnly,
      timeoutMs: options.timeoutMs ?? evaluationTimeoutMs,
      limits: options.limits ?? defaultValueLimits,
      signal: options.signal,
    };
    if (standing.state === 'paused') {
      const { threadId, frameId } = await this.#liveContext(options.frameIndex);
      return target.evaluate({ ...common, threadId, frameId });
    }
    this.#parts.requireAlive();
    const thread = (await target.threads())[0];
    if (thread === undefined || adapter.evaluatesWhileRunning !== true)
      throw new ToolError(
        'not_paused',
        'The program is running, and this language evaluates only while it is paused.',
        {
          hint: advise`${step('pauseExecution')}, or set a breakpoint.`,
        },
      );
    return target.evaluate({ ...common, threadId: thread.id });
  }

  async setVariable(
    path: string,
    valueExpression: string,
    frameIndex?: number,
  ): Promise<{ old: Variable; now: Variable }> {
    const { target, rules } = this.#parts;
    if (rules().mode === 'read_only')
      throw new ToolError('evaluation_blocked', 'Variables cannot be set: evaluation is read-only here.', {
        hint: 'A person can change evaluation.mode.',
      });
    this.#checkExpression(path);
    this.#checkExpression(valueExpression);
    const { threadId, frameId } = await this.#liveContext(frameIndex);
    const common = { threadId, frameId, timeoutMs: evaluationTimeoutMs, limits: defaultValueLimits };
    const readOnly = target.capabilities.readOnlyEvaluation;
    const old = await target.evaluate({ ...common, expression: path, purpose: 'hover', readOnly });
    const now = await target.setVariable({ ...common, path, valueExpression });
    return { old, now };
  }

  addWatch(expression: string): Watch {
    this.#checkExpression(expression);
    return this.watches.add(expression);
  }

  async evaluateWatch(watch: Watch): Promise<{ value?: string; type?: string; error?: string }> {
    try {
      const { value, type } = await this.evaluate(watch.expression, { purpose: 'watch', timeoutMs: 1000 });
      return { value, type };
    } catch (error) {
      return { error: errorMessage(error) };
    }
  }

  /** The current stop, and the frame that calls without a frame mean. */
  async stopContext(
    wanted?: number,
  ): Promise<{ stop: StopEvent; threadId: string; frameId: string; frameIndex: number; isLive: boolean }> {
    const { target, standing, requirePaused } = this.#parts;
    const threadId = requirePaused();
    const stop = standing.stopOf(threadId);
    if (stop === undefined) throw new ToolError('not_paused', 'The program runs.');
    const frameIndex = wanted ?? standing.frameIndex ?? (await this.#views.defaultFrame(stop));
    const { frames, totalFrames } = await target.stack(threadId, frameIndex, 1);
    const frame = frames[0];
    if (frame === undefined)
      throw new ToolError(
        'invalid_arguments',
        `There is no frame ${frameIndex}; the stack has ${totalFrames ?? 'fewer'} frames.`,
        {
          hint: advise`${step('getStackTrace')} shows them.`,
        },
      );
    return { stop, threadId, frameId: frame.id, frameIndex, isLive: frame.isLive };
  }

  /** What is shown of a program that idles may be an asynchronous caller; expressions that name no frame then mean the top one. */
  async #liveContext(wanted?: number): Promise<{ threadId: string; frameId: string }> {
    const context = await this.stopContext(wanted);
    const isChosen = wanted !== undefined || this.#parts.standing.frameIndex !== undefined;
    return context.isLive || isChosen ? context : this.stopContext(0);
  }

  /** Refuses what the rules about evaluation forbid. */
  requireAllowed(expression: string): void {
    this.#checkExpression(expression);
  }

  #checkExpression(expression: string): boolean {
    const rules = this.#parts.rules();
    const enforced = this.#parts.target.capabilities.readOnlyEvaluation;
    checkExpression(expression, rules, this.#parts.adapter, enforced);
    return rules.mode === 'read_only' && enforced;
  }
}

/** A deeper look may take more room. */
function limitsFor(depth: number | undefined): ValueLimits {
  if (depth === undefined) return defaultValueLimits;
  return { ...defaultValueLimits, depth, maxValueChars: depth > defaultValueLimits.depth ? 1000 : 240 };
}
