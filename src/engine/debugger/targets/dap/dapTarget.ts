import { advise, step } from '../../../../base/text/advice.ts';
import { Emitter } from '../../../../base/emitter.ts';
import { errorMessage, ToolError } from '../../../../base/errors.ts';
import type {
  AttachSpec,
  BreakpointBinding,
  BreakpointSetup,
  BreakpointStatistics,
  CodeUnit,
  DataBreakpointSpec,
  EvaluateRequest,
  ExceptionBreakpointSpec,
  ExceptionInfo,
  ExitInfo,
  FunctionBreakpointSpec,
  LaunchSpec,
  LineBreakpointSpec,
  ProcessNode,
  ReplacedCode,
  Scope,
  SetVariableRequest,
  StackSlice,
  StepKind,
  ThreadInfo,
  ValueLimits,
  Variable,
  VariablePage,
  VariableRange,
} from '../../model.ts';
import type { ThreadActivity } from '../../activity/model.ts';
import type { Target, TargetCapabilities, TargetContext, TargetEvent } from '../../target.ts';
import type { BackendHost, DapBackend, Debuggee, DebuggeeEvent } from './debuggee.ts';
import { globalId, localId, qualifyVariable } from './ids.ts';
import { joinBindings, joinStatistics } from './joining.ts';

/** A tree of debugged processes behind one `Target`: breakpoints go to all of them, ids say which one is meant. */
export class DapTarget implements Target {
  readonly language: string;
  readonly events: Emitter<TargetEvent>;
  readonly #backend: DapBackend;
  readonly #context: TargetContext;
  readonly #debuggees = new Map<string, Debuggee>();
  /** Also those that are gone: a session lists what there was, and their counts still tell why nothing was hit. */
  readonly #processes = new Map<string, ProcessNode>();
  readonly #pastStatistics: BreakpointStatistics[] = [];
  #lines = new Map<string, readonly LineBreakpointSpec[]>();
  #functions: readonly FunctionBreakpointSpec[] = [];
  #exceptions: readonly ExceptionBreakpointSpec[] = [];
  #capabilities: TargetCapabilities;
  #rootExit: ExitInfo | undefined;
  #ended = false;
  #detaching = false;
  #heard: Promise<void> = Promise.resolve();

  constructor(language: string, backend: DapBackend, context: TargetContext) {
    this.language = language;
    this.#backend = backend;
    this.#context = context;
    this.#capabilities = backend.capabilities;
    this.events = new Emitter<TargetEvent>((error) =>
      context.logger.error('A listener of the debugger failed.', error),
    );
  }

