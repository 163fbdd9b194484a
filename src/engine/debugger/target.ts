import type { AsyncDisposer } from '../../base/disposable.ts';
import type { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { Project } from '../workspace/project.ts';
import type { Recorder } from './ask/recorder.ts';
import type { ThreadActivity } from './activity/model.ts';
import type {
  AdapterFall,
  AttachSpec,
  BreakpointBinding,
  BreakpointSetup,
  BreakpointStatistics,
  BuildStep,
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
} from './model.ts';

/**
 * What a debugger can do with a running program, whatever speaks to it: V8 over CDP, or a DAP adapter. One target is one
 * session's whole tree of processes. A target keeps no policy: which breakpoints exist, what is shown and what is allowed
 * is decided by the session above it.
 */
export interface Target extends AsyncDisposer {
  readonly language: string;
  /** Known once `launch` or `attach` has answered. */
  readonly capabilities: TargetCapabilities;
  readonly events: Emitter<TargetEvent>;

  /**
   * Starts the program with `setup` in force before its first line. Answers once the program has been let go (or stands at its
   * entry when asked to stop there: the `paused` event follows). Throws `launch_failed` naming the cause, `engine_missing`
   * with the way to install it.
   */
  launch(spec: LaunchSpec, setup: BreakpointSetup, signal?: AbortSignal): Promise<void>;
  attach(spec: AttachSpec, setup: BreakpointSetup, signal?: AbortSignal): Promise<void>;

  /** Replaces all line breakpoints of one file, in every process. Later bindings arrive as `breakpoint` events. */
  setLineBreakpoints(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]>;
  setFunctionBreakpoints(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]>;
  setExceptionBreakpoints(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]>;
  /**
   * Stops when the value changes that the expression means in a frame of a paused thread. It belongs to this run. Where the engine can
   * (`capabilities.dataBreakpoints`); one that cannot be watched is not verified, with the reason.
   */
  watchData?(spec: DataBreakpointSpec, frameId: string): Promise<BreakpointBinding>;
  unwatchData?(id: string): Promise<void>;
  /** Counts so far; asked again when the program ends. */
  breakpointStatistics(): Promise<BreakpointStatistics[]>;

  resume(threadId: string): Promise<void>;
  step(threadId: string, kind: StepKind): Promise<void>;
  /** Begins the call of a frame anew, where the engine can. the `paused` event follows. */
  restartFrame?(threadId: string, frameId: string): Promise<void>;
  /** Whether it can, where that is known of a running program only. */
  canRestartFrame?(): boolean;
  /** Makes a line of the top frame's function the next one, without running what is between, where the engine can. */
  jump?(threadId: string, file: string, line: number): Promise<void>;
  /** Whether it can, where that is known of a running program only. */
  canJump?(): boolean;
  /** Gives the program new code for what it has loaded, where the engine can: all of it, or none. */
  replaceCode?(units: readonly CodeUnit[]): Promise<ReplacedCode>;
  /** Whether it can, where that is known of a running program only. */
  canReplaceCode?(): boolean;
  /** All threads when none is named. the `paused` event follows. */
  pause(threadId?: string): Promise<void>;
  /** What the threads that run do, told from looking at them for about `spanMs`; they go on as if nothing had been. */
  activity?(spanMs: number): Promise<ThreadActivity[]>;

  processes(): ProcessNode[];
  threads(): Promise<ThreadInfo[]>;
  stack(threadId: string, start: number, count: number): Promise<StackSlice>;
  scopes(frameId: string): Promise<Scope[]>;
  /** The children of a scope or value. */
  variables(reference: string, range: VariableRange, limits: ValueLimits): Promise<VariablePage>;
  /** Throws `evaluation_error` with the program's own words; the session stays as it was. */
  evaluate(request: EvaluateRequest): Promise<Variable>;
  setVariable(request: SetVariableRequest): Promise<Variable>;
  /** What makes the place of a frame doubtful: compiled code that is older than its source. */
  doubtsAbout?(frameId: string): Promise<string | undefined>;
  exceptionInfo(threadId: string, limits: ValueLimits): Promise<ExceptionInfo | undefined>;
  /** The text of a source that has no file. */
  sourceText(sourceReference: string): Promise<string>;

  writeInput(text: string): Promise<void>;
  /** Ends the program and all it started; answers when they are gone. */
  terminate(): Promise<void>;
  /** Lets go and leaves the program running. */
  detach(): Promise<void>;
}

export interface TargetCapabilities {
  conditions: boolean;
  hitConditions: boolean;
  logMessages: boolean;
  functionBreakpoints: boolean;
  exceptionBreakpoints: boolean;
  /** Exception breakpoints can name a class. */
  exceptionClasses: boolean;
  columnBreakpoints: boolean;
  /** It can stop when a value changes. */
  dataBreakpoints?: boolean;
  setVariable: boolean;
  /** Evaluation that the engine itself keeps free of side effects. */
  readOnlyEvaluation: boolean;
  /** Reading the parts of a value runs nothing of the program (properties of Python, summaries of others may). */
  quietParts?: boolean;
  detach: boolean;
}

export type TargetEvent =
  | { type: 'paused'; stop: StopEvent }
  /** Something let the thread run that was not our `resume` or `step` (an evaluation, another client). */
  | { type: 'continued'; threadId: string }
  | { type: 'output'; chunk: OutputChunk }
  | { type: 'breakpoint'; binding: BreakpointBinding }
  | { type: 'processStarted'; process: ProcessNode }
  | { type: 'processExited'; process: ProcessNode }
  /** What speaks to the program has ended by itself; the end of the target follows. */
  | { type: 'adapterFell'; fall: AdapterFall }
  /** The whole target is over; nothing follows. */
  | { type: 'ended'; exit: ExitInfo };

/** What every target is given when it is made. */
export interface TargetContext {
  project: Project;
  logger: Logger;
}

/**
 * One language as the debugger sees it: `adapters/<language>.ts` exports one of these. For a DAP language it is a few lines
 * around a `DapAdapter`; adding a language adds this file and one line in `adapters/index.ts`.
 */
export interface AdapterDescription {
  /** The name used in `language` parameters: `node`, `python`, `go`. */
  readonly language: string;
  /** Other names callers use: `javascript`, `typescript`. */
  readonly aliases: readonly string[];
  /** Told from a file, with the dot: `.js`. */
  readonly fileExtensions: readonly string[];
  /** Whether a program without such an extension is one of its: a folder of sources, a compiled file. */
  recognises?(path: string): boolean;
  /** Whether a process that runs this executable is one of its programs. */
  runsIn?(executable: string): boolean;
  /** Expressions can be evaluated while the program runs. */
  readonly evaluatesWhileRunning?: boolean;
  /** The program of a configuration that runs tests is what its tests are told by: a package, a file of tests. */
  readonly testsByProgram?: boolean;
  /** Its configurations are written for programs of other languages too, which those have better adapters for. */
  readonly yieldsToOthers?: boolean;
  /** Completes the launch of something that the language runs by a name (`python -m x`); absent where it has no such thing. */
  resolveModule?(request: ModuleRequest): Promise<LaunchSpec>;
  /** A new target, not started yet. */
  createTarget(context: TargetContext): Target;
  /**
   * How to run a test under the debugger: `test` is what the caller gave (a file, `file::name`, `file:line`). The runner is told
   * from the project. Throws a ToolError naming what is missing when it cannot be told.
   */
  resolveTest(test: TestRequest): Promise<LaunchSpec>;
  /** What can be told of a breakpoint before any program has loaded its file; never that it is verified. */
  forecast?(request: ForecastRequest): Promise<Omit<BreakpointBinding, 'breakpointId'> | undefined>;
  /** Completes an ad hoc launch: checks the file, chooses runtime arguments (`--import tsx`), the working directory. */
  resolveProgram(request: ProgramRequest): Promise<LaunchSpec>;
  /**
   * Says what is wrong with an expression before it is put into a breakpoint; undefined when nothing can be told.
   * Only syntax: it never runs anything.
   */
  expressionProblem?(expression: string): string | undefined;
  /** Why a program failed at a place where this engine cannot stop, told from what it printed last. */
  readonly explainEnd?: (output: string) => string | undefined;
  /** The names most like the one of the test that was to be run, when what was printed says that no test was. */
  readonly missingTest?: (spec: LaunchSpec, output: string) => string[] | undefined;
  /** The tests that failed, as their runner lists them; absent where each failure is seen as it happens. */
  readonly failedTests?: (output: string) => string[];
  /** Whether the runner of a test has printed its result. */
  readonly testsAreOver?: (spec: LaunchSpec, output: string) => boolean;
  /** Conditions and log messages can be evaluated under the engine's guard against side effects. */
  readonly guardsBreakpoints?: boolean;
  /** The expression as the language reads it, without comments and strings; what the rules about evaluation look at. */
  codeOf(expression: string): string;
  /** Extra patterns of the default block list in this language: process execution, files, network, reflection, environment. */
  readonly dangerousPatterns: readonly RegExp[];
  /** The lines of a function in a file, from its head to its end; undefined when it is not there. */
  functionLines?(lines: readonly string[], name: string): { start: number; end: number } | undefined;
  /** Compiles the sources of a started program anew, where what runs can be given the result. */
  recompile?(spec: LaunchSpec, project: Project): Promise<Recompilation>;
  /** Removes what it keeps between sessions. */
  dispose?(): Promise<void>;
  /** How its programs are recorded, where they can be. */
  readonly recorder?: Recorder;
}

export interface Recompilation {
  /** Absent when nothing is to be compiled. */
  build?: BuildStep;
  /** After the build: what is not as it was. */
  changed(): Promise<CodeUnit[]>;
  /** The program has it. */
  taken(): Promise<void>;
  dispose(): Promise<void>;
}

export interface ForecastRequest {
  project: Project;
  file: string;
  line: number;
  column?: number;
  /** Where the compiled files are, when the launch says so. */
  outFiles?: readonly string[];
}

export interface TestRequest {
  project: Project;
  test: string;
  args: readonly string[];
  cwd?: string;
  env: Readonly<Record<string, string>>;
  progress?: (message: string) => void;
}

export interface ModuleRequest extends Omit<TestRequest, 'test'> {
  module: string;
  stopOnEntry: boolean;
}

export interface ProgramRequest {
  project: Project;
  /** Absolute, inside the project, known to exist: a file, or a folder where the language runs those. */
  program: string;
  args: readonly string[];
  cwd?: string;
  env: Readonly<Record<string, string>>;
  stopOnEntry: boolean;
  /** The runtime and its arguments, when the caller names them. */
  runtime?: string;
  runtimeArgs?: readonly string[];
  progress?: (message: string) => void;
}
