import type { LanguageId } from '../../base/languages/table.ts';
import type { Project } from '../workspace/project.ts';
import type { PinSubject } from './pins.ts';

/**
 * What Sightline knows about the programs it drives: how each is found, started, checked and installed. One file per engine
 * in `engines/` declares one; `Provision` does the rest for all of them alike.
 */
const engineRoles = [
  'toolchain',
  'debugger',
  'languageServer',
  'refactoring',
  'formatter',
  'grammar',
  'testRunner',
] as const;

export type EngineRole = (typeof engineRoles)[number];

const engineSources = ['configuration', 'project', 'path', 'well-known', 'cache', 'bundled'] as const;

export type EngineSource = (typeof engineSources)[number];

export interface FoundEngine {
  found: true;
  id: string;
  title: string;
  role: EngineRole;
  /** The program or script; for a library (debugpy, rope) the folder to put on its interpreter's path. */
  path: string;
  /** The whole command line that starts it, ready for stdio; empty for a library. */
  command: readonly string[];
  version: string | undefined;
  source: EngineSource;
  /** Why this one, where there may be several (Python interpreters). */
  why?: string;
  /** What was looked at before and passed over, and why. */
  problems: readonly string[];
}

interface MissingEngine {
  found: false;
  id: string;
  title: string;
  role: EngineRole;
  reason: string;
  /** What a person types to get it. */
  installCommand: string;
  problems: readonly string[];
}

export type LocatedEngine = FoundEngine | MissingEngine;

export interface EngineDeclaration {
  id: string;
  title: string;
  role: EngineRole;
  languages: readonly LanguageId[];
  /** Its name in the cache, when several engines come in one package. */
  installedAs?: string;
  /** `setup LANGUAGE` leaves it out; `setup ID` and `setup --all` do not. */
  optional?: boolean;
  /** Older ones that are found are passed over, with a word. */
  minimumVersion?: string;
  /** One that the project or the person chose is used or refused, never replaced by another. */
  ownDecides?: boolean;
  /** In the order in which they are tried. */
  find: readonly Finder[];
  start(path: string, context: FindContext): Promise<readonly string[]> | readonly string[];
  /** The version of what lies at `path`. Throws when it does not work: then it counts as not found. */
  probe(path: string, context: FindContext): Promise<string | undefined | ProbeAnswer>;
  /** A slower check of a fresh installation: that it really starts. `scratch` is an empty folder. */
  verify?(path: string, context: FindContext, scratch: string): Promise<void>;
  install: Installer;
}

export interface ProbeAnswer {
  version: string | undefined;
  /** The program itself, where `path` was a version manager's stand-in, which starts slowly and chooses anew in each folder. */
  path: string;
}

export interface Finder {
  source: EngineSource;
  /** Places to look at, best first. They need not exist. */
  paths(context: FindContext): Promise<readonly (string | FoundPlace)[]> | readonly (string | FoundPlace)[];
}

export interface FoundPlace {
  path: string;
  /** Why it is looked at. */
  why: string;
}

export interface FindContext {
  /** The environment to look in: the project's, else the person's. */
  env: NodeJS.ProcessEnv;
  project: Project | undefined;
  /** The installed folder of this engine in our cache, when there is an intact one. */
  installed: string | undefined;
  run: ToolRun;
  /** Another engine this one needs, such as the Python interpreter. */
  locate(id: string): Promise<LocatedEngine>;
}

export interface Installer {
  /** The pinned version; undefined when the version is chosen by something else, such as a Linux distribution. */
  version?: string;
  /** What the hashes are pinned for. Absent where somebody else decides what is installed (a system, rustup). */
  pinned?: readonly PinSubject[];
  /** Decides what would be done here, or says why it cannot be done. */
  plan(context: InstallContext): Promise<InstallPlan | InstallRefusal>;
}

export interface InstallPlan {
  version: string;
  /** The same by hand, as one would type it. */
  manualCommand: string;
  /** Puts the engine into `folder`, an empty directory. */
  run(folder: string, context: InstallContext): Promise<void>;
  /** A file that must exist afterwards, relative to the folder; one `*` per segment is allowed. */
  entry: string;
  /** It goes where its own manager puts it (rustup), not into the folder. */
  elsewhere?: boolean;
}

export interface InstallRefusal {
  reason: string;
  manualCommand: string;
}

export interface InstallContext extends FindContext {
  progress(message: string): void;
  signal: AbortSignal | undefined;
}

export interface ToolRunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Written to its stdin, which is then closed, unless `keepStdinOpen`. */
  input?: string;
  keepStdinOpen?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  onLine?: (line: string) => void;
  /** Ends the process as a success as soon as this is seen on stdout. */
  until?: RegExp;
}

export interface ToolRunResult {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  /** `until` was seen. */
  seen: boolean;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. A program that does not start is a result as well (code 127). */
export type ToolRun = (command: readonly string[], options?: ToolRunOptions) => Promise<ToolRunResult>;

type InstallPhase = 'waiting' | 'installing' | 'checking' | 'done' | 'failed';

export interface InstallProgress {
  engine: string;
  phase: InstallPhase;
  message: string;
}

export interface InstallOutcome {
  id: string;
  title: string;
  status: 'installed' | 'present' | 'failed';
  version?: string;
  path?: string;
  source?: EngineSource;
  /** Why it failed, in one or two sentences. */
  reason?: string;
  /** When it failed: what to type by hand. */
  manualCommand?: string;
  /** When it failed: the client's whole output. */
  logFile?: string;
}

export interface InstallOptions {
  progress?: (progress: InstallProgress) => void;
  signal?: AbortSignal;
  /** Whose toolchains install it; by default the person's own. */
  project?: Project;
}
