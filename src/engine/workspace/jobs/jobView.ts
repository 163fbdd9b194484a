import type { ProcessExit } from '../../../base/processes.ts';
import type { RecordedRun } from '../localHistory/workingTree.ts';
import type { JobOutput } from './jobOutput.ts';
import type { OutputLog } from './outputLog.ts';

/** `lost`: it ran when the process that had started it ended, and ended with it. */
export type JobState = 'running' | 'exited' | 'stopped' | 'lost';

/** What can be told of a job, whether it runs, has ended, or was started by an earlier process. */
export interface JobView {
  readonly id: string;
  readonly name: string;
  /** The command line as one would type it, cut when it is long. */
  readonly shownCommand: string;
  /** The name says it already. */
  readonly isNamedByCommand: boolean;
  readonly state: JobState;
  readonly startedAt: Date;
  /** Absent when nobody saw its end. */
  readonly durationMs: number | undefined;
  readonly exit: ProcessExit | undefined;
  /** It was ended because it took longer than its caller allowed. */
  readonly timedOut: boolean;
  readonly output: JobOutput;
  /** All of the output, as far as the disk keeps it. */
  readonly log: OutputLog;
  /** Processes that it started and that live on after its end. */
  readonly leftBehind: readonly number[];
  /** What it changed in the project, known some time after its end; absent where nobody looks. */
  readonly recorded: Promise<RecordedRun> | undefined;
}
