import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash, randomId } from '../../../base/ids.ts';
import { silentLogger, type Logger } from '../../../base/logger.ts';
import { sameVersion, type ChangeOrigin, type FileVersion, type Transition } from '../edits/operations.ts';
import { readVersion } from '../edits/readVersion.ts';
import { listFiles } from '../fileListing.ts';
import type { Project } from '../project.ts';
import type { ChangeRecord } from './changeLog.ts';
import { committedContent, committedFiles, type CommittedFile } from './committedFiles.ts';
import type { LocalHistory } from './localHistory.ts';

export interface WorkingTreeLimits {
  maxFiles: number;
  /** Larger files are seen to change, but cannot be brought back. */
  maxFileBytes: number;
  maxTotalBytes: number;
  /** How long the first look at a tree may take; what it did not get to cannot be brought back. */
  maxFirstLookMs: number;
}

export const defaultWorkingTreeLimits: WorkingTreeLimits = {
  maxFiles: 20_000,
  maxFileBytes: 1024 * 1024,
  maxTotalBytes: 96 * 1024 * 1024,
  maxFirstLookMs: 4000,
};

interface KnownFile {
  stamp: string;
  /** Its content is in local history. */
  version?: FileVersion | undefined;
  /** Its content is what git has under this name; it is fetched only when the file changes. */
  committed?: CommittedFile | undefined;
}

const parallelLooks = 16;

type Snapshot = Map<string, KnownFile>;

/**
 * Remembers what programs that Sightline runs do to the files of a project. Their contents are kept before a program runs (once
 * per content, so later looks cost only what changed) and compared after it; files that git ignores are left out.
 */
export class WorkingTree {
  readonly #history: LocalHistory;
  readonly #limits: WorkingTreeLimits;
  readonly #logger: Logger;
  readonly #known = new Map<string, Snapshot>();
  readonly #recording = new Map<string, Set<Promise<unknown>>>();

