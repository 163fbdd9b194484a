/**
 * The plain data of debugging, the same for every language. Lines and columns are 1-based; paths are absolute and canonical;
 * ids are opaque strings made by whoever owns the thing. Nothing here knows a wire protocol.
 */

type Language = string;

export type SessionState = 'starting' | 'running' | 'paused' | 'ended';

export interface SourceLocation {
  /** Absolute path; undefined when the code has no file (generated, eval, native). */
  file?: string;
  line: number;
  column?: number;
}

type LaunchKind = 'program' | 'module' | 'test' | 'command';

/** What to start. Exactly one of `program`, `module` and `command` is set, as `kind` says; a test is one of the three already resolved. */
export interface LaunchSpec {
  language: Language;
  /** What people call it: the run configuration's name or the program's file name. */
  name: string;
  kind: LaunchKind;
  program?: string;
  /** For languages that run modules by name (`python -m x`). */
  module?: string;
  /** A whole command line (`npm run x`, `npx vitest run y`) that starts the runtime somewhere below it. */
  command?: readonly string[];
  args: readonly string[];
  cwd: string;
  /** Additions to the project's environment. */
  env: Readonly<Record<string, string>>;
  stopOnEntry: boolean;
  /** The interpreter or runtime when it is not the project's own. */
  runtime?: string;
  /** Arguments of the runtime itself, before the program. */
  runtimeArgs?: readonly string[];
  /** Globs of compiled files whose source maps are read before they load; told from the project when absent. */
  outFiles?: readonly string[];
  /** Whether frames of libraries are stepped over and hidden; true unless told. */
  justMyCode?: boolean;
  /** The program is a test run: what its runner catches counts as uncaught when the user's own code does not catch it. */
  isTest?: boolean;
  /** Nothing is set in the processes that it starts: they may join the session when they fail. */
  lateChildren?: boolean;
  /** The test that was asked for, when a runner is known to run it. */
  test?: { file: string; runner: string; name?: string };
  /** The program only starts the processes that matter; told which files it runs itself. */
  starterRuns?: ((path: string) => boolean) | undefined;
  /** The memory of a process that died, to look at in place of a run. */
  core?: string;
  /** What has to be compiled first. */
  build?: BuildStep;
  /** Adapter-specific settings from a launch configuration, passed on as they are. */
  extra?: Readonly<Record<string, unknown>>;
}

/** How a program is compiled for the debugger. */
export interface BuildStep {
  /** As a person would type it: `go build ./cmd/app`. */
  title: string;
  command: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** A folder of ours that holds what it makes; it goes when the session ends. */
  scratch?: string;
  /** What the compiler complained of, read from its output; paths are absolute. */
  problems(output: string): BuildProblem[];
}

export interface BuildProblem {
  file?: string;
  line?: number;
  column?: number;
  message: string;
}

export interface PathMapping {
  localRoot: string;
  remoteRoot: string;
}

/** What to attach to: a process of this machine, or a debug port. */
export interface AttachSpec {
  language: Language;
  name: string;
  pid?: number;
  host?: string;
  port?: number;
  pathMappings: readonly PathMapping[];
  cwd: string;
  extra?: Readonly<Record<string, unknown>>;
}

export type StopReason =
  | 'breakpoint'
  | 'step'
  | 'pause'
  | 'exception'
  | 'entry'
  | 'function breakpoint'
  | 'data breakpoint'
  | 'debugger statement';

export interface StopEvent {
  threadId: string;
  processId: string;
  reason: StopReason;
  /** Ids of our own breakpoints that were hit, in the order of the target's report. */
  breakpointIds: readonly string[];
  /** Whether every thread of the process stands still, or only this one. */
  allThreadsPaused: boolean;
  /** It stands still only because another thread has stopped. */
  isHeld?: boolean;
  /** Set when the target already knows it; otherwise ask `exceptionInfo`. */
  exception?: ExceptionInfo;
  /** What the engine itself says beyond the reason, if anything. */
  description?: string;
  /** An exception of which only the end of the program shows whether somebody handles it. */
  mayBeHandled?: boolean;
}

/** A compiled piece of a program: a class. */
export interface CodeUnit {
  name: string;
  bytes: Buffer;
}

export interface ReplacedCode {
  replaced: readonly string[];
  /** Not loaded yet: they will be as they are now. */
  later: readonly string[];
  /** Calls that are under way in code that was replaced; they end in the old one. */
  outdated: readonly { threadName: string; frameIndex: number; name: string }[];
}

