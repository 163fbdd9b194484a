import { readFile } from 'node:fs/promises';
import { Deferred } from '../../../../base/deferred.ts';
import { Emitter } from '../../../../base/emitter.ts';
import { errorMessage, ToolError } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/logger.ts';
import { suspendPolicies, type CompositeEvent, type JdwpEvent } from '../../../../protocol/jdwp/events.ts';
import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { ObjectValue } from '../../../../protocol/jdwp/packets.ts';
import { readArchiveMember } from '../../../workspace/archives.ts';
import type { Project } from '../../../workspace/project.ts';
import type {
  BreakpointBinding,
  BreakpointSetup,
  BreakpointStatistics,
  CodeUnit,
  DataBreakpointSpec,
  EvaluateRequest,
  ExceptionBreakpointSpec,
  ExceptionInfo,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
  ProcessNode,
  ReplacedCode,
  Scope,
  SetVariableRequest,
  StackSlice,
  StepKind,
  StopEvent,
  StopReason,
  ThreadInfo,
  ValueLimits,
  Variable,
  VariablePage,
  VariableRange,
} from '../../model.ts';
import { defaultValueLimits } from '../../model.ts';
import { lookAround } from '../../activity/lookAround.ts';
import type { ThreadActivity } from '../../activity/model.ts';
import type { TargetCapabilities } from '../../target.ts';
import type { Debuggee, DebuggeeEvent } from '../dap/debuggee.ts';
import { waitOf } from './activity.ts';
import { JvmBreakpoints, type Placed } from './breakpoints.ts';
import { CheckedCalls } from './checkedCalls.ts';
import { Classes } from './classes.ts';
import { Drawing } from './drawing.ts';
import { Evaluations, type EvaluationPlace } from './evaluation.ts';
import { ExceptionViews } from './exceptionView.ts';
import { JvmExceptions } from './exceptions.ts';
import { FieldWatches } from './fieldWatches.ts';
import { conditionMs, Hits } from './hits.ts';
import { Frames } from './frames.ts';
import { packageOf } from './names.ts';
import { redefine } from './redefinition.ts';
import { JavaSources } from './sources.ts';
import { Stepping } from './stepping.ts';

export const jvmCapabilities: TargetCapabilities = {
  conditions: true,
  hitConditions: true,
  logMessages: true,
  functionBreakpoints: true,
  exceptionBreakpoints: true,
  exceptionClasses: true,
  columnBreakpoints: false,
  dataBreakpoints: true,
  setVariable: true,
  readOnlyEvaluation: true,
  quietParts: true,
  detach: true,
};

export interface JvmStart {
  /** The class whose `main` is stopped at. */
  entryClass?: string;
  /** The class that is run. */
  mainClass?: string | undefined;
  /** Where the sources of the platform may be. */
  javaHome?: string | undefined;
}

/** Why a thread stands still, and what has to be done for it to go on. */
interface Standstill {
  release(): Promise<void>;
  isAll: boolean;
  exception?: ObjectValue;
  uncaught?: boolean;
}

/** One Java virtual machine, spoken to in its own debug protocol: there is no adapter in between, and nothing of ours inside. */
export class JvmDebuggee implements Debuggee {
  readonly process: ProcessNode;
  readonly capabilities = jvmCapabilities;
  readonly events: Emitter<DebuggeeEvent>;
  readonly #machine: JdwpMachine;
  readonly #start: JvmStart;
  readonly #classes: Classes;
  readonly #sources: JavaSources;
  readonly #drawing: Drawing;
  readonly #frames: Frames;
  readonly #stepping: Stepping;
  readonly #evaluations: Evaluations;
  readonly #breakpoints: JvmBreakpoints;
  readonly #fields: FieldWatches;
  readonly #hits: Hits;
  readonly #exceptions: JvmExceptions;
  readonly #views: ExceptionViews;
  readonly #checks: CheckedCalls;
  readonly #stops = new Map<number, Standstill>();
  readonly #paths = new Map<number, string>();
  readonly #logger: Logger;
  /** A machine that waits for us is let go once everything is set. */
  readonly #isSetUp = new Deferred<void>();
  #heard: Promise<void> = Promise.resolve();

