import { join } from 'node:path';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import { silentLogger, type Logger } from '../../../base/logger.ts';
import type { ChangeRecorder, KeptContents } from '../edits/applier.ts';
import type { JournalRecord } from '../edits/journal.ts';
import type { Project } from '../project.ts';
import { BlobStore } from './blobStore.ts';
import { ChangeLog, type ChangeRecord } from './changeLog.ts';
import { ContentPacks } from './contentPacks.ts';

export interface HistoryLimits {
  maxBytes: number;
  maxAgeMs: number;
  maxChanges: number;
  /** Of all changes together: what is held in memory grows with them. */
  maxFiles: number;
}

export const defaultHistoryLimits: HistoryLimits = {
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

  async keepContents(project: Project, id: string, contents: KeptContents): Promise<void> {
    await this.#store(project).packs.write(id, contents);
  }

  async forgetContents(project: Project, id: string): Promise<void> {
    await this.#store(project).packs.drop(id);
  }

  async record(project: Project, change: JournalRecord): Promise<void> {
    await this.recordChange(project, {
      id: change.id,
      time: change.time,
      origin: change.origin,
      undoOf: change.undoOf,
      transitions: change.entries.map(({ path, before, after }) => ({ path, before, after })),
      moves: change.moves,
      createdDirectories: change.createdDirectories,
      removedDirectories: change.removedDirectories,
      changesCount: change.changesCount,
    });
  }

  /** Writes a change down whose contents have been kept, in a pack of its own or one by one. */
  async recordChange(
    project: Project,
    change: Omit<ChangeRecord, 'format' | 'storedBytes' | 'missing'>,
  ): Promise<ChangeRecord> {
    const store = this.#store(project);
    const packed = await store.packs.sizes(change.id);
    const moved = new Set(change.moves.flatMap((move) => [move.from, move.to]));
    const sizes = new Map<string, number>();
    const missing = new Set<string>();
    for (const { path, before, after } of change.transitions)
      for (const version of [before, after]) {
        if (version === null || version.kind === 'symlink' || sizes.has(version.hash)) continue;
        const size = packed.get(version.hash) ?? (await store.blobs.touch(version.hash));
        if (size !== undefined) sizes.set(version.hash, size);
        else if (!moved.has(path)) missing.add(version.hash);
      }
    const record: ChangeRecord = {
      format: 1,
      ...change,
      ...(missing.size > 0 ? { missing: [...missing] } : {}),
      storedBytes: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    };
    await store.log.add(record);
    store.recordedSinceTrim += 1;
    this.#settleSoon(project, store);
    this.onRecorded.fire({ project, change: record });
    return record;
  }

  async has(project: Project, id: string): Promise<boolean> {
    return (await this.#store(project).log.get(id)) !== undefined;
  }

  async get(project: Project, id: string): Promise<ChangeRecord> {
    const found = await this.#store(project).log.get(id);
    if (found !== undefined) return found;
    throw new ToolError('history_not_found', `Local history of ${project.name} has no change ${id}.`, {
      hint: 'list_changes shows what there is; old changes are dropped when history grows too large.',
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
          (filter.client === undefined || change.origin.client === filter.client) &&
          (filter.tool === undefined || change.origin.tool === filter.tool) &&
          (since === undefined || change.time >= since) &&
          (filter.path === undefined ||
            change.transitions.some((one) => one.path === filter.path || one.path.startsWith(`${filter.path}/`))),
      );
  }

  /** The ids of changes that a later undo took back and no undo of that undo brought again. */
  async undoneIds(project: Project): Promise<Set<string>> {
    const undone = new Set<string>();
    for (const change of await this.#store(project).log.all()) {
      for (const id of change.undoOf ?? []) {
        undone.add(id);
        const target = await this.#store(project).log.get(id);
        for (const again of target?.undoOf ?? []) undone.delete(again);
      }
    }
    return undone;
  }

  async content(project: Project, hash: string): Promise<Buffer | undefined> {
    const { blobs, packs } = this.#store(project);
    // A pack may be taken apart between the two looks: then its contents are blobs by now.
    return (await blobs.get(hash)) ?? (await packs.get(hash)) ?? (await blobs.get(hash));
  }

  putContent(project: Project, hash: string, bytes: Buffer): Promise<number> {
    return this.#store(project).blobs.put(hash, bytes);
  }

  /** Takes packs apart into compressed contents that are kept once, and keeps to the limits. */
  async settle(project: Project): Promise<void> {
    const store = this.#store(project);
    for (const id of await store.packs.ids()) {
      const record = await store.log.get(id);
      // A change that is not written down is being made this very moment.
      if (record === undefined) continue;
      let storedBytes = 0;
      for await (const { hash, bytes } of store.packs.contents(id)) storedBytes += await store.blobs.put(hash, bytes);
      if ((await store.log.get(id)) !== undefined) await store.log.add({ ...record, storedBytes });
      await store.packs.drop(id);
    }
    if (store.recordedSinceTrim >= changesBetweenTrims) await this.trim(project);
  }

  /** What is not compressed yet stays as it is for the next process. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const store of this.#stores.values()) clearTimeout(store.settling.timer);
    await Promise.all(this.#running);
  }

  #settleSoon(project: Project, store: Store): void {
    clearTimeout(store.settling.timer);
    const delayMs = store.settling.waiting++ < maxUnsettled ? settleAfterMs : 0;
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
      await store.packs.drop(change.id);
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
    await store.blobs.sweep((hash) => used.has(hash));
  }

  #store(project: Project): Store {
    let store = this.#stores.get(project.stateDir);
    if (store === undefined) {
      const directory = join(project.stateDir, 'history');
      store = {
        blobs: new BlobStore(join(directory, 'blobs')),
        packs: new ContentPacks(join(directory, 'packs')),
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

interface Store {
  blobs: BlobStore;
  packs: ContentPacks;
  log: ChangeLog;
  recordedSinceTrim: number;
  settling: { timer: NodeJS.Timeout | undefined; waiting: number };
}
