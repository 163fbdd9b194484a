import type { LaunchSpec } from '../model.ts';
import type { Project } from '../../workspace/project.ts';
import type { RecorderOrders } from './model.ts';

/** A language whose programs can be recorded: how one is started so that a recorder runs inside it. */
export interface Recorder {
  /**
   * It watches the program from outside, by the engine's own instruments: calls and writes are noted, but no probes, no counts of lines, and
   * no variables where something was thrown.
   */
  readonly isOutside?: boolean;
  /**
   * The whole command line, with what the environment needs besides. `ordersFile` holds `orders` already. The recorder
   * is in every process that the program starts.
   */
  command(spec: LaunchSpec, context: RecorderContext): Promise<RecordedCommand>;
  /** What the program would have printed without a recorder in it, where that shows in it at all. */
  cleanOutput?(output: string): string;
}

export interface RecorderContext {
  project: Project;
  orders: RecorderOrders;
  ordersFile: string;
}

export interface RecordedCommand {
  command: string;
  args: readonly string[];
  /** Additions to the environment of the project and of the launch. */
  env: Readonly<Record<string, string>>;
  /** Called once the program is over: whoever watched it from outside writes what it noted, and goes. */
  end?: () => Promise<void>;
}
