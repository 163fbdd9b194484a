import { watch, type Dirent, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorMessage, isErrnoException } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import type { Logger } from '../../base/logger.ts';

export interface FileChange {
  path: string;
  kind: 'created' | 'changed' | 'deleted';
}

interface TreeChanges {
  files: FileChange[];
  /** Installed packages changed (node_modules, site-packages): what was resolved through them cannot be trusted any more. */
  dependencies: boolean;
}

/** Folders in which no source of the project lives, and which churn. */
const ignoredFolders = new Set([
  '.git',
  '.hg',
  '.svn',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.cache',
  '.next',
  '.nuxt',
  '.turbo',
  '.gradle',
  '.idea',
  '.vscode-test',
  'target',
  '.venv',
  'venv',
]);
const dependencyMarks = new Set(['.package-lock.json', '.yarn-integrity', '.modules.yaml']);
/** A burst this large may have overflowed the kernel's queue, so events may be missing: the whole tree is compared instead. */
const burstLimit = 4000;

/**
 * Knows which files of a tree changed. Change events sit in the kernel's queue as soon as a write has happened, so
 * `takeChanges` sees every write that ended before it was called: nothing waits for a debounce. When the system has no watch handles
 * left, every call compares the tree with what it looked like before; that is slower and equally right.
 */
export class TreeWatcher {
  readonly root: string;
  readonly #logger: Logger;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Files by folder, with the stamp that tells whether they changed. Stamps are only kept while comparing. */
  readonly #folders = new Map<string, Map<string, string>>();
  readonly #touched = new Set<string>();
  readonly #packageFolders = new Set<string>();
  #dependenciesTouched = false;
  /** Only while comparing: what the folders of packages looked like. */
  #packagesStamp: string | undefined;
  #mode: 'events' | 'comparing' = 'events';
  #started: Promise<void> | undefined;
  #taking: Promise<TreeChanges> | undefined;
  #disposed = false;

  constructor(root: string, logger: Logger) {
    this.root = root;
    this.#logger = logger;
  }

  /** `comparing`: watch handles ran out, and every question compares the tree. */
  get mode(): 'events' | 'comparing' {
    return this.#mode;
  }

  get folderCount(): number {
    return this.#folders.size;
  }

  /** Whether a change of this file would be reported. */
  watches(path: string): boolean {
    return this.#folders.has(dirname(path));
  }

  start(): Promise<void> {
    this.#started ??= this.#addFolder(this.root, undefined);
    return this.#started;
  }

  /** Everything that changed since the last call. */
  async takeChanges(): Promise<TreeChanges> {
    await this.start();
    // Two callers at once must not share one change between them: the second waits and takes what came after.
    while (this.#taking !== undefined) await this.#taking;
    this.#taking = this.#take();
    try {
      return await this.#taking;
    } finally {
      this.#taking = undefined;
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#closeWatchers();
  }

  async #take(): Promise<TreeChanges> {
    // Two turns of the event loop: the first reads the kernel's queue, the second runs the listeners.
    await turn();
    await turn();
    if (this.#mode === 'comparing' || this.#touched.size > burstLimit) return this.#compare();
    const files: FileChange[] = [];
    for (const path of [...this.#touched].sort()) {
      this.#touched.delete(path);
      await this.#classify(path, files);
    }
    const dependencies = this.#dependenciesTouched;
    this.#dependenciesTouched = false;
    return { files, dependencies };
  }

  async #classify(path: string, changes: FileChange[]): Promise<void> {
    const known = this.#folders.get(dirname(path));
    const stats = await stat(path).catch(() => undefined);
    // The whole folder of packages came or went.
    if (isPackageFolder(basename(path)) || isVirtualEnvironment(basename(path))) {
      this.#dependenciesTouched = true;
      if (stats === undefined) this.#unwatch(path);
    }
    if (stats?.isDirectory()) {
      if (this.#folders.has(path)) await this.#replaceFolder(path, changes);
      else await this.#addFolder(path, changes);
      return;
    }
    if (this.#folders.has(path)) this.#removeFolder(path, changes);
    const name = basename(path);
    if (stats?.isFile()) {
      changes.push({ path, kind: known?.has(name) ? 'changed' : 'created' });
      known?.set(name, '');
    } else if (known?.delete(name)) changes.push({ path, kind: 'deleted' });
  }

  /** Watches a folder and all below it. Files found are `created` when the folder itself is new. */
  async #addFolder(folder: string, created: FileChange[] | undefined): Promise<void> {
    const pending = [folder];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (this.#disposed || this.#folders.has(next)) continue;
      const name = basename(next);
      if (next !== this.root && isVirtualEnvironment(name)) await this.#watchPackages(next);
      if (next !== this.root && ignoredFolders.has(name)) continue;
      // Watch first, list afterwards: a file that appears in between is reported twice rather than never.
      this.#watchFolder(next);
      if (isPackageFolder(name)) {
        this.#packageFolders.add(next);
        continue;
      }
      const files = new Map<string, string>();
      this.#folders.set(next, files);
      for (const entry of await list(next)) {
        const path = join(next, entry.name);
        if (entry.isDirectory()) pending.push(path);
        else if (entry.isFile() || entry.isSymbolicLink()) {
          files.set(entry.name, '');
          created?.push({ path, kind: 'created' });
        }
      }
    }
  }

  /** A known folder that its parent tells of again was deleted and made anew: the old watches see nothing of the new one. */
  async #replaceFolder(folder: string, changes: FileChange[]): Promise<void> {
    const before: FileChange[] = [];
    const now: FileChange[] = [];
    this.#removeFolder(folder, before);
    await this.#addFolder(folder, now);
    const old = new Set(before.map(({ path }) => path));
    const fresh = new Set(now.map(({ path }) => path));
    for (const { path } of before) if (!fresh.has(path)) changes.push({ path, kind: 'deleted' });
    for (const { path } of now) changes.push({ path, kind: old.has(path) ? 'changed' : 'created' });
  }

  /** A virtual environment is no source, but what is installed in it decides what imports mean. */
  async #watchPackages(environment: string): Promise<void> {
    for (const library of await list(join(environment, 'lib')))
      if (library.isDirectory()) {
        const packages = join(environment, 'lib', library.name, 'site-packages');
        this.#packageFolders.add(packages);
        this.#watchFolder(packages);
      }
  }

  #unwatch(folder: string): void {
    for (const [path, watcher] of [...this.#watchers]) {
      if (!isInside(folder, path)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }

  #removeFolder(folder: string, changes: FileChange[]): void {
    for (const [path, files] of [...this.#folders]) {
      if (!isInside(folder, path)) continue;
      for (const name of files.keys()) changes.push({ path: join(path, name), kind: 'deleted' });
      this.#folders.delete(path);
      this.#watchers.get(path)?.close();
      this.#watchers.delete(path);
    }
  }

  #watchFolder(folder: string): void {
    if (this.#mode === 'comparing' || this.#watchers.has(folder)) return;
    const isDependencies = isPackageFolder(basename(folder));
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null) return;
        if (!isDependencies) this.#touched.add(join(folder, name));
        else if (!name.startsWith('.') || dependencyMarks.has(name)) this.#dependenciesTouched = true;
      });
      watcher.on('error', (error) => this.#compareFromNowOn(error));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      // A folder that vanished meanwhile needs no watching.
      if (!isErrnoException(error, 'ENOENT', 'ENOTDIR')) this.#compareFromNowOn(error);
    }
  }

