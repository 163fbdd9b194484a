import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isErrnoException } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { FileVersion } from '../edits/operations.ts';
import { isUntouchedSince, readVersion, stampOf, type FileStamp } from '../edits/readVersion.ts';
import { listFiles } from '../fileListing.ts';
import { openRepository, readGit } from '../git/repository.ts';
import type { Project } from '../project.ts';
import { GitLooker, type CommittedBlob, type GitState } from './committedFiles.ts';
import { ScratchFile } from './scratchFile.ts';

export interface WorkingTreeLimits {
  /** Files beyond this many are not looked at. */
  maxFiles: number;
  /** Larger files are seen to change, but cannot be brought back. */
  maxFileBytes: number;
  maxTotalBytes: number;
  /** How long keeping contents may take in one look; the next one goes on with the rest. */
  maxFirstLookMs: number;
}

export const defaultWorkingTreeLimits: WorkingTreeLimits = {
  maxFiles: 100_000,
  maxFileBytes: 8 * 1024 * 1024,
  maxTotalBytes: 96 * 1024 * 1024,
  maxFirstLookMs: 4000,
};

export interface KnownFile {
  stamp: FileStamp;
  mode: number;
  /** Its content is in local history. */
  version?: FileVersion | undefined;
  /** Its content is what git has under this name; it is fetched only when the file changes. */
  committed?: CommittedBlob | undefined;
}

/** What a working tree was at one time. */
export interface TreeLook {
  startedMs: number;
  /** By canonical path. */
  files: ReadonlyMap<string, KnownFile>;
  /** Those that hold files. */
  directories: ReadonlyMap<string, KnownDirectory>;
  git: GitState | undefined;
  /** How many files there are that were not looked at; more than `maxFiles` of a project's are never. */
  unseen: number;
}

interface KnownDirectory {
  /** Of the file system: stays when the directory is renamed. */
  id: string;
  changeTimeNs: bigint;
  /** Names of the links in it. */
  links: readonly string[];
}

const statsAtOnce = 200;

/**
 * Looks at the files of a project that git does not ignore, and keeps what is needed to bring each back: nothing where git has the
 * content, else the content itself, once. A later look costs little more than asking the system for the times of all files.
 */
export class TreeLooker {
  readonly #limits: WorkingTreeLimits;
  readonly #git = new GitLooker();
  readonly #latest = new Map<string, TreeLook>();
  readonly #kept = new Map<string, ScratchFile>();

  constructor(limits: WorkingTreeLimits) {
    this.#limits = limits;
  }

  /** A content that a look has kept. */
  content(project: Project, hash: string): Buffer | undefined {
    return this.#kept.get(project.root)?.get(hash);
  }

  dispose(): void {
    for (const kept of this.#kept.values()) kept.dispose();
    this.#kept.clear();
  }

  async look(project: Project): Promise<TreeLook> {
    const startedMs = Date.now();
    const kept = this.#scratchOf(project);
    const previous = this.#latest.get(project.root);
    const [{ files: listed }, git] = await Promise.all([listFiles(project), this.#git.look(project)]);
    const seen = listed.slice(0, this.#limits.maxFiles);
    const directories = await this.#directories(project, [...seen, ...git.links], previous);
    const links = [...directories].flatMap(([directory, known]) => known.links.map((name) => join(directory, name)));
    const files = new Map<string, KnownFile>();
    const unkept: string[] = [];
    let statted = 0;
    for (const path of new Set([...seen.map((file) => join(project.root, file)), ...links])) {
      if (++statted % statsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
      const found = stampOf(path);
      if (found === undefined || !(found.stats.isFile() || found.stats.isSymbolicLink())) continue;
      const { stamp, stats } = found;
      const mode = Number(stats.mode & 0o7777n);
      const known = previous?.files.get(path);
      const blob = git.files.get(path);
      // Git may write other bytes than it keeps (line endings, large files): then the file is kept like any other.
      const committed = blob?.size === Number(stats.size) ? blob : undefined;
      const isKept =
        known?.version !== undefined && kept.has(known.version.hash) && isUntouchedSince(known.stamp, stamp);
      files.set(path, { stamp, mode, version: isKept ? known.version : undefined, committed });
      if (!isKept && committed === undefined && Number(stats.size) <= this.#limits.maxFileBytes) unkept.push(path);
    }
    await this.#keepAll(unkept, files, kept);
    const look = { startedMs, files, directories, git: git.state, unseen: listed.length - seen.length };
    this.#latest.set(project.root, look);
    return look;
  }

  async #keepAll(paths: readonly string[], files: Map<string, KnownFile>, kept: ScratchFile): Promise<void> {
    const deadline = Date.now() + this.#limits.maxFirstLookMs;
    const mostBytes = kept.bytes + this.#limits.maxTotalBytes;
    for (const path of paths) {
      const known = files.get(path);
      if (Date.now() > deadline || kept.bytes > mostBytes) return;
      const loaded = await readVersion(path).catch(() => null);
      if (known === undefined || loaded === null) continue;
      const { version, bytes } = loaded;
      // What cannot be held in memory is not kept; links have no content beyond their target.
      if (bytes !== undefined) kept.put(version.hash, bytes);
      if (bytes !== undefined || version.kind === 'symlink') known.version = version;
    }
  }

  /** What files once held and no longer do adds up: after a while the contents are gathered anew. */
  #scratchOf(project: Project): ScratchFile {
    const current = this.#kept.get(project.root);
    if (current !== undefined && current.bytes < 3 * this.#limits.maxTotalBytes) return current;
    current?.dispose();
    const fresh = new ScratchFile(join(project.stateDir, 'history'));
    this.#kept.set(project.root, fresh);
    return fresh;
  }

  /** The directories that hold these files, and the links in them: ripgrep does not list links. */
  async #directories(
    project: Project,
    files: readonly string[],
    previous: TreeLook | undefined,
  ): Promise<Map<string, KnownDirectory>> {
    const directories = new Map<string, KnownDirectory>();
    const changed: { directory: string; links: string[] }[] = [];
    const add = (directory: string): void => {
      if (directories.has(directory)) return;
      if (directory !== project.root) add(dirname(directory));
      const stats = lstatSync(directory, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined || !stats.isDirectory()) return;
      const known = previous?.directories.get(directory);
      const id = `${stats.dev}:${stats.ino}`;
      const changeTimeNs = stats.ctimeNs;
      if (known?.id === id && known.changeTimeNs === changeTimeNs) directories.set(directory, known);
      else {
        const links = linksIn(directory);
        changed.push({ directory, links });
        directories.set(directory, { id, changeTimeNs, links });
      }
    };
    add(project.root);
    for (const file of files) add(dirname(join(project.root, file)));
    const ignored = await ignoredOf(
      project,
      changed.flatMap(({ directory, links }) => links.map((name) => join(directory, name))),
    );
    for (const { directory, links } of changed) {
      const known = directories.get(directory);
      if (known !== undefined) known.links = links.filter((name) => !ignored.has(join(directory, name)));
    }
    return directories;
  }
}

function linksIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map((entry) => entry.name);
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

/** Outside of git, links are few and cost nothing: none is ignored. */
async function ignoredOf(project: Project, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const repository = await openRepository(project).catch(() => undefined);
  if (repository === undefined) return new Set();
  const { stdout } = await readGit(repository, {
    args: ['check-ignore', '-z', '--stdin'],
    input: paths.map((path) => displayPath(project.root, path)).join('\0'),
    // 1: none is ignored; 128: one lies in a submodule, which has rules of its own.
    okCodes: [1, 128],
  });
  return new Set(stdout.split('\0').map((file) => join(project.root, file)));
}
