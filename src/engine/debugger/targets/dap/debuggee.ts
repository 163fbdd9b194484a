import type { AsyncDisposer } from '../../../../base/disposable.ts';
import type { Emitter } from '../../../../base/emitter.ts';
import type {
  AdapterFall,
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
  OutputChunk,
  ProcessNode,
  ReplacedCode,
  Scope,
  SetVariableRequest,
  StackSlice,
  StepKind,
  StopEvent,
  ThreadInfo,
  ValueLimits,
  Variable,
  VariablePage,
  VariableRange,
} from '../../model.ts';
import type { ThreadActivity } from '../../activity/model.ts';
import type { TargetCapabilities, TargetContext } from '../../target.ts';

/**
 * One process being debugged over one connection. A `DapTarget` is a tree of these. Ids of threads, frames and references are
 * the debuggee's own; the target makes them unique across the tree.
 */
export interface Debuggee extends AsyncDisposer {
  readonly process: ProcessNode;
  readonly capabilities: TargetCapabilities;
  readonly events: Emitter<DebuggeeEvent>;

  /** Puts the breakpoints in force, tells what became of each as an event, and lets the program run. */
  start(setup: BreakpointSetup): Promise<void>;
  setLineBreakpoints(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]>;
  setFunctionBreakpoints(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]>;
  setExceptionBreakpoints(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]>;
  /** As `Target` has them. */
  watchData?(spec: DataBreakpointSpec, frameId: string): Promise<BreakpointBinding>;
  unwatchData?(id: string): Promise<void>;
  /** What is known of the breakpoints; after the end, what was known last. */
  statistics(): Promise<BreakpointStatistics[]>;

  resume(threadId: string): Promise<void>;
  step(threadId: string, kind: StepKind): Promise<void>;
  /** As `Target` has it. */
  jump?(threadId: string, file: string, line: number): Promise<void>;
  restartFrame?(frameId: string): Promise<void>;
  replaceCode?(units: readonly CodeUnit[]): Promise<ReplacedCode>;
  pause(threadId?: string): Promise<void>;
  /** As `Target` has it, for this process. */
  activity?(spanMs: number): Promise<ThreadActivity[]>;

  threads(): Promise<ThreadInfo[]>;
  stack(threadId: string, start: number, count: number): Promise<StackSlice>;
  scopes(frameId: string): Promise<Scope[]>;
  variables(reference: string, range: VariableRange, limits: ValueLimits): Promise<VariablePage>;
  evaluate(request: EvaluateRequest): Promise<Variable>;
  setVariable(request: SetVariableRequest): Promise<Variable>;
  exceptionInfo(threadId: string, limits: ValueLimits): Promise<ExceptionInfo | undefined>;
  sourceText(sourceReference: string): Promise<string>;

  /** Lets go without ending the program. */
  detach(): Promise<void>;
}

export type DebuggeeEvent =
  | { type: 'paused'; stop: StopEvent }
  | { type: 'continued'; threadId: string }
  | { type: 'output'; chunk: OutputChunk }
  | { type: 'breakpoint'; binding: BreakpointBinding }
  /** The connection is over; the process may live on a moment. */
  | { type: 'closed'; exit: ExitInfo };

/** How one language starts or reaches its programs. It hands each process over as it appears. */
export interface DapBackend extends AsyncDisposer {
  /** What can be counted on before a process has connected. */
  readonly capabilities: TargetCapabilities;
  launch(spec: LaunchSpec, host: BackendHost, signal?: AbortSignal): Promise<void>;
  attach(spec: AttachSpec, host: BackendHost, signal?: AbortSignal): Promise<void>;
  writeInput(text: string): Promise<void>;
  /** Waits until what the program has already written is here. */
  drainOutput(): Promise<void>;
  terminate(): Promise<void>;
  /** After every debuggee has been detached: stop managing what is left. */
  detach(): Promise<void>;
}

export interface BackendHost extends TargetContext {
  /** A process has connected: it gets its breakpoints and is let go. */
  adopt(debuggee: Debuggee): Promise<void>;
  output(chunk: OutputChunk): void;
  adapterFell(fall: AdapterFall): void;
  /** The root program is over. */
  rootExited(exit: ExitInfo): void;
}
