import { withTimeout } from '../../base/cancellation.ts';
import { ToolError } from '../../base/errors.ts';
import { LineIndex } from '../../base/positions.ts';
import type { Breakpoint } from './breakpoints/breakpointStore.ts';
import type { ExceptionInfo, Scope, StackFrame, StopEvent, ValueLimits, Variable } from './model.ts';
import { defaultValueLimits } from './model.ts';
import { callers, frameView, maxToldCallers } from './callers.ts';
import { pairedNumbers, withoutNumbers } from './identities.ts';
import { readFirst } from './readFirst.ts';
import type { ReportOptions, StopView, VariableView } from './report.ts';
import { type SourceContext, sourceContext, type SourceTexts } from './sourceText.ts';
import type { Target } from './target.ts';

/** How far down the stack the user's own code is looked for. */
const searchDepth = 200;
const valuesMs = 6000;

/** Gathers what one stop shows. It asks for independent things at once: each round trip is paid in the answer's time. */
export class StopViews {
  readonly #target: Target;
  readonly #sources: SourceTexts;
  /** Values as last shown, by function and name, to mark what changed. */
  #shown = new Map<string, string>();
  #shownStop: StopEvent | undefined;

  constructor(target: Target, sources: SourceTexts) {
    this.#target = target;
    this.#sources = sources;
  }

  /** The frame people look at first: the top one, except that a failure is shown where the user's own code led to it. */
  async defaultFrame(stop: StopEvent): Promise<number> {
    if (stop.reason !== 'exception' && stop.reason !== 'pause') return 0;
    const { frames } = await this.#target.stack(stop.threadId, 0, searchDepth);
    const own = frames.filter((frame) => !frame.isLibrary);
    return (own.find((frame) => frame.isLive) ?? own[0])?.index ?? 0;
  }

  async build(
    stop: StopEvent,
    frameIndex: number,
    options: ReportOptions,
    breakpoints: readonly Breakpoint[],
  ): Promise<Omit<StopView, 'watches'>> {
    const wanted = Math.max(options.maxFrames, stop.reason === 'exception' ? maxToldCallers : 1);
    const [found, threads, exception] = await Promise.all([
      this.#target.stack(stop.threadId, frameIndex, wanted + searchDepth),
      this.#target.threads(),
      stop.reason === 'exception' ? this.#exception(stop) : undefined,
    ]);
    const current = found.frames[0];
    const worth = telling(found.frames);
    const frames = worth.slice(0, wanted);
    const isFailure = stop.reason === 'exception';
    const limits = options.limits ?? defaultValueLimits;
    const [all, source, shownFrames, doubts] = await Promise.all([
      options.variables && current?.isLive === true
        ? this.#variablesInTime(current, options.maxVariables, limits)
        : { shown: [], more: 0, late: false },
      options.source && current !== undefined
        ? this.source(current, options.contextLines, breakpoints, isFailure || stop.reason === 'pause')
        : undefined,
      isFailure && options.variables
        ? callers(this.#target, this.#sources, frames, frameIndex, limits)
        : frames.map((frame) => frameView(frame, frameIndex)),
      current?.isLive === true ? this.#target.doubtsAbout?.(current.id) : undefined,
    ]);
    const variables = isFailure || stop.reason === 'pause' ? readFirst(all, source) : all;
    const thread = threads.find((each) => each.id === stop.threadId);
    const processes = this.#target.processes();
    const process = processes.find((node) => node.id === stop.processId);
    return {
      reason: stop.reason,
      ...describe(stop, variables.late, doubts),
      ...(stop.mayBeHandled === undefined ? {} : { mayBeHandled: stop.mayBeHandled }),
      thread: { id: stop.threadId, name: thread?.name ?? stop.threadId },
      ...(process !== undefined && processes.filter((node) => node.kind === 'process').length > 1
        ? { process: { title: process.title, pid: process.pid } }
        : {}),
      ...(current === undefined ? {} : { location: frameView(current, frameIndex) }),
      breakpoints: stop.breakpointIds.flatMap((id) => hitView(id, breakpoints)),
      ...(exception === undefined ? {} : { exception }),
      frames: shownFrames,
      ...(found.totalFrames === undefined ? {} : { totalFrames: found.totalFrames }),
      moreFrames: worth.length - frames.length,
      variables: this.#markChanges(stop, current, pairedNumbers(variables.shown), options.isAside === true),
      moreVariables: variables.more,
      ...(source === undefined ? {} : { source }),
      threadCount: threads.length,
    };
  }

  /** A program that thrashes for memory may never tell its values; where it stands is known all the same. */
  async #variablesInTime(
    frame: StackFrame,
    maxVariables: number,
    limits: ValueLimits,
  ): Promise<{ shown: VariableView[]; more: number; late: boolean }> {
    try {
      return { ...(await withTimeout(this.variablesOf(frame, maxVariables, limits), valuesMs)), late: false };
    } catch (error) {
      if (error instanceof ToolError && error.code === 'timeout') return { shown: [], more: 0, late: true };
      throw error;
    }
  }

