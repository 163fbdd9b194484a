import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { withTimeout } from '../../../base/cancellation.ts';
import { errorMessage } from '../../../base/errors.ts';
import type { AsyncDisposer } from '../../../base/disposable.ts';
import { contentHash, randomId } from '../../../base/ids.ts';
import { silentLogger, type Logger } from '../../../base/logger.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import { inParallel } from '../edits/inParallel.ts';
import { sameVersion, type ChangeOrigin, type FileVersion, type Transition } from '../edits/operations.ts';
import { isUntouchedSince, readVersion, stampOf } from '../edits/readVersion.ts';
import type { Project } from '../project.ts';
import type { ChangeRecord, LeftOut } from './changeLog.ts';
import { committedContents, type CommittedBlob, type GitState } from './committedFiles.ts';
import type { LocalHistory } from './localHistory.ts';
import {
  defaultWorkingTreeLimits,
  TreeLooker,
  type KnownFile,
  type TreeLook,
  type WorkingTreeLimits,
} from './treeLooker.ts';

/** What is known of a program's changes once it has ended. */
export interface RecordedRun {
  /** Absent when it changed nothing that is looked at. */
  change?: ChangeRecord;
  /** Why nothing could be recorded. */
  problem?: string;
}

const maxChangedFiles = 20_000;
const maxNamedFiles = 20;
const maxLastRecordMs = 1500;

/**
 * Remembers what programs that Sightline runs do to the files of a project, by looking at them before and after. Files that git
 * ignores are left out; so is what the limits leave out, and that is written down with the change.
 */
export class WorkingTree implements AsyncDisposer {
  readonly #history: LocalHistory;
  readonly #looker: TreeLooker;
  readonly #logger: Logger;
  /** The last look or record of each project; one at a time, so that no change is recorded for two programs. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #recording = new Map<string, Set<Promise<unknown>>>();

  constructor(history: LocalHistory, options: { limits?: WorkingTreeLimits; logger?: Logger } = {}) {
    this.#history = history;
    this.#looker = new TreeLooker(options.limits ?? defaultWorkingTreeLimits);
    this.#logger = options.logger ?? silentLogger;
  }

  /**
   * For programs that run on: what is called when they have ended, to record what they changed. `settled` waits for such records, so
   * that whoever asks for changes after the end of a program finds them. Paths that another program at work is known to have changed
   * are left for its own record.
   */
  async begin(
    project: Project,
    origin: ChangeOrigin,
    isOthers: (path: string) => boolean = () => false,
  ): Promise<() => Promise<RecordedRun>> {
    let before: TreeLook;
    try {
      before = await this.#inTurn(project, () => this.#looker.look(project));
    } catch (error) {
      // A program is run all the same; only taking back what it changes is not possible then.
      this.#logger.warn('The working tree could not be looked at before a program ran.', error);
      const problem = `What it changes is not recorded: ${errorMessage(error)}`;
      return async () => ({ problem });
    }
    return async () => {
      const recording = this.#inTurn(project, () => this.#record(project, origin, before, isOthers)).then(
        (change): RecordedRun => (change === undefined ? {} : { change }),
        (error: unknown): RecordedRun => {
          this.#logger.warn('What a program changed could not be recorded.', error);
          return { problem: `What it changed was not recorded: ${errorMessage(error)}` };
        },
      );
      const pending = this.#recording.get(project.root) ?? new Set<Promise<unknown>>();
      this.#recording.set(project.root, pending.add(recording));
      try {
        return await recording;
      } finally {
        pending.delete(recording);
      }
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
  ): Promise<{ result: T } & RecordedRun> {
    const end = await this.begin(project, origin);
    let result: T;
    try {
      result = await work();
    } catch (error) {
      // A program that failed may have changed files all the same.
      await end();
      throw error;
    }
    return { result, ...(await end()) };
  }

