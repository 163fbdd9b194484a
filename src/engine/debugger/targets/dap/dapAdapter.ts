import type { AttachSpec, ExceptionBreakpointSpec, LaunchSpec } from '../../model.ts';
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
  launchArguments(spec: LaunchSpec): Record<string, unknown>;
  attachArguments(spec: AttachSpec): Record<string, unknown>;
  /** The filters of `setExceptionBreakpoints` for what the session asks for; absent: `uncaught`, `raised` and the like by name. */
  exceptionFilters?(specs: readonly ExceptionBreakpointSpec[], announced: readonly string[]): string[];
  /** Code that is not the user's own, where the adapter does not mark it. */
  isLibrary?(file: string): boolean;
  readonly quirks?: DapQuirks;
}

export type AdapterStart =
  | { kind: 'stdio'; command: string; args: readonly string[]; env?: NodeJS.ProcessEnv }
  /** Started by us, it then listens: the port is read from its output. */
  | { kind: 'listens'; command: string; args: readonly string[]; env?: NodeJS.ProcessEnv; portPattern: RegExp }
  /** Already there. */
  | { kind: 'tcp'; host: string; port: number };

export interface DapQuirks {
  /** `setVariable` answers in `result` instead of `value`. */
  setVariableAnswersResult?: boolean;
  /** The adapter's own hit conditions mean something else; conditions are then counted as they are written here. */
  hitConditionText?: (operator: string, count: number) => string;
}
