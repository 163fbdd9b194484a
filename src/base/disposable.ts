/** Everything long-lived is disposable. A store owns several and lets go of them in reverse order, once. */
export interface AsyncDisposer {
  dispose(): void | Promise<void>;
}

export class DisposableStore implements AsyncDisposer {
  readonly #items: AsyncDisposer[] = [];
  #disposal: Promise<void> | undefined;

  get isDisposed(): boolean {
    return this.#disposal !== undefined;
  }

  /** Takes ownership of `item`; if the store is already gone the item goes at once. */
  add<T extends AsyncDisposer>(item: T): T {
    if (this.isDisposed) void item.dispose();
    else this.#items.push(item);
    return item;
  }

  addFunction(dispose: () => void | Promise<void>): void {
    this.add({ dispose });
  }

  /** Disposes every item even if some fail; the first failure is thrown when all have been tried. */
  dispose(): Promise<void> {
    this.#disposal ??= this.#disposeAll();
    return this.#disposal;
  }

  async #disposeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const item of this.#items.splice(0).reverse()) {
      try {
        await item.dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Disposes several things at once; the first failure is thrown when all have been tried. */
export async function disposeAll(items: Iterable<AsyncDisposer>): Promise<void> {
  const outcomes = await Promise.allSettled([...items].map(async (item) => item.dispose()));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
