import { disposeAll, type AsyncDisposer } from '../../base/disposable.ts';

interface Entry<T> {
  value: T;
  /** Exchanges that are going on: requests being answered and open streams. */
  open: number;
  lastUsedMs: number;
}

export interface IdleTableLimits {
  maxEntries: number;
  idleMs: number;
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
    this.#entries.set(id, { value, open: 0, lastUsedMs: Date.now() });
    return true;
  }

  /** Marks an exchange as going on until the returned function is called. */
  use(id: string): () => void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return () => undefined;
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

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#dispose(entry.value);
  }

  async dispose(): Promise<void> {
    clearInterval(this.#sweeper);
    const values = [...this.#entries.values()].map((entry) => entry.value);
    this.#entries.clear();
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
