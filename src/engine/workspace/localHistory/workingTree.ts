import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomId } from '../../../base/ids.ts';
import { silentLogger, type Logger } from '../../../base/logger.ts';
import { sameVersion, type ChangeOrigin, type FileVersion, type Transition } from '../edits/operations.ts';
import { readVersion } from '../edits/readVersion.ts';
import { listFiles } from '../fileListing.ts';
import type { Project } from '../project.ts';
import type { ChangeRecord } from './changeLog.ts';
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
  version: FileVersion | undefined;
}

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

  /** For programs that run on: the state before, to be given to `record` when they have ended. */
  async snapshot(project: Project): Promise<ReadonlyMap<string, KnownFile>> {
    const previous = this.#known.get(project.root) ?? new Map<string, KnownFile>();
    const deadline = Date.now() + this.#limits.maxFirstLookMs;
    const { files } = await listFiles(project);
    const now: Snapshot = new Map();
    let kept = 0;
    for (const file of files.slice(0, this.#limits.maxFiles)) {
      const path = join(project.root, file);
      const found = await stampOf(path);
      if (found === undefined) continue;
      const known = previous.get(path);
      if (known?.stamp === found.stamp && known.version !== undefined) now.set(path, known);
      else {
        const isKept =
          found.size <= this.#limits.maxFileBytes &&
          kept + found.size <= this.#limits.maxTotalBytes &&
          Date.now() < deadline;
        const version = isKept ? await this.#keep(project, path) : undefined;
        if (version !== undefined) kept += found.size;
        now.set(path, { stamp: found.stamp, version });
      }
    }
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
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      const was = before.get(path);
      const is = after.get(path);
      if (was?.stamp === is?.stamp) continue;
      if (is === undefined && (await stampOf(path)) !== undefined) continue;
      const isKnown =
        (was === undefined || was.version !== undefined) && (is === undefined || is.version !== undefined);
      const ownAfter = own.get(path);
      const from = ownAfter === undefined ? (was?.version ?? null) : ownAfter;
      const to = is?.version ?? null;
      if (!isKnown) unknown.push(path);
      else if (!sameVersion(from, to)) transitions.push({ path, before: from, after: to });
    }
    if (unknown.length > 0)
      this.#logger.info(`${unknown.length} changed files were too large to be remembered.`, unknown.slice(0, 20));
    if (transitions.length === 0) return undefined;
    return this.#history.recordChange(
      project,
      {
        id: `${Date.now().toString(36)}${randomId('').slice(1, 9).replace(/[-_]/g, 'x')}`,
        time: new Date().toISOString(),
        origin,
        transitions,
        moves: [],
        createdDirectories: [],
        removedDirectories: [],
        changesCount: transitions.length,
        observed: true,
      },
      (hash) => this.#history.content(project, hash),
    );
  }

  async #keep(project: Project, path: string): Promise<FileVersion | undefined> {
    const loaded = await readVersion(path).catch(() => null);
    if (loaded === null) return undefined;
    if (loaded.bytes !== undefined) await this.#history.putContent(project, loaded.version.hash, loaded.bytes);
    return loaded.version;
  }

  /** What Sightline's own changes since then left at each path. */
  async #ownChanges(project: Project, since: Date): Promise<Map<string, FileVersion | null>> {
    const left = new Map<string, FileVersion | null>();
    for (const change of (await this.#history.list(project, { since })).reverse())
      if (change.observed !== true) for (const { path, after } of change.transitions) left.set(path, after);
    return left;
  }
}

async function stampOf(path: string): Promise<{ stamp: string; size: number } | undefined> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isFile() && !stats.isSymbolicLink()) return undefined;
    return { stamp: `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.mode}`, size: Number(stats.size) };
  } catch {
    return undefined;
  }
}
