import type { Project } from '../project.ts';

/** Where packages come from, by the words people write before a name: `pypi:six`. */
export const registries = ['npm', 'pypi', 'go', 'crates', 'maven'] as const;
export type Registry = (typeof registries)[number];

export interface WantedPackage {
  registry: Registry;
  /** As its registry writes it; of Maven `group:artifact`. */
  name: string;
  version?: string;
  /** The folder of the installed package, where that is known already. */
  installedAt?: string;
}

/** What the sources are: taken from source maps, an archive for that purpose, or the package as everybody installs it. */
type SourceKind = 'source maps' | 'sdist' | 'module' | 'crate' | 'sources jar' | 'package';

/** Sources of one package on this machine. */
export interface PackageSources {
  registry: Registry;
  name: string;
  version: string;
  kind: SourceKind;
  /** The folder they lie in; to be read, never written. */
  path: string;
  files: number;
  /** The folder of the installed package, which programs load. */
  installedAt?: string;
  /** What the package says of its repository; nothing is fetched from there. */
  repository?: string;
  notes: string[];
}

/** With what lies at the top of the folder, folders with a slash. */
export type FoundSources = PackageSources & { entries: string[] };

export interface ProgramRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What fetching needs of the rest. */
export interface SourceContext {
  project: Project;
  /** Runs one of the person's own programs, with their settings, in a folder that is no project. */
  run: (command: readonly string[]) => Promise<ProgramRun>;
  /** Where unpacked sources are kept, `undefined` until they are there. */
  kept: (registry: Registry, name: string, version: string) => Promise<PackageSources | undefined>;
  keep: (
    sources: Omit<PackageSources, 'path' | 'files'>,
    fill: (folder: string) => Promise<number>,
  ) => Promise<PackageSources>;
  signal?: AbortSignal;
  progress?: (message: string) => void;
}

/** How one registry is asked. */
export type SourceReader = (wanted: WantedPackage, context: SourceContext) => Promise<PackageSources>;