  #compareFromNowOn(error: unknown): void {
    if (this.#mode === 'comparing' || this.#disposed) return;
    this.#logger.warn(
      `The folders of ${this.root} cannot be watched (${errorMessage(error)}): its files are compared on every question instead.`,
    );
    this.#mode = 'comparing';
    this.#closeWatchers();
  }

  /** Looks at the whole tree. The first look after events were lost cannot know stamps, so it reports every file. */
  async #compare(): Promise<TreeChanges> {
    this.#touched.clear();
    const before = new Map([...this.#folders].map(([folder, files]) => [folder, new Map(files)]));
    this.#folders.clear();
    this.#packageFolders.clear();
    if (this.#mode === 'comparing') this.#closeWatchers();
    await this.#addFolder(this.root, undefined);
    const files: FileChange[] = [];
    for (const [folder, names] of this.#folders) {
      const old = before.get(folder);
      for (const name of names.keys()) {
        const path = join(folder, name);
        const stats = await stat(path).catch(() => undefined);
        const stamp = stats === undefined ? 'gone' : `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
        if (this.#mode === 'comparing') names.set(name, stamp);
        const earlier = old?.get(name);
        if (earlier === undefined) files.push({ path, kind: 'created' });
        else if (earlier !== stamp) files.push({ path, kind: 'changed' });
        old?.delete(name);
      }
    }
    for (const [folder, names] of before)
      for (const name of names.keys()) files.push({ path: join(folder, name), kind: 'deleted' });
    const dependencies = this.#dependenciesTouched || (this.#mode === 'comparing' && (await this.#packagesChanged()));
    this.#dependenciesTouched = false;
    return { files, dependencies };
  }

  /** The first look cannot know, and says no: a server that was started before it read the packages only a moment ago. */
  async #packagesChanged(): Promise<boolean> {
    const marks = [...this.#packageFolders]
      .sort()
      .flatMap((folder) => [folder, ...[...dependencyMarks].map((mark) => join(folder, mark))]);
    const stamps = await Promise.all(
      marks.map(async (path) => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0),
    );
    const stamp = marks.map((path, index) => `${path} ${stamps[index] ?? 0}`).join('\n');
    const before = this.#packagesStamp;
    this.#packagesStamp = stamp;
    return before !== undefined && before !== stamp;
  }

  #closeWatchers(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}

function isPackageFolder(name: string): boolean {
  return name === 'node_modules' || name === 'site-packages';
}

function isVirtualEnvironment(name: string): boolean {
  return name === '.venv' || name === 'venv';
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isErrnoException(error)) return [];
    throw error;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
