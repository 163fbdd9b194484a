import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Emitter } from '../../../base/emitter.ts';
import { isErrnoException } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import type { Project } from '../project.ts';
import { crateSources } from './crates.ts';
import { goSources } from './golang.ts';
import { mavenSources } from './maven.ts';
import { isInside } from '../../../base/paths.ts';
import {
  registries,
  type FoundSources,
  type PackageSources,
  type ProgramRun,
  type Registry,
  type SourceContext,
  type SourceReader,
  type WantedPackage,
} from './model.ts';
import { forgetKeptSources, rememberInstallation } from './keptSource.ts';
import { checkNames } from './packageNames.ts';
import { npmSources } from './npm.ts';
import { pypiSources } from './pypi.ts';

const readers: Readonly<Record<Registry, SourceReader>> = {
  npm: npmSources,
  pypi: pypiSources,
  go: goSources,
  crates: crateSources,
  maven: mavenSources,
};

interface SourceStoreOptions {
  /** The folder that unpacked sources are kept in. */
  folder: string;
  run: (project: Project, command: readonly string[], cwd: string, signal?: AbortSignal) => Promise<ProgramRun>;
}

/** Sources of packages, fetched when somebody asks for them and kept for everybody. */
export class SourceStore {
  readonly folder: string;
  readonly onDidGet = new Emitter<Project>();
  readonly #run: SourceStoreOptions['run'];

  constructor({ folder, run }: SourceStoreOptions) {
    this.folder = folder;
    this.#run = run;
  }

  async get(
    project: Project,
    wanted: WantedPackage,
    { signal, progress }: { signal?: AbortSignal; progress?: (message: string) => void } = {},
  ): Promise<FoundSources> {
    checkNames(wanted);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const context: SourceContext = {
      project,
      run: (command) => this.#run(project, command, this.folder, signal),
      kept: (...key) => this.#kept(...key),
      keep: (sources, fill) => this.#keep(sources, fill),
      signal,
      progress,
    };
    const sources = await readers[wanted.registry](wanted, context);
    if (sources.kind === 'source maps' && sources.installedAt !== undefined)
      rememberInstallation(sources.path, sources.installedAt);
    this.onDidGet.fire(project);
    const entries = await readdir(sources.path, { withFileTypes: true });
    const named = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    return { ...sources, entries: named.sort() };
  }

  /** What was fetched of a package before, in that version. */
  async kept({ registry, name, version: ofVersion }: WantedPackage): Promise<PackageSources | undefined> {
    return ofVersion === undefined ? undefined : this.#kept(registry, name, ofVersion);
  }

  /** The package whose sources lie at a path of this store. */
  packageAt(path: string): WantedPackage | undefined {
    if (!isInside(this.folder, path)) return undefined;
    const [, first, name = '', ofVersion] =
      /^([^/]+)\/(.+?[^/])@([^/@]+)(?:\/|$)/.exec(path.slice(this.folder.length + 1)) ?? [];
    const registry = registries.find((each) => each === first);
    if (registry === undefined || ofVersion === undefined) return undefined;
    return { registry, name: registry === 'maven' ? name.replace('/', ':') : name, version: ofVersion };
  }

  #place(registry: Registry, name: string, ofVersion: string): string {
    return join(this.folder, registry, `${name.replace(':', '/')}@${ofVersion}`);
  }

  async #kept(registry: Registry, name: string, ofVersion: string): Promise<PackageSources | undefined> {
    const path = this.#place(registry, name, ofVersion);
    try {
      const known = JSON.parse(await readFile(`${path}.json`, 'utf8')) as PackageSources;
      return (await stat(path)).isDirectory() ? { ...known, path } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Fills a folder beside the final one and renames it: what is there is always whole. */
  async #keep(
    sources: Omit<PackageSources, 'path' | 'files'>,
    fill: (folder: string) => Promise<number>,
  ): Promise<PackageSources> {
    const path = this.#place(sources.registry, sources.name, sources.version);
    const making = `${path}.${randomId('new')}`;
    await mkdir(making, { recursive: true, mode: 0o755 });
    try {
      const files = await fill(making);
      const made: PackageSources = { ...sources, path, files };
      await rm(path, { recursive: true, force: true });
      await mkdir(dirname(path), { recursive: true });
      await writeFile(`${path}.json`, JSON.stringify(made));
      await rename(making, path).catch((error: unknown) => {
        // Somebody else was faster with the same.
        if (!isErrnoException(error, 'ENOTEMPTY', 'EEXIST')) throw error;
      });
      forgetKeptSources();
      return made;
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  }
}