export interface ExceptionInfo {
  /** Class or type name: `TypeError`, `AssertionError`, `ValueError`. */
  type: string;
  message: string;
  /** Whether the user's own code lets it pass; undefined when the engine cannot tell. */
  uncaught?: boolean;
  /** Fields of the exception worth seeing at once: actual, expected, code, cause. */
  details: readonly Variable[];
  /** The exception object, expandable like any value. */
  value?: Variable;
  /**
   * Where it was thrown when that is not the frame shown first (an assertion library, a native function); with the line itself when
   * that is in no file.
   */
  thrownAt?: SourceLocation & { code?: string };
  stackText?: string;
  /** Thrown was something that is no error: nothing prints where that was. */
  isPlainValue?: boolean;
  /** As the program printed it, where that is not just the message. */
  printed?: string;
  /** Where the two sides of a failed comparison differ, the first differences first. */
  differences?: readonly Difference[];
  /** Differences there are besides. */
  moreDifferences?: number;
  /** Its causes, and the members of a group of exceptions. */
  related?: readonly RelatedException[];
}

/** One place at which two values differ; a side that has nothing there is undefined. */
export interface Difference {
  /** As it is written behind the value: `.total`, `['lines'][1]`, ` line 7`; empty for the values themselves. */
  path: string;
  actual?: string;
  expected?: string;
  /** Where nothing says which side is the expected one. */
  left?: string;
  right?: string;
}

export interface RelatedException {
  /** `cause`: it was the reason; `context`: this was thrown while it was handled; `member`: one of a group. */
  relation: 'cause' | 'context' | 'member';
  type: string;
  message: string;
  /** What it carries beyond its message: `status = 404`. */
  fields?: readonly string[];
  /** Where in the user's own code it was thrown. */
  location?: SourceLocation;
  functionName?: string;
  /** The line itself, when it is in no file. */
  code?: string;
  /** 0 belongs to the exception itself, 1 to the first of those, and so on. */
  depth: number;
}

export interface StackFrame {
  /** Valid until the thread runs on. */
  id: string;
  index: number;
  /** The whole name the engine gives, for text: `OrderService.total`. */
  name: string;
  className?: string;
  methodName?: string;
  location?: SourceLocation;
  /** Code that is not the user's own: node_modules, the runtime, site-packages. */
  isLibrary: boolean;
  /** Names a source without a file, to be read with `sourceText`. */
  sourceReference?: string;
  /** Set on the first frame behind an asynchronous border; such frames have no variables. */
  asyncLabel?: string;
  /** Whether variables and evaluation are possible in it. */
  isLive: boolean;
}

export interface StackSlice {
  frames: StackFrame[];
  /** All frames there are; undefined when the engine cannot count them. */
  totalFrames?: number;
}

export interface Scope {
  name: string;
  kind: 'locals' | 'arguments' | 'block' | 'closure' | 'module' | 'globals' | 'registers' | 'other';
  reference: string;
  /** Expensive scopes (globals) are not opened unless asked for. */
  expensive: boolean;
}

/** One value, already rendered within limits. `reference` opens its children while the thread stays paused. */
export interface Variable {
  name: string;
  value: string;
  type: string;
  reference?: string;
  /** Elements of an array-like, when known. */
  indexedCount?: number;
  /** Named children, when known. */
  namedCount?: number;
  /** An expression that evaluates to it in its frame, for paths and watches. */
  evaluateName?: string;
  kind?: 'property' | 'getter' | 'internal' | 'method' | 'argument';
}

export interface VariablePage {
  variables: Variable[];
  /** Children there are in all, when known. */
  total?: number;
}

export interface VariableRange {
  /** 0-based index of the first child. */
  start: number;
  count: number;
  /** Only children whose name contains this, regardless of case. */
  filter?: string;
}

/** How much of a value one rendering may show. */
export interface ValueLimits {
  maxValueChars: number;
  maxStringChars: number;
  maxItems: number;
  depth: number;
}

export const defaultValueLimits: ValueLimits = { maxValueChars: 240, maxStringChars: 160, maxItems: 8, depth: 3 };

export type HitOperator = '==' | '>=' | '>' | '<' | '<=' | '%';

/** `5` stops at the fifth hit only, `>=5` from the fifth on, `%5` at every fifth. Only passes where the condition holds count. */
export interface HitCondition {
  operator: HitOperator;
  count: number;
}

export type SuspendPolicy = 'all' | 'thread' | 'none';

interface BreakpointBase {
  id: string;
  condition?: string;
  hitCondition?: HitCondition;
  /** `text {expression} text`; a breakpoint with a message and policy `none` never pauses. */
  logMessage?: string;
  suspendPolicy: SuspendPolicy;
  /** Condition and message may have no side effect: the engine's guard evaluates them. */
  readOnly?: boolean;
}