  /** What programs that were ended just now have changed is still recorded, unless that takes long. */
  async dispose(): Promise<void> {
    await withTimeout(Promise.allSettled(this.#turns.values()), maxLastRecordMs).catch(() => undefined);
    this.#looker.dispose();
  }

  #inTurn<T>(project: Project, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(project.root) ?? Promise.resolve()).then(work, work);
    this.#turns.set(project.root, turn);
    return turn;
  }

  /** Compares with an earlier look and records the difference; changes that Sightline itself made meanwhile are left out. */
  async #record(
    project: Project,
    origin: ChangeOrigin,
    before: TreeLook,
    isOthers: (path: string) => boolean,
  ): Promise<ChangeRecord | undefined> {
    const after = await this.#looker.look(project);
    const own = await this.#ownChanges(project, new Date(before.startedMs));
    const omitted = new Omissions(project.root);
    if (before.unseen > 0) omitted.count('beyond the number of files that are looked at', before.unseen);
    const inodes = new Set([...before.files.values()].map(({ stamp }) => inodeOf(stamp.signature)));
    const changed: { path: string; was: KnownFile | undefined; is: KnownFile | undefined }[] = [];
    for (const path of [...new Set([...before.files.keys(), ...after.files.keys()])].sort()) {
      const [was, is] = [before.files.get(path), after.files.get(path)];
      if (was !== undefined && is !== undefined && isSame(was, is)) continue;
      if (isOthers(path) || (is === undefined && isStillThere(path))) continue;
      if (was === undefined && !own.has(path) && isOlder(path, before.startedMs, inodes))
        omitted.add('there before it ran, but ignored by git or elsewhere then; left alone', path);
      else if (changed.length < maxChangedFiles) changed.push({ path, was, is });
      else omitted.add(`beyond the first ${maxChangedFiles} changed files`, path);
    }
    const committed = await this.#fetch(
      project,
      changed.filter(({ path }) => !own.has(path)).map(({ was }) => was),
    );
    const transitions: Transition[] = [];
    await inParallel(changed, async ({ path, was, is }) => {
      const ownAfter = own.get(path);
      const from = ownAfter === undefined ? versionOf(was, committed) : ownAfter;
      const to = is === undefined ? null : (is.version ?? (await this.#remember(project, path)));
      await this.#bringOver(project, from);
      await this.#bringOver(project, to);
      if (from !== undefined && to !== undefined) {
        if (!sameVersion(from, to)) transitions.push({ path, before: from, after: to });
      } else if (was?.committed !== undefined && from === undefined)
        omitted.add('their content before was in git, which no longer has it', path);
      else omitted.add('too large, or too many at once, to be kept', path);
    });
    const leftOut = omitted.all();
    if (transitions.length === 0 && !leftOut.some(({ files }) => files.length > 0)) return undefined;
    const notes = gitNotes(before.git, after.git);
    transitions.sort((a, b) => (a.path < b.path ? -1 : 1));
    return this.#history.recordChange(project, {
      id: `${Date.now().toString(36)}${randomId('').slice(1, 9).replace(/[-_]/g, 'x')}`,
      time: new Date().toISOString(),
      origin,
      transitions,
      moves: [],
      createdDirectories: createdDirectories(project.root, transitions, before),
      removedDirectories: [],
      changesCount: transitions.length,
      observed: true,
      ...(leftOut.length > 0 ? { leftOut } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    });
  }

  /** What is at a path now, in local history. */
  async #remember(project: Project, path: string): Promise<FileVersion | undefined> {
    const loaded = await readVersion(path).catch(() => null);
    if (loaded?.bytes === undefined) return undefined;
    await this.#history.putContent(project, loaded.version.hash, loaded.bytes);
    return loaded.version;
  }

  /** Contents that a look kept for itself go into local history when a change needs them. */
  async #bringOver(project: Project, version: FileVersion | null | undefined): Promise<void> {
    const bytes = version?.kind === 'file' ? this.#looker.content(project, version.hash) : undefined;
    if (version?.kind === 'file' && bytes !== undefined) await this.#history.putContent(project, version.hash, bytes);
  }

  /** Brings what git has of these files into local history. */
  async #fetch(
    project: Project,
    files: readonly (KnownFile | undefined)[],
  ): Promise<Map<string, { hash: string; size: number }>> {
    const wanted = new Map<string, CommittedBlob>();
    for (const known of files)
      if (known?.committed !== undefined && known.version === undefined)
        wanted.set(known.committed.blob, known.committed);
    const found = new Map<string, { hash: string; size: number }>();
    if (wanted.size === 0) return found;
    for await (const { blob, bytes } of committedContents(project, [...wanted.values()])) {
      const hash = contentHash(bytes);
      await this.#history.putContent(project, hash, bytes);
      found.set(blob, { hash, size: bytes.length });
    }
    return found;
  }

  /** What changes that are recorded since then left at each path: Sightline's own, and those of programs that ended earlier. */
  async #ownChanges(project: Project, since: Date): Promise<Map<string, FileVersion | null>> {
    const left = new Map<string, FileVersion | null>();
    for (const change of (await this.#history.list(project, { since })).reverse())
      for (const { path, after } of change.transitions) left.set(path, after);
    return left;
  }
}