  get capabilities(): TargetCapabilities {
    // An adapter tells only when it has begun.
    const dataBreakpoints = [...this.#debuggees.values()].some((each) => each.capabilities.dataBreakpoints === true);
    return { ...this.#capabilities, dataBreakpoints };
  }

  async launch(spec: LaunchSpec, setup: BreakpointSetup, signal?: AbortSignal): Promise<void> {
    this.#remember(setup);
    await this.#backend.launch(spec, this.#host(), signal);
  }

  async attach(spec: AttachSpec, setup: BreakpointSetup, signal?: AbortSignal): Promise<void> {
    this.#remember(setup);
    await this.#backend.attach(spec, this.#host(), signal);
  }

  async setLineBreakpoints(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    if (specs.length === 0) this.#lines.delete(file);
    else this.#lines.set(file, specs);
    return this.#inAll(specs, (debuggee) => debuggee.setLineBreakpoints(file, specs));
  }

  async setFunctionBreakpoints(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    this.#functions = specs;
    return this.#inAll(specs, (debuggee) => debuggee.setFunctionBreakpoints(specs));
  }

  async setExceptionBreakpoints(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    this.#exceptions = specs;
    return this.#inAll(specs, (debuggee) => debuggee.setExceptionBreakpoints(specs));
  }

  async watchData(spec: DataBreakpointSpec, frameId: string): Promise<BreakpointBinding> {
    const { debuggee, id } = this.#find(frameId);
    const binding = await debuggee.watchData?.(spec, id);
    return binding ?? { breakpointId: spec.id, verified: false, message: 'its debugger cannot watch values' };
  }

  async unwatchData(id: string): Promise<void> {
    for (const debuggee of this.#debuggees.values()) await debuggee.unwatchData?.(id);
  }

  async breakpointStatistics(): Promise<BreakpointStatistics[]> {
    const present = await Promise.all([...this.#debuggees.values()].map((debuggee) => debuggee.statistics()));
    return joinStatistics([this.#pastStatistics, ...present]);
  }

  resume(threadId: string): Promise<void> {
    const { debuggee, id } = this.#find(threadId);
    return debuggee.resume(id);
  }

  step(threadId: string, kind: StepKind): Promise<void> {
    const { debuggee, id } = this.#find(threadId);
    return debuggee.step(id, kind);
  }

  canJump(): boolean {
    return [...this.#debuggees.values()].some((debuggee) => debuggee.jump !== undefined);
  }

  async jump(threadId: string, file: string, line: number): Promise<void> {
    const { debuggee, id } = this.#find(threadId);
    if (debuggee.jump === undefined) throw new ToolError('unsupported', 'Its debugger cannot jump.');
    await debuggee.jump(id, file, line);
  }

  canRestartFrame(): boolean {
    return [...this.#debuggees.values()].some((debuggee) => debuggee.restartFrame !== undefined);
  }

  async restartFrame(_threadId: string, frameId: string): Promise<void> {
    const { debuggee, id } = this.#find(frameId);
    if (debuggee.restartFrame === undefined) throw new ToolError('unsupported', 'Its debugger cannot restart a frame.');
    await debuggee.restartFrame(id);
  }

  canReplaceCode(): boolean {
    return [...this.#debuggees.values()].some((debuggee) => debuggee.replaceCode !== undefined);
  }

  async replaceCode(units: readonly CodeUnit[]): Promise<ReplacedCode> {
    const [debuggee] = [...this.#debuggees.values()].filter((each) => each.replaceCode !== undefined);
    if (debuggee?.replaceCode === undefined) throw new ToolError('unsupported', 'Its debugger cannot replace code.');
    return debuggee.replaceCode(units);
  }

  async pause(threadId?: string): Promise<void> {
    if (threadId !== undefined) {
      const { debuggee, id } = this.#find(threadId);
      return debuggee.pause(id);
    }
    await Promise.all([...this.#debuggees.values()].map((debuggee) => debuggee.pause()));
  }

  async activity(spanMs: number): Promise<ThreadActivity[]> {
    const lists = await Promise.all(
      [...this.#debuggees.values()].map(async (debuggee) => {
        const prefix = debuggee.process.id;
        const threads = (await debuggee.activity?.(spanMs)) ?? [];
        return threads.map((thread) => ({
          ...thread,
          threadId: globalId(prefix, thread.threadId),
          ...(thread.waitsFor?.threadId === undefined
            ? {}
            : { waitsFor: { ...thread.waitsFor, threadId: globalId(prefix, thread.waitsFor.threadId) } }),
        }));
      }),
    );
    return lists.flat();
  }

  processes(): ProcessNode[] {
    return [...this.#processes.values()];
  }

  async threads(): Promise<ThreadInfo[]> {
    const lists = await Promise.all(
      [...this.#debuggees.values()].map(async (debuggee) =>
        (await debuggee.threads()).map((thread) => ({ ...thread, id: globalId(debuggee.process.id, thread.id) })),
      ),
    );
    return lists.flat();
  }

  async stack(threadId: string, start: number, count: number): Promise<StackSlice> {
    const { debuggee, id } = this.#find(threadId);
    const slice = await debuggee.stack(id, start, count);
    const prefix = debuggee.process.id;
    return { ...slice, frames: slice.frames.map((frame) => ({ ...frame, id: globalId(prefix, frame.id) })) };
  }

  async scopes(frameId: string): Promise<Scope[]> {
    const { debuggee, id } = this.#find(frameId);
    const scopes = await debuggee.scopes(id);
    return scopes.map((scope) => ({ ...scope, reference: globalId(debuggee.process.id, scope.reference) }));
  }

  async variables(reference: string, range: VariableRange, limits: ValueLimits): Promise<VariablePage> {
    const { debuggee, id } = this.#find(reference);
    const page = await debuggee.variables(id, range, limits);
    return { ...page, variables: page.variables.map((each) => qualifyVariable(debuggee.process.id, each)) };
  }

  async evaluate(request: EvaluateRequest): Promise<Variable> {
    const { debuggee, id } = this.#find(request.threadId);
    const frame = request.frameId === undefined ? {} : { frameId: localId(request.frameId).id };
    return qualifyVariable(debuggee.process.id, await debuggee.evaluate({ ...request, threadId: id, ...frame }));
  }

  async setVariable(request: SetVariableRequest): Promise<Variable> {
    const { debuggee, id } = this.#find(request.threadId);
    const changed = await debuggee.setVariable({ ...request, threadId: id, frameId: localId(request.frameId).id });
    return qualifyVariable(debuggee.process.id, changed);
  }

  async exceptionInfo(threadId: string, limits: ValueLimits): Promise<ExceptionInfo | undefined> {
    const { debuggee, id } = this.#find(threadId);
    const info = await debuggee.exceptionInfo(id, limits);
    return info && qualifyException(debuggee.process.id, info);
  }

  sourceText(sourceReference: string): Promise<string> {
    const { debuggee, id } = this.#find(sourceReference);
    return debuggee.sourceText(id);
  }

  writeInput(text: string): Promise<void> {
    return this.#backend.writeInput(text);
  }

  async terminate(): Promise<void> {
    await this.#backend.terminate();
    this.#end(this.#rootExit ?? { reason: 'ended by the debugger' });
  }

  async detach(): Promise<void> {
    this.#detaching = true;
    await Promise.all([...this.#debuggees.values()].map((debuggee) => debuggee.detach()));
    await this.#backend.detach();
    this.#end({ reason: 'detached' });
  }

  async dispose(): Promise<void> {
    if (!this.#detaching) await this.#backend.dispose();
    this.events.dispose();
  }

  #remember(setup: BreakpointSetup): void {
    this.#lines = new Map(setup.lines);
    this.#functions = setup.functions;
    this.#exceptions = setup.exceptions;
  }

  #host(): BackendHost {
    return {
      ...this.#context,
      adopt: (debuggee) => this.#adopt(debuggee),
      output: (chunk) => this.events.fire({ type: 'output', chunk }),
      adapterFell: (fall) => this.events.fire({ type: 'adapterFell', fall }),
      rootExited: (exit) => {
        this.#rootExit = exit;
        this.#endWhenEmpty();
      },
    };
  }

  async #adopt(debuggee: Debuggee): Promise<void> {
    const { process } = debuggee;
    this.#debuggees.set(process.id, debuggee);
    this.#processes.set(process.id, process);
    this.#capabilities = debuggee.capabilities;
    debuggee.events.on((event) => {
      if (event.type === 'breakpoint') return this.events.fire(event);
      // One after the other, because a stop waits for output and nothing may overtake it.
      this.#heard = this.#heard
        .then(() => this.#hear(debuggee, event))
        .catch((error: unknown) => {
          this.#context.logger.error('An event of the debuggee could not be handled.', error);
        });
    });
    this.events.fire({ type: 'processStarted', process });
    const setup = { lines: this.#lines, functions: this.#functions, exceptions: this.#exceptions };
    await debuggee.start(setup);
  }

  async #hear(debuggee: Debuggee, event: Exclude<DebuggeeEvent, { type: 'breakpoint' }>): Promise<void> {
    const prefix = debuggee.process.id;
    switch (event.type) {
      case 'paused': {
        // The program wrote before it stopped, but by another way: what it wrote must be told first.
        await this.#backend.drainOutput();
        const { exception } = event.stop;
        this.events.fire({
          type: 'paused',
          stop: {
            ...event.stop,
            threadId: globalId(prefix, event.stop.threadId),
            ...(exception === undefined ? {} : { exception: qualifyException(prefix, exception) }),
          },
        });
        break;
      }
      case 'continued':
        this.events.fire({ type: 'continued', threadId: globalId(prefix, event.threadId) });
        break;
      case 'closed':
        await this.#close(debuggee, event.exit);
        break;
      case 'output':
        this.events.fire(event);
        break;
    }
  }

  async #close(debuggee: Debuggee, exit: ExitInfo): Promise<void> {
    this.#pastStatistics.push(...(await debuggee.statistics()));
    this.#debuggees.delete(debuggee.process.id);
    const process: ProcessNode = { ...debuggee.process, exit };
    this.#processes.set(process.id, process);
    this.events.fire({ type: 'processExited', process });
    this.#endWhenEmpty();
  }

  #endWhenEmpty(): void {
    if (this.#rootExit !== undefined && this.#debuggees.size === 0) this.#end(this.#rootExit);
  }

  #end(exit: ExitInfo): void {
    if (this.#ended) return;
    this.#ended = true;
    this.events.fire({ type: 'ended', exit });
  }

  #find(id: string): { debuggee: Debuggee; id: string } {
    const local = localId(id);
    const debuggee = this.#debuggees.get(local.processId);
    if (debuggee === undefined)
      throw new ToolError('not_paused', 'That process has ended or has run on.', {
        hint: advise`${step('getStackTrace')} shows where the program stands now.`,
      });
    return { debuggee, id: local.id };
  }

  async #inAll(
    specs: readonly { id: string }[],
    set: (debuggee: Debuggee) => Promise<BreakpointBinding[]>,
  ): Promise<BreakpointBinding[]> {
    const bindings = await Promise.all(
      [...this.#debuggees.values()].map(async (debuggee) => {
        try {
          return await set(debuggee);
        } catch (error) {
          if (this.#debuggees.has(debuggee.process.id)) throw error;
          this.#context.logger.debug('A process ended while its breakpoints were set.', errorMessage(error));
          return [];
        }
      }),
    );
    return joinBindings(specs, bindings);
  }
}

function qualifyException(prefix: string, info: ExceptionInfo): ExceptionInfo {
  return {
    ...info,
    details: info.details.map((each) => qualifyVariable(prefix, each)),
    ...(info.value === undefined ? {} : { value: qualifyVariable(prefix, info.value) }),
  };
}