  constructor(history: LocalHistory, options: { limits?: WorkingTreeLimits; logger?: Logger } = {}) {
    this.#history = history;
    this.#limits = options.limits ?? defaultWorkingTreeLimits;
    this.#logger = options.logger ?? silentLogger;
    history.keepers.push((project) =>
      [...(this.#known.get(project.root)?.values() ?? [])].flatMap(({ version }) =>
        version === undefined ? [] : [version.hash],
      ),
    );
  }

  /**
   * For programs that run on: what is called when they have ended, to record what they changed. `settled` waits for such records, so
   * that whoever asks for changes after the end of a program finds them.
   */
  async begin(project: Project, origin: ChangeOrigin): Promise<() => Promise<void>> {
    const before = await this.snapshot(project).catch((error: unknown) => {
      // A program is run all the same; only taking back what it changes is not possible then.
      this.#logger.warn('The working tree could not be looked at before a program ran.', error);
      return undefined;
    });
    const startedAt = new Date();
    return async () => {
      if (before === undefined) return;
      const recording = this.record(project, origin, before, startedAt).catch((error: unknown) =>
        this.#logger.warn('What a program changed could not be recorded.', error),
      );
      const pending = this.#recording.get(project.root) ?? new Set<Promise<unknown>>();
      this.#recording.set(project.root, pending.add(recording));
      await recording;
      pending.delete(recording);
    };
  }

  /** Everything that ended programs changed is recorded. */
  async settled(project: Project): Promise<void> {
    await Promise.all([...(this.#recording.get(project.root) ?? [])]);
  }

  /** Runs `work` and records what it changed in the working tree, as one change that can be undone. */
  async recordAround<T>(
    project: Project,
    origin: ChangeOrigin,
    work: () => Promise<T>,
  ): Promise<{ result: T; change: ChangeRecord | undefined }> {
    const before = await this.snapshot(project);
    const startedAt = new Date();
    try {
      const result = await work();
      return { result, change: await this.record(project, origin, before, startedAt) };
    } catch (error) {
      // A program that failed may have changed files all the same.
      await this.record(project, origin, before, startedAt);
      throw error;
    }
  }

  /** The state of the tree, to be given to `record` later. */
  async snapshot(project: Project): Promise<ReadonlyMap<string, KnownFile>> {
    const previous = this.#known.get(project.root) ?? new Map<string, KnownFile>();
    const deadline = Date.now() + this.#limits.maxFirstLookMs;
    const [{ files }, committed] = await Promise.all([listFiles(project), committedFiles(project)]);
    const now: Snapshot = new Map();
    let kept = 0;
    const look = async (file: string): Promise<void> => {
      const path = join(project.root, file);
      const found = await stampOf(path);
      if (found === undefined) return;
      const known = previous.get(path);
      if (known?.stamp === found.stamp && (known.version ?? known.committed) !== undefined) now.set(path, known);
      else {
        const blob = committed.get(path);
        const isKept =
          blob === undefined &&
          found.size <= this.#limits.maxFileBytes &&
          kept + found.size <= this.#limits.maxTotalBytes &&
          Date.now() < deadline;
        if (isKept) kept += found.size;
        const version = isKept ? await this.#keep(project, path) : undefined;
        now.set(path, {
          stamp: found.stamp,
          version,
          committed: blob === undefined ? undefined : { blob, size: found.size, mode: found.mode },
        });
      }
    };
    const waiting = files.slice(0, this.#limits.maxFiles).values();
    await Promise.all(
      Array.from({ length: parallelLooks }, async () => {
        for (const file of waiting) await look(file);
      }),
    );
    this.#known.set(project.root, now);
    return now;
  }

  /** Compares with an earlier snapshot and records the difference; changes that Sightline itself made meanwhile are left out. */
  async record(
    project: Project,
    origin: ChangeOrigin,
    before: ReadonlyMap<string, KnownFile>,
    startedAt: Date,
  ): Promise<ChangeRecord | undefined> {
    const after = await this.snapshot(project);
    const own = await this.#ownChanges(project, startedAt);
    const transitions: Transition[] = [];
    const unknown: string[] = [];
    for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
      const was = before.get(path);
      const is = after.get(path);
      if (was?.stamp === is?.stamp) continue;
      if (is === undefined && (await stampOf(path)) !== undefined) continue;
      const ownAfter = own.get(path);
      const from = ownAfter === undefined ? await this.#versionOf(project, was) : ownAfter;
      const to = await this.#versionOf(project, is);
      if (from === undefined || to === undefined) unknown.push(path);
      else if (!sameVersion(from, to)) transitions.push({ path, before: from, after: to });
    }
    if (unknown.length > 0)
      this.#logger.info(`${unknown.length} changed files were too large to be remembered.`, unknown.slice(0, 20));
    if (transitions.length === 0) return undefined;
    return this.#history.recordChange(project, {
      id: `${Date.now().toString(36)}${randomId('').slice(1, 9).replace(/[-_]/g, 'x')}`,
      time: new Date().toISOString(),
      origin,
      transitions,
      moves: [],
      createdDirectories: [],
      removedDirectories: [],
      changesCount: transitions.length,
      observed: true,
    });
  }

  /** The version a file had: none when there was no file, undefined when its content is not known. */
  async #versionOf(project: Project, known: KnownFile | undefined): Promise<FileVersion | null | undefined> {
    if (known === undefined) return null;
    if (known.version !== undefined || known.committed === undefined) return known.version;
    const { blob, size, mode } = known.committed;
    const bytes = await committedContent(project, blob);
    // Git may have written other bytes than it keeps (line endings, large files).
    if (bytes?.length !== size) return undefined;
    const hash = contentHash(bytes);
    await this.#history.putContent(project, hash, bytes);
    return { kind: 'file', hash, mode, size };
  }

  async #keep(project: Project, path: string): Promise<FileVersion | undefined> {
    const loaded = await readVersion(path).catch(() => null);
    if (loaded === null) return undefined;
    if (loaded.bytes !== undefined) await this.#history.putContent(project, loaded.version.hash, loaded.bytes);
    return loaded.version;
  }

  /** What changes that are recorded since then left at each path: Sightline's own, and those of programs that ended earlier. */
  async #ownChanges(project: Project, since: Date): Promise<Map<string, FileVersion | null>> {
    const left = new Map<string, FileVersion | null>();
    for (const change of (await this.#history.list(project, { since })).reverse())
      for (const { path, after } of change.transitions) left.set(path, after);
    return left;
  }
}

async function stampOf(path: string): Promise<{ stamp: string; size: number; mode: number } | undefined> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isFile() && !stats.isSymbolicLink()) return undefined;
    return {
      stamp: `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.mode}`,
      size: Number(stats.size),
      mode: Number(stats.mode & 0o7777n),
    };
  } catch {
    return undefined;
  }
}
