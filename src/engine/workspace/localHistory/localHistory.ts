import { join } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import { silentLogger, type Logger } from '../../../base/logger.ts';
import type { ChangeRecorder } from '../edits/applier.ts';
import type { JournalRecord } from '../edits/journal.ts';
import type { ChangeOrigin } from '../edits/operations.ts';
import type { Project } from '../project.ts';
import { ChangeContents, unsettledBytes } from './changeContents.ts';
import { ChangeLog, type ChangeRecord } from './changeLog.ts';

export interface HistoryLimits {
  maxBytes: number;
  maxAgeMs: number;
  maxChanges: number;
  /** Of all changes together: what is held in memory grows with them. */
  maxFiles: number;
}

const defaultHistoryLimits: HistoryLimits = {
  maxBytes: 256 * 1024 * 1024,
  maxAgeMs: 30 * 24 * 3600 * 1000,
  maxChanges: 5000,
  maxFiles: 100_000,
};

/** Contents are compressed when nothing has been recorded for this long, or when many changes wait for it. */
const settleAfterMs = 3000;
const maxUnsettled = 50;
const changesBetweenTrims = 50;

export interface ChangeFilter {
  callId?: string;
  /** By its id, or by its name, with or without a version: that is every connection of a program. */
  client?: string;
  tool?: string;
  /** A canonical path; changes of files below it count too. */
  path?: string;
  since?: Date;
}

/** Remembers every change made through Sightline, per project, outside the project, so that a person can take it back. */
export class LocalHistory implements ChangeRecorder {
  readonly onRecorded = new Emitter<{ project: Project; change: ChangeRecord }>();
  readonly #stores = new Map<string, Store>();
  readonly #running = new Set<Promise<void>>();
  #isDisposed = false;
  readonly #limits: HistoryLimits;
  readonly #logger: Logger;

  constructor(options: { limits?: HistoryLimits; logger?: Logger } = {}) {
    this.#limits = options.limits ?? defaultHistoryLimits;
    this.#logger = options.logger ?? silentLogger;
  }

  async openShelf(project: Project, id: string, contents: ReadonlyMap<string, Buffer>): Promise<string | undefined> {
    return contents.size === 0 ? undefined : this.#store(project).contents.open(id, contents);
  }

  async forgetContents(project: Project, id: string): Promise<void> {
    await this.#store(project).contents.clear(id);
  }