  /** The variables a reader looks for: the function's own, then what it closes over; a module's only at its top level. */
  async variablesOf(
    frame: StackFrame,
    maxVariables: number,
    limits: ValueLimits = defaultValueLimits,
  ): Promise<{ shown: VariableView[]; more: number }> {
    const scopes = (await this.#target.scopes(frame.id)).filter((scope) => !scope.expensive);
    const own = ownScopes(scopes);
    // The blocks around a function are to it what other functions around it are.
    const outer = scopes.filter(
      (scope) => (scope.kind === 'closure' || scope.kind === 'block') && !own.includes(scope),
    );
    const module = scopes.filter((scope) => scope.kind === 'module');
    const chosen = own.length > 0 ? [...own, ...outer] : [...outer, ...module];
    // The program's own connection is the slowest part: it is asked first.
    const asked = Promise.all(chosen.map((scope) => this.#page(scope, maxVariables, limits)));
    const [written, pages] = await Promise.all([this.#namesWritten(frame), asked]);
    const seen = new Set<string>();
    const everything = pages.flatMap(({ scope, variables }) =>
      variables.flatMap((variable): VariableView[] => {
        if (seen.has(variable.name)) return [];
        seen.add(variable.name);
        return [outer.includes(scope) ? { ...variable, scope: 'closure' } : variable];
      }),
    );
    const byPerson = everything.filter((each) => written(each.name) && !isMadeByRunner(each.name));
    const all = byPerson.length > 0 ? byPerson : everything.filter((each) => !isMadeByRunner(each.name));
    // Functions and classes are code that can be read in the file; data comes first.
    const ordered = [...all.filter((each) => !isCode(each)), ...all.filter(isCode)];
    const beyond = pages.reduce((sum, page) => sum + Math.max((page.total ?? 0) - page.variables.length, 0), 0);
    const shown = ordered.filter((each) => !isCode(each)).slice(0, maxVariables);
    const visible = shown.length > 0 ? shown : ordered.slice(0, Math.min(maxVariables, 5));
    const data = all.filter((each) => !isCode(each)).length;
    return { shown: visible, more: Math.max(data - visible.length, 0) + beyond };
  }

  /** Every variable in sight, in the order of nearness; what has many is paged by the caller. */
  async allVariables(
    frame: StackFrame,
    options: { allScopes: boolean; depth?: number; filter?: string },
  ): Promise<VariableView[]> {
    const scopes = (await this.#target.scopes(frame.id)).filter((scope) => !scope.expensive);
    const own = ownScopes(scopes);
    const chosen = options.allScopes || own.length === 0 ? scopes : own;
    const limits = { ...defaultValueLimits, ...(options.depth === undefined ? {} : { depth: options.depth }) };
    const range = { start: 0, count: 2000, filter: options.filter };
    const pages = await Promise.all(
      chosen.map(async (scope) => ({ scope, page: await this.#target.variables(scope.reference, range, limits) })),
    );
    const seen = new Set<string>();
    return pages.flatMap(({ scope, page }) =>
      page.variables.flatMap((variable): VariableView[] => {
        if (seen.has(variable.name)) return [];
        seen.add(variable.name);
        return [own.includes(scope) ? variable : { ...variable, scope: scope.kind }];
      }),
    );
  }

  async source(
    frame: StackFrame,
    contextLines: number,
    breakpoints: readonly Breakpoint[],
    withStatement = false,
  ): Promise<SourceContext | undefined> {
    const { location } = frame;
    if (location === undefined) return undefined;
    if (location.file !== undefined) {
      const index = await this.#sources.lines(location.file);
      if (index === undefined) return undefined;
      const lines = breakpoints.flatMap((item) =>
        item.file === location.file && item.enabled && item.line !== undefined ? [item.line] : [],
      );
      return sourceContext(location.file, index, location.line, contextLines, lines, withStatement);
    }
    if (frame.sourceReference === undefined) return undefined;
    const text = await this.#target.sourceText(frame.sourceReference);
    const name = frame.sourceReference.replace(/^(?:t\d+\.)?\d+:/, '');
    return sourceContext(name, new LineIndex(text), location.line, contextLines, [], withStatement);
  }

  /** Tells names that stand in the source from those a compiler or test runner put into the code. */
  async #namesWritten(frame: StackFrame): Promise<(name: string) => boolean> {
    const index = frame.location?.file === undefined ? undefined : await this.#sources.lines(frame.location.file);
    if (index === undefined) return () => true;
    return (name) => !/^[\w$@]+$/.test(name) || name === 'this' || containsWord(index.text, name);
  }

  async #exception(stop: StopEvent): Promise<ExceptionInfo | undefined> {
    return stop.exception ?? this.#target.exceptionInfo(stop.threadId, defaultValueLimits);
  }

  async #page(
    scope: Scope,
    count: number,
    limits: ValueLimits,
  ): Promise<{ scope: Scope; variables: Variable[]; total?: number }> {
    const page = await this.#target.variables(scope.reference, { start: 0, count: count + 20 }, limits);
    return { scope, ...page };
  }

  #markChanges(
    stop: StopEvent,
    frame: StackFrame | undefined,
    variables: readonly VariableView[],
    isAside: boolean,
  ): VariableView[] {
    const place = `${stop.threadId}/${frame?.location?.file ?? ''}/${frame?.name ?? ''}`;
    const isSameStop = this.#shownStop === stop;
    const before = this.#shown;
    const after = new Map(isSameStop ? before : [...before].filter(([key]) => !key.startsWith(`${place}/`)));
    const marked = variables.map((variable) => {
      const key = `${place}/${variable.name}`;
      const previous = before.get(key);
      after.set(key, variable.value);
      return isSameStop || previous === undefined || withoutNumbers(previous) === withoutNumbers(variable.value)
        ? variable
        : {
            ...variable,
            changed: true,
            previous: pairedNumbers([variable, { value: previous }])[1]?.value ?? previous,
          };
    });
    if (isAside) return marked;
    // Functions left long ago need not be remembered.
    this.#shown = after.size > 2000 ? new Map([...after].slice(-1000)) : after;
    this.#shownStop = stop;
    return marked;
  }
}

/** The function's own: its variables, and those of the blocks in it, which stand before them. */
function ownScopes(scopes: readonly Scope[]): Scope[] {
  const last = scopes.findLastIndex((scope) => scope.kind === 'locals' || scope.kind === 'arguments');
  return scopes.filter(
    ({ kind }, index) => ['locals', 'arguments', 'block'].includes(kind) && (last < 0 || index <= last),
  );
}

function describe(stop: StopEvent, valuesLate: boolean, doubts: string | undefined): { description?: string } {
  const parts = [stop.description, doubts, valuesLate ? `no values within ${valuesMs / 1000} s` : undefined];
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? {} : { description: said.join(', ') };
}

/** The frames worth their place: the current one and the user's own callers; library frames only between those. */
function telling(frames: readonly StackFrame[]): StackFrame[] {
  return frames.filter((frame, index) => index === 0 || !frame.isLibrary);
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\w$]/.test(text[at - 1] ?? ' ') && !/[\w$]/.test(text[at + word.length] ?? ' ')) return true;
  }
  return false;
}

/** Imports as vite rewrites them. */
function isMadeByRunner(name: string): boolean {
  return name.startsWith('__vite_') || name.startsWith('__vi_');
}

function isCode(variable: Variable): boolean {
  return variable.type === 'function' || variable.type === 'class' || variable.type === 'module';
}

function hitView(id: string, breakpoints: readonly Breakpoint[]): StopView['breakpoints'] {
  const item = breakpoints.find((each) => each.id === id);
  if (item === undefined) return [];
  return [
    {
      id,
      type: item.type,
      file: item.file,
      line: item.line,
    },
  ];
}
