/**
 * Run configurations from wherever a project keeps them, as plain data. A plan says what would be started; whoever runs or
 * debugs it turns it into a command line or a launch of the debugger.
 */
export interface RunConfiguration {
  /** Unique in its project. */
  name: string;
  /** For people: "Node.js", "Python tests". */
  type: string;
  typeId: string;
  /** The file it stands in, relative to the root; `detected` when nobody wrote it down. */
  source: string;
  canRun: boolean;
  canDebug: boolean;
  /** Set when it can not be run, or not be debugged. */
  whyNot?: string;
  isTemporary: boolean;
  folder?: string;
  description?: string;
  preLaunchTask?: string;
  /** What it asks for and nobody has said yet; it is not started without. */
  inputs?: RunInput[];
  /** Absent when it cannot be started at all. */
  plan?: RunPlan;
}

export type RunPlan = LaunchPlan | AttachPlan | CompoundPlan;

export interface LaunchPlan {
  kind: 'launch';
  language: string;
  /** Which of `program`, `module` and `command` is set. */
  form: 'program' | 'module' | 'command';
  program?: string;
  module?: string;
  command?: readonly string[];
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  stopOnEntry: boolean;
  runtime?: string;
  runtimeArgs?: readonly string[];
  outFiles?: readonly string[];
  justMyCode?: boolean;
  isTest?: boolean;
  /** What the configuration says beyond this, for the debug adapter. */
  extra?: Readonly<Record<string, unknown>>;
  before: readonly BeforeStep[];
}

export interface AttachPlan {
  kind: 'attach';
  language: string;
  pid?: number;
  host?: string;
  port?: number;
  pathMappings: readonly { localRoot: string; remoteRoot: string }[];
  cwd: string;
  extra?: Readonly<Record<string, unknown>>;
  before: readonly BeforeStep[];
}

interface CompoundPlan {
  kind: 'compound';
  /** Names of other configurations. */
  members: readonly string[];
  stopAll: boolean;
  before: readonly BeforeStep[];
}

/** A value that a configuration asks a person for when it is started. */
export interface RunInput {
  id: string;
  description?: string;
  /** The only values there are. */
  options?: string[];
  /** What an editor would put before the person; never taken unasked. */
  default?: string;
}

/** Something that has to be run first, such as a build. */
export interface BeforeStep {
  label: string;
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** It keeps running (a watcher): it is started, not awaited. */
  isBackground: boolean;
}

/** What a reader makes of one entry; whether it can be run and debugged is decided for all alike. */
export interface Draft {
  name: string;
  type: string;
  typeId: string;
  source: string;
  isTemporary?: boolean;
  folder?: string;
  description?: string;
  preLaunchTask?: string;
  inputs?: RunInput[];
  plan?: RunPlan;
  /** Why it can neither be run nor debugged. */
  problem?: string;
  /** Why it can be run but not debugged, beyond the language. */
  debugProblem?: string;
}

export interface Drafts {
  drafts: readonly Draft[];
  /** Files that could not be read or understood. */
  problems: readonly string[];
}