/** The version a file had: none when there was no file, undefined when its content is not known. */
function versionOf(
  known: KnownFile | undefined,
  committed: ReadonlyMap<string, { hash: string; size: number }>,
): FileVersion | null | undefined {
  if (known === undefined) return null;
  const content = committed.get(known.committed?.blob ?? '');
  return known.version ?? (content === undefined ? undefined : { kind: 'file', mode: known.mode, ...content });
}

function isSame(was: KnownFile, is: KnownFile): boolean {
  if (isUntouchedSince(was.stamp, is.stamp)) return true;
  if (was.version !== undefined && is.version !== undefined) return sameVersion(was.version, is.version);
  return was.committed !== undefined && was.committed.blob === is.committed?.blob && was.mode === is.mode;
}

/** It is no longer listed (ignored by now, or beyond what is looked at), but has not gone. */
function isStillThere(path: string): boolean {
  const found = stampOf(path);
  if (found === undefined || found.stats.isDirectory()) return false;
  // A directory that became a link shows the files of another one.
  return realpathSync(dirname(path)) === dirname(path);
}

/** Whether a file that was not seen before is older than the program: then it was hidden, and is not the program's to take back. */
function isOlder(path: string, startedMs: number, inodes: ReadonlySet<string>): boolean {
  const stats = stampOf(path)?.stats;
  if (stats === undefined || inodes.has(`${stats.dev}:${stats.ino}`)) return false;
  // Some file systems do not know when a file was made. Their clocks are coarse, but the look at the tree and the start of the program
  // take longer than a tick: nothing that the program made seems older than the beginning of the look.
  const bornNs = stats.birthtimeNs === 0n ? stats.ctimeNs : stats.birthtimeNs;
  return Number(bornNs / 1_000_000n) < startedMs;
}

function inodeOf(signature: string): string {
  return signature.split(':').slice(0, 2).join(':');
}

/** Directories of new files that the program made or moved there: undo removes them once they are empty. */
function createdDirectories(root: string, transitions: readonly Transition[], before: TreeLook): string[] {
  const ids = new Set([...before.directories.values()].map(({ id }) => id));
  const created = new Set<string>();
  for (const { path, before: from } of transitions) {
    if (from !== null) continue;
    for (let at = dirname(path); at !== root && isInside(root, at) && !created.has(at); at = dirname(at)) {
      if (before.directories.has(at)) break;
      if (stampOf(at) === undefined) break;
      if (isOlder(at, before.startedMs, ids)) break;
      created.add(at);
    }
  }
  return [...created].sort((a, b) => a.length - b.length);
}

function gitNotes(before: GitState | undefined, after: GitState | undefined): string[] {
  if (before === undefined) return [];
  if (after === undefined) return ['The git repository is gone; undo cannot bring it back.'];
  const shown = ({ branch, commit }: GitState) => `${branch} ${commit?.slice(0, 8) ?? '(no commit)'}`;
  const notes: string[] = [];
  if (shown(before) !== shown(after))
    notes.push(`git went from ${shown(before)} to ${shown(after)}; undo brings back files, not git's own state.`);
  if (before.stash !== after.stash)
    notes.push(`git's latest stash is ${after.stash?.slice(0, 8) ?? 'none'} now; undo leaves stashes alone.`);
  return notes;
}

/** What a record does not contain, by reason. */
class Omissions {
  readonly #root: string;
  readonly #found = new Map<string, { why: string; count: number; files: string[] }>();

  constructor(root: string) {
    this.#root = root;
  }

  add(why: string, path: string): void {
    const { files } = this.count(why, 1);
    if (files.length < maxNamedFiles) files.push(displayPath(this.#root, path));
  }

  count(why: string, count: number): { files: string[] } {
    const known = this.#found.get(why) ?? { why, count: 0, files: [] };
    known.count += count;
    this.#found.set(why, known);
    return known;
  }

  all(): LeftOut[] {
    return [...this.#found.values()].map(({ why, count, files }) => ({ why, count, files: files.sort() }));
  }
}
