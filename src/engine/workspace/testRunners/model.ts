import type { RunPlan, RunRequest } from '../tests/model.ts';

/** A test file with what its project says about how tests are run. */
export interface TestFile {
  path: string;
  text: string;
  root: string;
  /** From the file's own folder out to the project's root: packages nearest to the file speak first. */
  folders: readonly PackageFolder[];
}

export interface PackageFolder {
  path: string;
  /** Undefined without a package.json. */
  manifest?: Readonly<Record<string, unknown>>;
  scripts: Readonly<Record<string, string>>;
  /** Names of the files that lie in it. */
  files: ReadonlySet<string>;
}

/** Why a runner is the one for a file, in the words that an answer can show. */
export interface Evidence {
  reason: string;
  /** How surely: what the file imports says more than a configuration, that more than a script, that more than a dependency. */
  strength: number;
  /** Where the runner is to be started: beside its configuration. */
  folder: string;
}

/** How a test file, or one test of it, is run. */
interface TestCommand {
  /** The runner's own file; undefined when the test file itself is the program. */
  program?: string;
  args: readonly string[];
  runtimeArgs?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd: string;
  /** The process that is started only starts those that run the tests; told which files it runs itself. */
  starterRuns?: (path: string) => boolean;
}

/** One test runner: how it is recognised, started and understood. */
export interface TestRunner {
  readonly id: string;
  detect(file: TestFile): Evidence | undefined;
  /** Throws when the runner cannot do it. */
  command(file: TestFile, evidence: Evidence, name: string | undefined): TestCommand;
  /** Whether what it printed says that not one test was run. */
  ranNothing(output: string): boolean;
  /** Whether it has printed its result: what still runs then only keeps the process from ending. */
  isOver(output: string): boolean;
}

/** How a runner of JavaScript is run as data. */
export interface ScriptRun {
  /** How scripts call it. */
  command: RegExp;
  plan(request: RunRequest, folder: PackageFolder): Promise<RunPlan>;
  /** Its own way to list tests without running them. */
  collect?: (request: RunRequest, folder: PackageFolder) => Promise<RunPlan>;
}
