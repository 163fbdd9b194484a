import type { RunCoverage } from '../coverage/keepCoverage.ts';
import type { CoverageArtifact } from '../coverage/model.ts';
import type { Project } from '../project.ts';

/** Tests as data: the one form in which every runner's tests, runs and failures are kept, compared and shown. */

/** Which test: the same in every run of it. */
export interface TestRef {
  /** Names of the suites or classes around it, outermost first. */
  suite: readonly string[];
  name: string;
  /** What a parametrised test was given, where the runner tells it apart from the name: `2-3` of `test_add[2-3]`. */
  parameters?: string;
  /** Absolute. */
  file?: string;
  /** Where the test is written, 1-based. */
  line?: number;
}

type TestStatus = 'passed' | 'failed' | 'skipped';

export interface TestFrame {
  file: string;
  line: number;
  column?: number;
  function?: string;
}

export interface TestFailure {
  /** The class of what was thrown. */
  type?: string;
  /** Without colours; as long as the runner made it. */
  message: string;
  expected?: string;
  actual?: string;
  /** How the two differ, line by line, as `- expected` and `+ actual`. */
  diff?: string;
  /** Innermost first; only frames of the user's own files. */
  frames: readonly TestFrame[];
  /** The innermost line of the user's own code, with its text. */
  place?: TestFrame & { text?: string };
}

export interface TestResult extends TestRef {
  status: TestStatus;
  durationMs?: number;
  /** Of a failed test; several when a runner goes on after the first (soft assertions, a hook besides). */
  failures?: readonly TestFailure[];
  /** Why it was skipped, where that is told. */
  reason?: string;
  /** What it printed, where the runner tells it apart. */
  output?: string;
  /** Times it was run again by the runner before this result. */
  retries?: number;
}

/** Why tests that were to be run have no result. */
export type NotRunReason = 'collection' | 'crash' | 'hook' | 'killed' | 'stopped' | 'unknown';

/** What went wrong besides a test: a file that cannot be loaded, a worker that died, an error that belongs to no test. */
export interface RunProblem {
  kind: 'collection' | 'crash' | 'hook' | 'unhandled' | 'configuration';
  file?: string;
  line?: number;
  message: string;
  frames?: readonly TestFrame[];
  /** What the file or worker printed last. */
  output?: string;
}

/**
 * What a reporter or a reader tells as it happens. `id` is the reporter's own name for a test within the run; events of the same
 * test carry the same. A test may end without having started, or be collected twice: the later word counts.
 */
export type TestEvent =
  | { type: 'runner'; runner: string; version?: string }
  /** A test that is to be run; the sum of these is the denominator. */
  | { type: 'collected'; id: string; test: TestRef }
  /** How many there are, from runners that tell a number and no names. */
  | { type: 'expected'; count: number }
  /** The files that will be run, from runners that know them before the tests in them. */
  | { type: 'files'; files: readonly string[] }
  | { type: 'fileCount'; count: number }
  | { type: 'fileStarted'; file: string }
  | { type: 'fileEnded'; file: string; durationMs?: number }
  | { type: 'started'; id: string; test: TestRef }
  | {
      type: 'ended';
      id: string;
      test: TestRef;
      status: TestStatus;
      durationMs?: number;
      failures?: readonly ReportedFailure[];
      reason?: string;
      output?: string;
      retries?: number;
    }
  /** It was no test after all, but a suite. */
  | { type: 'dropped'; id: string }
  /** It was to be run and will have no result: runners of several processes know which of them took it along. */
  | { type: 'lost'; id: string; reason: NotRunReason; why: string }
  | { type: 'problem'; problem: RunProblem & { stack?: string } }
  /** The filters of the run left this many tests out. */
  | { type: 'deselected'; count: number }
  /** Nothing was chosen: the names there are. */
  | { type: 'available'; names: readonly string[] }
  /** The runner came to its own end: what was collected and has no result will get none. `why` it ended before all were run. */
  | { type: 'over'; why?: string };

/** A failure as a reporter sends it: frames are read from the text of a stack where they are not told one by one. */
export interface ReportedFailure {
  type?: string;
  message: string;
  expected?: string;
  actual?: string;
  diff?: string;
  frames?: readonly TestFrame[];
  stack?: string;
}

/** A folder whose tests one runner runs in one go. */
export interface TestPackage {
  runner: string;
  /** Where the runner is started. */
  folder: string;
  /** Why this runner, in words that an answer can show. */
  reason: string;
}

/** Which tests of a package. Everything is undefined for all that the runner's own configuration names. */
export interface TestSelection {
  /** Files or folders, absolute. */
  files?: readonly string[];
  /** Exactly these. */
  tests?: readonly TestRef[];
  /** A name as somebody would say it: the whole name, its end, or a part of it. */
  name?: string;
  /** A regular expression, searched in the names of suites and test with single spaces between them. */
  pattern?: string;
}