export interface LineBreakpointSpec extends BreakpointBase {
  file: string;
  line: number;
  column?: number;
}

export interface FunctionBreakpointSpec extends BreakpointBase {
  functionName: string;
}

/** Stops when a value changes; what the expression means was settled when it was set. */
export interface DataBreakpointSpec extends BreakpointBase {
  expression: string;
}

export interface ExceptionBreakpointSpec {
  id: string;
  /** A class or type name; absent: all. */
  exceptionClass?: string;
  caught: boolean;
  uncaught: boolean;
  /** Also what only a library (a test runner, a framework) catches. */
  userUnhandled: boolean;
  /** Also what a library caught and only reported, while the program goes on; where that can be noticed. */
  reported?: boolean;
  /** The caller follows the program to its end and sees there what was a failure: also stop at what may still be handled. */
  untilEnd?: boolean;
  condition?: string;
  /** As for other breakpoints. */
  readOnly?: boolean;
}

/** Everything that is to be set before the program runs its first line. Disabled breakpoints are not in it. */
export interface BreakpointSetup {
  lines: ReadonlyMap<string, readonly LineBreakpointSpec[]>;
  functions: readonly FunctionBreakpointSpec[];
  exceptions: readonly ExceptionBreakpointSpec[];
}

/** What became of a breakpoint in this target. `verified` only when the engine has bound it to code. */
export interface BreakpointBinding {
  breakpointId: string;
  verified: boolean;
  /** Where it really stands when bound, or will; it may have moved. */
  location?: SourceLocation;
  /** Not bound yet, but the source maps on disk say where in a compiled file it will be. */
  willBindAt?: SourceLocation;
  /** No process has loaded the file so far. */
  isPending?: boolean;
  /** Why it is not verified, or what is odd about it. */
  message?: string;
  /** Nearest lines that have code, when the asked one has none. */
  nearestLines?: readonly number[];
}

/** What a target knows of a breakpoint's life, for "never hit, and why". */
export interface BreakpointStatistics {
  breakpointId: string;
  /** Passes where the condition held (or there was none). */
  hits: number;
  conditionFalse: number;
  conditionErrors: number;
  lastConditionError?: string;
  /** Whether any process of the session ever loaded the file. */
  fileLoaded: boolean;
  /** The engine counts nothing: `hits` are stops and messages that were seen, and a condition that was false leaves no trace. */
  countsStopsOnly?: boolean;
}

type ThreadState = 'running' | 'paused' | 'waiting' | 'blocked';

export interface ThreadInfo {
  id: string;
  name: string;
  state: ThreadState;
  processId: string;
  group?: string;
}

export interface ProcessNode {
  id: string;
  /** Absent when the engine does not tell (a remote one). */
  pid?: number;
  parentId?: string;
  kind: 'process' | 'worker';
  /** The command line or script, short. */
  title: string;
  exit?: ExitInfo;
}

export interface ExitInfo {
  code?: number;
  signal?: string;
  /** Why, when neither code nor signal tells: lost connection, detached. */
  reason?: string;
}

/** A debug adapter that ended by itself, and with it the session. */
export interface AdapterFall {
  /** What it is called: `gdb`, `dlv`. */
  adapter: string;
  /** How it ended: `SIGSEGV`, `exit code 127`. */
  how: string;
  /** What it wrote last. */
  lastWords: string;
}

/** `log`: of a log point. `handled`: an exception of the user's code that a library caught and reported. */
export type OutputCategory = 'stdout' | 'stderr' | 'log' | 'handled' | 'console';

export interface OutputChunk {
  category: OutputCategory;
  text: string;
  /** The breakpoint whose log message this is. */
  breakpointId?: string;
  /** After so many bytes of the standard output, which comes another way. */
  afterBytes?: number;
}

export type StepKind = 'over' | 'into' | 'out';

export interface EvaluateRequest {
  expression: string;
  threadId: string;
  /** Absent: global scope. */
  frameId?: string;
  purpose: 'repl' | 'watch' | 'hover';
  /** The engine must refuse anything with a side effect, where it can (`capabilities.readOnlyEvaluation`). */
  readOnly: boolean;
  timeoutMs: number;
  limits: ValueLimits;
  signal?: AbortSignal;
}

export interface SetVariableRequest {
  threadId: string;
  frameId: string;
  /** `total`, `order.items[2].qty`. */
  path: string;
  /** An expression in the program's language. */
  valueExpression: string;
  timeoutMs: number;
  limits: ValueLimits;
}
