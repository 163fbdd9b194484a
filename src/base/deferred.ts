/** A promise with its resolver outside. Settling twice is harmless: the first settlement counts. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  resolve!: (value: T | PromiseLike<T>) => void;
  reject!: (reason: unknown) => void;
  #settled = false;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = (value) => {
        this.#settled = true;
        resolve(value);
      };
      this.reject = (reason) => {
        this.#settled = true;
        reject(reason);
      };
    });
    // A rejection nobody awaits yet must not take the process down; awaiting `promise` still sees it.
    this.promise.catch(() => undefined);
  }

  get isSettled(): boolean {
    return this.#settled;
  }
}