  /** What it replaced is on its shelf; what it made is remembered, and stands in the project. */
  async record(project: Project, change: JournalRecord): Promise<void> {
    await this.#add(project, {
      format: 1,
      id: change.id,
      time: change.time,
      origin: change.origin,
      undoOf: change.undoOf,
      transitions: change.entries.map(({ path, before, after }) => ({ path, before, after })),
      moves: change.moves,
      editedMoves: change.editedMoves,
      createdDirectories: change.createdDirectories,
      removedDirectories: change.removedDirectories,
      changesCount: change.changesCount,
      storedBytes: unsettledBytes(change.entries, change.moves),
    });
  }

  /** Writes a change down whose contents have been put here one by one, as far as they are kept. */
  async recordChange(
    project: Project,
    change: Omit<ChangeRecord, 'format' | 'storedBytes' | 'missing'>,
  ): Promise<ChangeRecord> {
    const kept = await this.#store(project).contents.storedOf(change.transitions, change.moves);
    return this.#add(project, { format: 1, ...change, ...kept });
  }

  async #add(project: Project, record: ChangeRecord): Promise<ChangeRecord> {
    const store = this.#store(project);
    await store.log.add(record);
    store.recordedSinceTrim += 1;
    this.#settleSoon(project, store);
    this.onRecorded.fire({ project, change: record });
    return record;
  }

  async forgetUnrecorded(project: Project): Promise<void> {
    const { contents, log } = this.#store(project);
    for (const id of await contents.unsettledIds()) if ((await log.get(id)) === undefined) await contents.clear(id);
  }

  async has(project: Project, id: string): Promise<boolean> {
    return (await this.#store(project).log.get(id)) !== undefined;
  }

  async get(project: Project, id: string): Promise<ChangeRecord> {
    const found = await this.#store(project).log.get(id);
    if (found !== undefined) return found;
    throw new ToolError('history_not_found', `Local history of ${project.name} has no change ${id}.`, {
      hint: advise`${step('listChanges')} shows what there is; old changes are dropped when history grows too large.`,
    });
  }

  /** Latest first. */
  async list(project: Project, filter: ChangeFilter = {}): Promise<ChangeRecord[]> {
    const since = filter.since?.toISOString();
    return (await this.#store(project).log.all())
      .reverse()
      .filter(
        (change) =>
          (filter.callId === undefined || change.origin.callId === filter.callId) &&
          (filter.client === undefined || isOfClient(change.origin, filter.client)) &&
          (filter.tool === undefined || change.origin.tool === filter.tool) &&
          (since === undefined || change.time >= since) &&
          (filter.path === undefined ||
            change.transitions.some((one) => one.path === filter.path || one.path.startsWith(`${filter.path}/`))),
      );
  }

  /** The ids of changes that a later undo took back, unless that undo was itself taken back, and so on. */
  async undoneIds(project: Project): Promise<Set<string>> {
    const undone = new Set<string>();
    for (const change of (await this.#store(project).log.all()).reverse())
      if (!undone.has(change.id)) for (const id of change.undoOf ?? []) undone.add(id);
    return undone;
  }

  content(project: Project, hash: string): Promise<Buffer | undefined> {
    return this.#store(project).contents.get(hash);
  }

  putContent(project: Project, hash: string, bytes: Buffer): Promise<number> {
    return this.#store(project).contents.put(hash, bytes);
  }

  /**
   * Compresses the contents of changes, each kept once, and keeps to the limits. Changes of other processes are left to them for a while:
   * they remember more.
   */
  async settle(project: Project, leftToOthersMs = 60_000): Promise<void> {
    const store = this.#store(project);
    const newest = new Date(Date.now() - leftToOthersMs).toISOString();
    await this.#compress(store, ({ time }) => time <= newest);
    if (store.recordedSinceTrim >= changesBetweenTrims) await this.trim(project);
  }

  async #compress({ contents, log }: Store, isOthersToo: (change: ChangeRecord) => boolean): Promise<void> {
    for (const id of await contents.unsettledIds()) {
      const record = await log.get(id);
      // A change that is not written down is being made this very moment.
      if (record === undefined || !(contents.isUnsettled(id) || isOthersToo(record))) continue;
      const kept = await contents.settle(record);
      if ((await log.get(id)) !== undefined) await log.add({ ...record, ...kept });
      await contents.clear(id);
    }
  }

  /** What is only remembered is written down; the rest is compressed with it. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const store of this.#stores.values()) clearTimeout(store.settling.timer);
    await Promise.all(this.#running);
    for (const store of this.#stores.values()) await this.#compress(store, () => false);
  }

  #settleSoon(project: Project, store: Store): void {
    clearTimeout(store.settling.timer);
    const isUrgent = store.settling.waiting++ >= maxUnsettled || store.contents.isNearlyFull;
    const delayMs = isUrgent ? 0 : settleAfterMs;
    if (this.#isDisposed) return;
    store.settling.timer = setTimeout(() => {
      store.settling.waiting = 0;
      const settling = this.settle(project)
        .catch((error: unknown) => this.#logger.warn('Local history could not be compressed.', error))
        .finally(() => this.#running.delete(settling));
      this.#running.add(settling);
    }, delayMs);
    store.settling.timer.unref();
  }

  /** Drops the oldest changes until the rest fits the limits, then the contents nothing refers to. */
  async trim(project: Project): Promise<void> {
    const store = this.#store(project);
    store.recordedSinceTrim = 0;
    const changes = await store.log.all();
    const oldest = new Date(Date.now() - this.#limits.maxAgeMs).toISOString();
    let bytes = changes.reduce((sum, change) => sum + change.storedBytes, 0);
    let files = changes.reduce((sum, change) => sum + change.transitions.length, 0);
    let count = changes.length;
    let dropped = 0;
    const { maxBytes, maxChanges, maxFiles } = this.#limits;
    for (const change of changes) {
      if (bytes <= maxBytes && count <= maxChanges && files <= maxFiles && change.time >= oldest) break;
      // The change just made stays undoable, however large it was.
      if (count === 1 && change.time >= oldest) break;
      await store.log.drop(change.id);
      await store.contents.clear(change.id);
      bytes -= change.storedBytes;
      files -= change.transitions.length;
      count -= 1;
      dropped += 1;
    }
    if (dropped > 0) this.#logger.info(`Local history of ${project.name} dropped its ${dropped} oldest changes.`);
    const used = new Set<string>();
    for (const change of await store.log.all())
      for (const { before, after } of change.transitions)
        for (const version of [before, after]) if (version !== null) used.add(version.hash);
    await store.contents.sweep((hash) => used.has(hash));
  }

  #store(project: Project): Store {
    let store = this.#stores.get(project.stateDir);
    if (store === undefined) {
      const directory = join(project.stateDir, 'history');
      store = {
        contents: new ChangeContents(directory),
        log: new ChangeLog(join(directory, 'changes')),
        // Whoever comes first cleans up what processes before it left, however few changes each of them made.
        recordedSinceTrim: changesBetweenTrims,
        settling: { timer: undefined, waiting: 0 },
      };
      this.#stores.set(project.stateDir, store);
    }
    return store;
  }
}

function isOfClient({ client, clientName }: ChangeOrigin, wanted: string): boolean {
  return client === wanted || clientName === wanted || clientName?.startsWith(`${wanted} `) === true;
}

interface Store {
  contents: ChangeContents;
  log: ChangeLog;
  recordedSinceTrim: number;
  settling: { timer: NodeJS.Timeout | undefined; waiting: number };
}
