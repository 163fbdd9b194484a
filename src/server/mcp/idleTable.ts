import { disposeAll, type AsyncDisposer } from '../../base/disposable.ts';

interface Entry<T> {
  value: T;
  /** Exchanges that are going on: requests being answered and open streams. */
  open: number;
  lastUsedMs: number;
  /** Set while the entry is thought to be lost; the next use takes it back. */
  lost: NodeJS.Timeout | undefined;
}

export interface IdleTableLimits {
  maxEntries: number;
  idleMs: number;
  /** A client whose stream broke is taken for gone when it does not come back within this. */
  lostMs: number;
}

/** Connections by id, bounded in number and in idle time. Those in use are never dropped. */
export class IdleTable<T extends AsyncDisposer> implements AsyncDisposer {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #limits: IdleTableLimits;
  readonly #sweeper: NodeJS.Timeout;
  readonly #onError: (error: unknown) => void;

  constructor(limits: IdleTableLimits, onError: (error: unknown) => void) {
    this.#limits = limits;
    this.#onError = onError;
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(Math.min(limits.idleMs / 4, 60_000), 10));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): T | undefined {
    return this.#entries.get(id)?.value;
  }

  /** False when the table is full of entries in use. */
  add(id: string, value: T): boolean {
    if (this.#entries.size >= this.#limits.maxEntries && !this.#dropOldestIdle()) return false;
    this.#entries.set(id, { value, open: 0, lastUsedMs: Date.now(), lost: undefined });
    return true;
  }

  /** Marks an exchange as going on until the returned function is called. */
  use(id: string): () => void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return () => undefined;
    clearTimeout(entry.lost);
    entry.open++;
    entry.lastUsedMs = Date.now();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      entry.open--;
      entry.lastUsedMs = Date.now();
      // The map's order is the order of use, so that the oldest is found at its beginning.
      if (this.#entries.get(id) === entry) {
        this.#entries.delete(id);
        this.#entries.set(id, entry);
      }
    };
  }

  /** The other side seems to have gone: unless it comes back within the time, the entry goes too. */
  dropUnlessUsed(id: string, withinMs: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.open > 0) return;
    clearTimeout(entry.lost);
    entry.lost = setTimeout(() => this.remove(id), withinMs);
    entry.lost.unref();
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.lost);
    this.#entries.delete(id);
    this.#dispose(entry.value);
  }

  async dispose(): Promise<void> {
    clearInterval(this.#sweeper);
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) clearTimeout(entry.lost);
    const values = entries.map((entry) => entry.value);
    await disposeAll(values);
  }

  #sweep(): void {
    const oldest = Date.now() - this.#limits.idleMs;
    for (const [id, entry] of this.#entries) if (entry.open === 0 && entry.lastUsedMs < oldest) this.remove(id);
  }

  #dropOldestIdle(): boolean {
    for (const [id, entry] of this.#entries) {
      if (entry.open > 0) continue;
      this.remove(id);
      return true;
    }
    return false;
  }

  #dispose(value: T): void {
    Promise.resolve(value.dispose()).catch(this.#onError);
  }
}