export interface RunRequest {
  project: Project;
  package: TestPackage;
  selection: TestSelection;
  /** The file that events are to be written to, outside the project; it exists and is empty. */
  eventsFile: string;
  /** A folder for this run alone, outside the project; gone after it. */
  scratch: string;
  /** Finds a program of a language that the machine or the project has (`python`, `go`, …); its absolute path. */
  locate: (engineId: string) => Promise<string>;
  /** Also measure which lines run. */
  coverage?: boolean;
}

/** How a run is started and understood. */
export interface RunPlan {
  command: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** The standard output is the stream of events (`go test -json`): it goes into the events file, not into the job's output. */
  stdoutIsEvents?: true;
  /** A new one for each run. Absent: the events file has one TestEvent as JSON in each line. */
  reader?: EventReader;
  /** What exit codes besides 0 say when nothing was told; of pytest 5 is "no tests". */
  exitMeaning?: Readonly<Record<number, string>>;
  /** Where the runner leaves what it measured, when that was asked for. */
  coverage?: readonly CoverageArtifact[];
  /** What whoever reads the results is to know about how they came to be. */
  notes?: readonly string[];
}

/** Turns what a runner writes into events. */
export interface EventReader {
  /** One line of the events file. */
  line(text: string): TestEvent[];
  /** Once the process has ended: what stands in files (JUnit XML), and what was left open. */
  end?(exit: { code: number | null; signal: string | null }): Promise<TestEvent[]>;
}

/** A runner that can be run as data. One file each in `testRunners`, beside how it is recognised and debugged. */
export interface SuiteRunner {
  readonly id: string;
  /** Names of test files and folders of their packages, told from a listing of the project's files (absolute paths) without running anything. */
  packages(project: Project, files: readonly string[]): TestPackage[];
  /** The package whose runner runs this file; undefined when it is none of its tests. */
  packageOf(project: Project, file: string): TestPackage | undefined;
  plan(request: RunRequest): Promise<RunPlan>;
  /** The tests that are written in a file, where the language is none of those that are read for all runners alike. */
  testsInFile?(project: Project, file: string): TestRef[];
  /** The files of tests of a package that changed files can affect; `files` are all of the project. With `testsInFile`. */
  affectedTests?(owner: TestPackage, changed: readonly string[], files: readonly string[]): string[];
  /** How its tests are listed without being run: the same events, `collected` only. Absent: told from the syntax of the files. */
  collect?(request: RunRequest): Promise<RunPlan>;
}

/** One run of one package, whole or as far as it is known. This is what is kept in the history of runs. */
export interface TestRun {
  id: string;
  /** Shared by the runs of one call. */
  batchId: string;
  /** Which repetition, from 1. */
  attempt?: number;
  runner: string;
  runnerVersion?: string;
  folder: string;
  command: string;
  /** How often it was run in a row, and the tests that did not end the same each time. */
  repeated?: number;
  flaky?: readonly { test: TestRef; failed: number; of: number }[];
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  /** `died`: the runner ended before it had told that it was over. `stopped`: by stop_job, or with its client. */
  state: 'running' | 'ended' | 'died' | 'stopped';
  exitCode?: number;
  signal?: string;
  jobId?: string;
  /** The selection in a few words; absent when everything was run. */
  selected?: string;
  counts: RunCounts;
  results: readonly TestResult[];
  notRun: readonly NotRun[];
  /** Names of the tests there are, when the selection matched none. */
  available?: readonly string[];
  problems: readonly RunProblem[];
  /** Tests that have started and not ended: where a run that hangs is. */
  running: readonly (TestRef & { forMs: number })[];
  /** Files that are being loaded and have told no test yet. */
  loading: readonly string[];
  /** What was measured, in short, or why nothing was; of a run with coverage. */
  coverage?: RunCoverage;
  /** About how it was run: what this runner leaves out. */
  notes?: readonly string[];
}

export interface RunCounts {
  /** How many were to be run. */
  expected: number;
  /** Tests with a verdict: passed and failed. */
  ran: number;
  passed: number;
  failed: number;
  skipped: number;
  notRun: number;
  /** Left out by the selection. */
  deselected?: number;
}

/** Tests without a verdict, with why. */
export interface NotRun {
  reason: NotRunReason;
  /** What happened, in words of the runner or of ours. */
  why: string;
  tests: readonly TestRef[];
  /** More than the tests named when the runner told only numbers. */
  count: number;
  /** Files that were never loaded: how many tests they hold is unknown. */
  files?: readonly string[];
}
