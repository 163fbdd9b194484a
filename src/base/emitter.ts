import type { AsyncDisposer } from './disposable.ts';

type Listener<T> = (event: T) => void;

/** A typed event source. A listener that throws does not keep the others from hearing the event. */
export class Emitter<T> implements AsyncDisposer {
  readonly #listeners = new Set<Listener<T>>();
  readonly #onListenerError: ((error: unknown) => void) | undefined;

  constructor(onListenerError?: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  on(listener: Listener<T>): AsyncDisposer {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  once(listener: Listener<T>): AsyncDisposer {
    const subscription = this.on((event) => {
      void subscription.dispose();
      listener(event);
    });
    return subscription;
  }

  fire(event: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        if (this.#onListenerError === undefined)
          queueMicrotask(() => {
            throw error;
          });
        else this.#onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