  constructor(machine: JdwpMachine, process: ProcessNode, project: Project, start: JvmStart, logger: Logger) {
    this.#machine = machine;
    this.process = process;
    this.#start = start;
    this.#logger = logger;
    this.events = new Emitter<DebuggeeEvent>((error) => logger.error('A listener of a debuggee failed.', error));
    this.#classes = new Classes(machine);
    this.#sources = new JavaSources(project, this.#classes);
    this.#drawing = new Drawing(machine, this.#classes);
    this.#frames = new Frames(machine, this.#classes, this.#sources, () => start.javaHome);
    this.#stepping = new Stepping(machine, this.#classes, this.#sources);
    this.#evaluations = new Evaluations(machine, this.#classes, this.#drawing, this.#frames, this.#sources);
    this.#breakpoints = new JvmBreakpoints(machine, this.#classes, this.#sources, (binding) =>
      this.events.fire({ type: 'breakpoint', binding }),
    );
    this.#fields = new FieldWatches(machine, this.#classes, (text, place) => this.#evaluations.evaluate(text, place));
    this.#hits = new Hits(
      { machine, drawing: this.#drawing, evaluations: this.#evaluations, breakpoints: this.#breakpoints },
      this.#fields,
      (text, breakpointId) => this.events.fire({ type: 'output', chunk: { category: 'log', text, breakpointId } }),
    );
    this.#exceptions = new JvmExceptions(machine, this.#classes, this.#sources);
    this.#views = new ExceptionViews(machine, this.#classes, this.#drawing, (className, file) =>
      this.#sources.fileNamed(packageOf(className), file),
    );
    this.#checks = new CheckedCalls(machine, this.#classes, this.#drawing, this.#frames, this.#sources);
    machine.connection.listen((composite) => this.#receive(composite));
    void machine.connection.closed.then((reason) => this.events.fire({ type: 'closed', exit: { reason } }));
  }

  async start(setup: BreakpointSetup): Promise<void> {
    this.#sources.prepare();
    if (this.#start.entryClass !== undefined) await this.#breakpoints.stopAtEntry(this.#start.entryClass);
    if (this.#start.mainClass !== undefined && setup.exceptions.some(({ uncaught }) => uncaught))
      await this.#checks.begin(this.#start.mainClass);
    const bindings: BreakpointBinding[] = [];
    for (const [file, specs] of setup.lines) bindings.push(...(await this.setLineBreakpoints(file, specs)));
    bindings.push(...(await this.setFunctionBreakpoints(setup.functions)));
    bindings.push(...(await this.setExceptionBreakpoints(setup.exceptions)));
    for (const binding of bindings) this.events.fire({ type: 'breakpoint', binding });
    this.#isSetUp.resolve();
  }

  setLineBreakpoints(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return this.#breakpoints.setLines(file, specs);
  }

  setFunctionBreakpoints(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return this.#breakpoints.setFunctions(specs);
  }

  setExceptionBreakpoints(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return this.#exceptions.set(specs);
  }

  async watchData(spec: DataBreakpointSpec, frameId: string): Promise<BreakpointBinding> {
    const { threadId, index } = parseFrame(frameId);
    const frame = await this.#frames.at(threadId, index);
    if (frame === undefined) throw new ToolError('not_paused', 'That frame is gone.');
    const locals = (await this.#frames.locals(frame)) ?? [];
    const place = { threadId, frameIndex: index, readOnly: true, timeoutMs: conditionMs };
    this.#breakpoints.statisticsOf(spec.id).fileLoaded = true;
    return this.#fields.set(
      spec,
      place,
      locals.map(({ name }) => name),
    );
  }

  unwatchData(id: string): Promise<void> {
    return this.#fields.clear(id);
  }

  statistics(): Promise<BreakpointStatistics[]> {
    return Promise.resolve(this.#breakpoints.statistics());
  }

  async resume(threadId: string): Promise<void> {
    await this.#stepping.cancel();
    await this.#leave(Number(threadId), false);
  }

  async step(threadId: string, kind: StepKind): Promise<void> {
    await this.#stepping.begin(Number(threadId), kind);
    await this.#leave(Number(threadId), true);
  }

  /** The call of the frame is made once more: it is thrown away, and entered again from where it was called. */
  async restartFrame(frameId: string): Promise<void> {
    const { threadId, index } = parseFrame(frameId);
    const frame = await this.#frames.at(threadId, index);
    if (frame === undefined) throw new ToolError('not_paused', 'That frame is gone.');
    await this.#machine.popFrames(threadId, frame.frameId);
    this.#frames.forget();
    await this.step(String(threadId), 'into');
  }

  async replaceCode(units: readonly CodeUnit[]): Promise<ReplacedCode> {
    const replaced = await redefine(this.#machine, units);
    this.#classes.forget();
    this.#frames.forget();
    // The machine drops breakpoints with the code that they stand in.
    await this.#breakpoints.setAgain();
    return replaced;
  }

  async pause(): Promise<void> {
    if (this.#stops.size > 0) return;
    await this.#machine.suspendAll();
    const threadId = await this.#busiestThread();
    this.#stops.set(threadId, { isAll: true, release: () => this.#machine.resumeAll() });
    this.#tell(threadId, 'pause', [], true);
  }

  async activity(spanMs: number): Promise<ThreadActivity[]> {
    const limits = { ...defaultValueLimits, depth: 1, maxValueChars: 80 };
    const frames = async (threadId: string) => {
      this.#frames.forget();
      const { frames: shown, totalFrames = 0 } = await this.stack(threadId, 0, 200);
      return { frames: shown, totalFrames };
    };
    return lookAround(
      {
        logger: this.#logger,
        processId: this.process.id,
        hold: () => this.#machine.suspendAll(),
        release: () => this.#machine.resumeAll(),
        waitOf: (thread, shown) => waitOf(this.#machine, thread, shown),
        threads: () => this.threads(),
        frames,
        locals: (frameId) => this.#locals(frameId, limits),
      },
      spanMs,
    );
  }

  async threads(): Promise<ThreadInfo[]> {
    const ids = await this.#machine.allThreads();
    const all = await Promise.all(
      ids.map(async (id) => {
        try {
          const [name, { status, isSuspended }, group] = await Promise.all([
            this.#machine.threadName(id),
            this.#machine.threadStatus(id),
            this.#machine.threadGroup(id),
          ]);
          return { id: String(id), name, state: stateOf(status, isSuspended), processId: this.process.id, group };
        } catch (error) {
          // It ended while it was looked at.
          this.#logger.debug('A thread could not be looked at.', errorMessage(error));
          return undefined;
        }
      }),
    );
    const living = all.filter((each) => each !== undefined);
    const own = living.filter(({ group }) => group !== 'system' && group !== 'InnocuousThreadGroup');
    return own.length > 0 ? own : living;
  }

  async stack(threadId: string, start: number, count: number): Promise<StackSlice> {
    const all = await this.#frames.all(Number(threadId));
    const part = all.slice(start, start + count);
    const frames = await Promise.all(
      part.map((frame, offset) => this.#frames.shown(frame, Number(threadId), start + offset, this.process.id)),
    );
    return { frames, totalFrames: all.length };
  }

  async scopes(frameId: string): Promise<Scope[]> {
    const { threadId, index } = parseFrame(frameId);
    const frame = await this.#frames.at(threadId, index);
    if (frame === undefined) throw new ToolError('not_paused', 'That frame is gone.');
    return [
      { name: 'Locals', kind: 'locals', reference: `locals/${frameId}`, expensive: false },
      { name: 'Static', kind: 'module', reference: `static/${frame.location.classId}`, expensive: false },
    ];
  }

  async variables(reference: string, range: VariableRange, limits: ValueLimits): Promise<VariablePage> {
    const [kind = '', ...rest] = reference.split('/');
    if (kind === 'locals') return pageOf(await this.#locals(rest.join('/'), limits), range);
    if (kind === 'static') return pageOf(await this.#statics(Number(rest[0]), limits), range);
    const objectId = Number(reference.slice(1));
    const page = await this.#drawing.children(objectId, range, limits, this.#paths.get(objectId));
    for (const variable of page.variables) this.#rememberPath(variable);
    return page;
  }

  async evaluate(request: EvaluateRequest): Promise<Variable> {
    const value = await this.#evaluations.evaluate(request.expression, this.#placeOf(request));
    const variable = await this.#drawing.variable(request.expression, value, request.limits, request.expression);
    this.#rememberPath(variable);
    return variable;
  }

  async setVariable(request: SetVariableRequest): Promise<Variable> {
    const place = this.#placeOf({ ...request, readOnly: false });
    const value = await this.#evaluations.assign(request.path, request.valueExpression, place);
    return this.#drawing.variable(request.path, value, request.limits, request.path);
  }

  async exceptionInfo(threadId: string, limits: ValueLimits): Promise<ExceptionInfo | undefined> {
    const stop = this.#stops.get(Number(threadId));
    if (stop?.exception === undefined) return undefined;
    const facts = { exception: stop.exception, threadId: Number(threadId), uncaught: stop.uncaught === true };
    this.#evaluations.calling.add(facts.threadId);
    try {
      const info = await this.#views.info(facts, limits);
      return info.type === 'AssertionError' ? { ...info, details: this.#checks.of(facts.threadId) } : info;
    } finally {
      this.#evaluations.calling.delete(facts.threadId);
      this.#frames.forget();
    }
  }

  async sourceText(sourceReference: string): Promise<string> {
    const [archive = '', member = ''] = sourceReference.split('!/');
    return (await readArchiveMember(await readFile(archive), archive, member)).toString('utf8');
  }

  async detach(): Promise<void> {
    if (!this.#machine.connection.isClosed) await this.#machine.dispose().catch(() => undefined);
    this.dispose();
  }

  dispose(): void {
    this.#machine.connection.dispose();
  }

  /** What happens in a thread in which we call something is no stop; all else is looked at in the order it came. */
  #receive(composite: CompositeEvent): void {
    const threadId = threadOf(composite);
    if (threadId !== undefined && this.#evaluations.calling.has(threadId)) {
      void this.#handling(async () => {
        await this.#takePrepared(composite);
        await this.#release(composite.suspendPolicy, threadId);
      });
      return;
    }
    this.#heard = this.#heard.then(() => this.#handling(() => this.#hear(composite)));
  }

  async #handling(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#machine.connection.isClosed)
        this.#logger.error('An event of the Java virtual machine was not handled.', error);
    }
  }

  async #hear(composite: CompositeEvent): Promise<void> {
    const threadId = threadOf(composite);
    await this.#takePrepared(composite);
    if (threadId === undefined) return;
    if (composite.events.some(({ kind }) => kind === 'vmStart')) {
      await this.#isSetUp.promise;
      return this.#release(composite.suspendPolicy, threadId);
    }
    this.#frames.forget();
    for (const event of composite.events) await this.#checks.hear(event, threadId);
    const stop = await this.#decide(composite, threadId);
    if (stop === undefined) return this.#release(composite.suspendPolicy, threadId);
    await this.#stepping.cancel();
    await this.#checks.letGo(threadId);
    const isAll = stop.holdsAll;
    await this.#hold(threadId, composite.suspendPolicy, isAll, stop.exception, stop.uncaught);
    this.#tell(threadId, stop.reason, stop.breakpointIds, isAll, stop.extra);
  }

  async #takePrepared({ events }: CompositeEvent): Promise<void> {
    // Everyone who asked for it is told, and the class is one.
    const classIds = new Set(events.flatMap((event) => (event.kind === 'classPrepare' ? [event.classId] : [])));
    for (const classId of classIds) {
      await this.#breakpoints.prepared(classId);
      await this.#exceptions.prepared(classId);
      await this.#checks.prepared(classId);
    }
  }

  /** The threads that are to stand still do so; afterwards the way back is known. */
  async #hold(
    threadId: number,
    policy: number,
    isAll: boolean,
    exception?: ObjectValue,
    uncaught?: boolean,
  ): Promise<void> {
    const isPromoted = isAll && policy === suspendPolicies.thread;
    if (isPromoted) {
      await this.#machine.suspendAll();
      // Held twice, it could not be lent to an evaluation.
      await this.#machine.resumeThread(threadId);
    }
    this.#stops.set(threadId, {
      isAll,
      ...(exception === undefined ? {} : { exception, uncaught: uncaught === true }),
      release: () => (isAll ? this.#machine.resumeAll() : this.#machine.resumeThread(threadId)),
    });
  }

  async #decide(composite: CompositeEvent, threadId: number): Promise<StopDecision | undefined> {
    const hits: Placed[] = [];
    let thrown: Extract<JdwpEvent, { kind: 'exception' }> | undefined;
    let isStep = false;
    let field: string | undefined;
    for (const event of composite.events) {
      if (event.kind === 'breakpoint' || event.kind === 'fieldModification') {
        const hit = await this.#hits.judge(event, threadId);
        if (hit === undefined) continue;
        hits.push(hit.placed);
        field = hit.change ?? field;
      } else if (event.kind === 'singleStep') isStep = (await this.#stepping.isDone(event)) || isStep;
      else if (event.kind === 'exception') thrown ??= event;
    }
    const verdict = thrown === undefined ? undefined : await this.#verdict(thrown);
    if (thrown !== undefined && verdict !== undefined)
      return {
        reason: 'exception',
        breakpointIds: [verdict.spec.id],
        holdsAll: true,
        exception: thrown.exception,
        uncaught: verdict.uncaught,
        extra: verdict.mayBeHandled ? { mayBeHandled: true } : {},
      };
    if (hits.length === 0 && !isStep) return undefined;
    return {
      reason: reasonOf(hits),
      breakpointIds: hits.filter(({ isEntry }) => isEntry !== true).map(({ spec }) => spec.id),
      holdsAll: isStep || hits.some(({ spec }) => spec.suspendPolicy === 'all'),
      extra: field === undefined ? {} : { description: field },
    };
  }

  async #verdict(thrown: Extract<JdwpEvent, { kind: 'exception' }>) {
    const verdict = await this.#exceptions.judge(thrown);
    if (verdict?.spec.condition === undefined) return verdict;
    const also = new Map([
      ['exception', thrown.exception],
      ['$exception', thrown.exception],
    ]);
    const place = {
      threadId: thrown.threadId,
      frameIndex: 0,
      readOnly: verdict.spec.readOnly === true,
      timeoutMs: conditionMs,
      also,
    };
    return (await this.#evaluations.isTrue(verdict.spec.condition, place).catch(() => false)) ? verdict : undefined;
  }

  #tell(
    threadId: number,
    reason: StopReason,
    breakpointIds: readonly string[],
    isAll: boolean,
    extra: Partial<StopEvent> = {},
  ): void {
    this.events.fire({
      type: 'paused',
      stop: {
        threadId: String(threadId),
        processId: this.process.id,
        reason,
        breakpointIds,
        allThreadsPaused: isAll,
        ...extra,
      },
    });
  }

  async #leave(threadId: number, isStep: boolean): Promise<void> {
    this.#frames.forget();
    this.#paths.clear();
    const stop = this.#stops.get(threadId);
    this.#stops.delete(threadId);
    // A step is about this thread, and its program: whoever else stopped meanwhile goes on as well.
    const others = isStep ? [...this.#stops].filter(([, each]) => each.isAll) : [];
    for (const [other, each] of others) {
      this.#stops.delete(other);
      this.events.fire({ type: 'continued', threadId: String(other) });
      await each.release();
    }
    await (stop?.release() ?? this.#machine.resumeAll());
  }

  async #release(policy: number, threadId: number): Promise<void> {
    if (policy === suspendPolicies.all) await this.#machine.resumeAll();
    else if (policy === suspendPolicies.thread) await this.#machine.resumeThread(threadId);
  }

  /** The thread to look at after a pause: one that is in the user's code, if any. */
  async #busiestThread(): Promise<number> {
    const threads = await this.threads();
    const running = [...threads.filter((each) => each.state === 'paused'), ...threads];
    for (const { id } of running) {
      const frames = await this.#frames.all(Number(id)).catch(() => []);
      for (const { location } of frames) if (await this.#sources.isOwn(location.classId)) return Number(id);
    }
    return Number(running[0]?.id ?? 0);
  }

  async #locals(frameId: string, limits: ValueLimits): Promise<Variable[]> {
    const { threadId, index } = parseFrame(frameId);
    const frame = await this.#frames.at(threadId, index);
    if (frame === undefined) throw new ToolError('not_paused', 'That frame is gone.');
    const [locals, self] = await Promise.all([this.#frames.locals(frame), this.#frames.self(frame)]);
    const shown = await Promise.all([
      ...(locals ?? []).map(async ({ name, value, isArgument }) => ({
        ...(await this.#drawing.variable(name, value, limits, name)),
        ...(isArgument ? { kind: 'argument' as const } : {}),
      })),
      ...(self.objectId === 0 ? [] : [this.#drawing.variable('this', self, limits, 'this')]),
    ]);
    for (const variable of shown) this.#rememberPath(variable);
    return shown;
  }

  async #statics(classId: number, limits: ValueLimits): Promise<Variable[]> {
    const fields = (await this.#classes.declaredFields(classId)).filter(
      ({ isStatic, name }) => isStatic && !name.includes('$'),
    );
    if (fields.length === 0) return [];
    const values = await this.#machine.staticValues(
      classId,
      fields.map(({ fieldId }) => fieldId),
    );
    return Promise.all(
      fields.flatMap(({ name }, index) => {
        const value = values[index];
        return value === undefined ? [] : [this.#drawing.variable(name, value, limits, name)];
      }),
    );
  }

  #rememberPath({ reference, evaluateName }: Variable): void {
    if (reference !== undefined && evaluateName !== undefined)
      this.#paths.set(Number(reference.slice(1)), evaluateName);
  }

  #placeOf(request: { threadId: string; frameId?: string; readOnly: boolean; timeoutMs: number }): EvaluationPlace {
    const { threadId, index } =
      request.frameId === undefined ? { threadId: Number(request.threadId), index: 0 } : parseFrame(request.frameId);
    const exception = this.#stops.get(threadId)?.exception;
    const also =
      exception === undefined
        ? {}
        : {
            also: new Map([
              ['exception', exception],
              ['$exception', exception],
            ]),
          };
    return { threadId, frameIndex: index, readOnly: request.readOnly, timeoutMs: request.timeoutMs, ...also };
  }
}

interface StopDecision {
  reason: StopReason;
  breakpointIds: string[];
  holdsAll: boolean;
  exception?: ObjectValue;
  uncaught?: boolean;
  extra: Partial<StopEvent>;
}

function threadOf({ events }: CompositeEvent): number | undefined {
  for (const event of events) if ('threadId' in event) return event.threadId;
  return undefined;
}

function reasonOf(hits: readonly Placed[]): StopReason {
  if (hits.length === 0) return 'step';
  if (hits.every(({ isEntry }) => isEntry === true)) return 'entry';
  if (hits.every(({ isWatched }) => isWatched === true)) return 'data breakpoint';
  return hits.every(({ spec }) => 'functionName' in spec) ? 'function breakpoint' : 'breakpoint';
}

function stateOf(status: number, isSuspended: boolean): ThreadInfo['state'] {
  if (status === 3) return 'blocked';
  if (status === 2 || status === 4) return 'waiting';
  return isSuspended ? 'paused' : 'running';
}

function parseFrame(frameId: string): { threadId: number; index: number } {
  const [threadId = '', index = '0'] = frameId.split('/');
  return { threadId: Number(threadId), index: Number(index) };
}

function pageOf(all: readonly Variable[], { start, count, filter }: VariableRange): VariablePage {
  const wanted = filter?.toLowerCase();
  const matching = wanted === undefined ? all : all.filter(({ name }) => name.toLowerCase().includes(wanted));
  return { variables: matching.slice(start, start + count), total: matching.length };
}
