import type {
  AttachSpec,
  ExceptionBreakpointSpec,
  ExceptionInfo,
  LaunchSpec,
  StackFrame,
  ThreadInfo,
  Variable,
} from '../../model.ts';
import type { TargetContext } from '../../target.ts';

/**
 * One debug adapter as data: how it is started, what its requests are given, and in what it differs from the protocol. A
 * further DAP language is one file with one of these and an `AdapterDescription` around it.
 */
export interface DapAdapter {
  /** What to call it in messages: `delve`, `lldb-dap`. */
  readonly name: string;
  readonly adapterId: string;
  /** How to reach it for a launch or an attach. */
  start(spec: LaunchSpec | AttachSpec, context: TargetContext): Promise<AdapterStart>;
  /** The request that begins a launch; some adapters start the program by themselves and are attached to. */
  readonly launchRequest?: 'launch' | 'attach';
  launchArguments(spec: LaunchSpec): Record<string, unknown> | Promise<Record<string, unknown>>;
  attachArguments(spec: AttachSpec): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** The filters of `setExceptionBreakpoints` for what the session asks for; absent: `uncaught`, `raised` and the like by name. */
  exceptionFilters?(specs: readonly ExceptionBreakpointSpec[], announced: readonly string[]): string[];
  /** Functions whose call means a failure, where the engine knows no exception for it. They stop as exceptions do. */
  failureFunctions?(spec: LaunchSpec | AttachSpec): readonly FailureFunction[];
  /** What an exception is, from what the engine says of it. */
  exception?(told: { id: string; description: string }): Pick<ExceptionInfo, 'type' | 'message'>;
  /** An expression for the message of an exception of which the engine tells none. */
  readonly exceptionMessage?: string;
  /**
   * The words in which the adapter is asked for an expression. Throws `evaluation_blocked` for what `readOnly` forbids: an adapter that
   * has this can be relied on for that.
   */
  expression?(expression: string, readOnly: boolean): string;
  /** Whether an expression runs functions of the program, which may have breakpoints that would stop it there. */
  callsProgram?(expression: string): boolean;
  /** Other words for an expression that the adapter refused with these; undefined when there are none. */
  rephrased?(expression: string, refusal: string): string | undefined;
  /** The message of a log point without what the adapter puts around it. */
  logMessage?(text: string): string;
  /** What a thread's name tells. */
  thread?(name: string): Pick<ThreadInfo, 'name'> & Partial<Pick<ThreadInfo, 'state' | 'group'>>;
  /** What a frame's name tells. */
  frame?(name: string): Partial<Pick<StackFrame, 'name' | 'className' | 'methodName'>>;
  /** A value as people of the language write it; undefined for what nobody has written. */
  variable?(variable: Variable): Variable | undefined;
  /** Parts of a value that stand for what the adapter has not loaded, and the expressions that load them. */
  unloaded?(value: string): readonly { text: string; expression: string }[];
  /** Code that is not the user's own, where the adapter does not mark it. */
  isLibrary?(file: string): boolean;
  readonly quirks?: DapQuirks;
}

export interface FailureFunction {
  name: string;
  /** What to call the failure: `test failure`, `panic`. */
  type: string;
  /** Callers, by the names of their frames, whose calls are no failure of their own. */
  unlessFrom?: RegExp;
  /** Finds the message, its first group, in what the program printed before; the last match counts. */
  message: RegExp;
  /** What of that is told, when not all of it. */
  said?: (printed: string) => string;
}

export type AdapterStart =
  | { kind: 'stdio'; command: string; args: readonly string[]; env?: NodeJS.ProcessEnv }
  /** Started by us, it then listens: the port is read from its output. */
  | { kind: 'listens'; command: string; args: readonly string[]; env?: NodeJS.ProcessEnv; portPattern: RegExp }
  /** Already there. */
  | { kind: 'tcp'; host: string; port: number };

interface DapQuirks {
  /**
   * Code of ours runs inside the adapter: it is told limits and what is read-only, counts the passes of breakpoints as they are meant here,
   * and gives the program its input.
   */
  hasOurCode?: boolean;
  /** A running program can be made to stand still for a moment and be let go, to look at what it does. */
  canBeHeld?: boolean;
  /** It can only let go of a program that stands still. */
  detachesPaused?: boolean;
  /** In the context `repl` it takes commands, not expressions. */
  replTakesCommands?: boolean;
  /** It stops at the program's entry whether asked to or not. */
  stopsAtEntry?: boolean;
  /** What the program prints, the adapter's process prints. */
  sharesOutput?: boolean;
  /** What it writes to its console is about itself, not about the program. */
  consoleIsChatter?: boolean;
  /** The program is a child of the adapter that reads the adapter's own input. */
  programReadsInput?: boolean;
  /** It announces data breakpoints, misses changes, and stops where nothing has changed (delve 1.27.2, measured). */
  watchesWrongly?: boolean;
  /** `setVariable` answers in `result` instead of `value`. */
  setVariableAnswersResult?: boolean;
  /** The adapter's own hit conditions mean something else; conditions are then counted as they are written here. */
  hitConditionText?: (operator: string, count: number) => string;
}
