import { closeSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CancelledError } from '../../../base/errors.ts';
import { contentHash, randomId } from '../../../base/ids.ts';

/**
 * Contents by hash that only this process needs, in one file without a name: adding one costs next to nothing, and however the
 * process ends, nothing is left behind.
 */
export class ScratchFile {
  readonly #file: number;
  #isDisposed = false;
  readonly #places = new Map<string, { start: number; length: number }>();
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written = 0;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, `${randomId('scratch')}.tmp`);
    this.#file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  get bytes(): number {
    return this.#written + this.#waitingBytes;
  }

  has(hash: string): boolean {
    return this.#places.has(hash);
  }

  put(hash: string, bytes: Buffer): void {
    this.#check();
    if (this.has(hash)) return;
    this.#places.set(hash, { start: this.bytes, length: bytes.length });
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= bytesAtOnce) this.#flush();
  }

  /** Undefined when it is not here, or damaged. */
  get(hash: string): Buffer | undefined {
    this.#check();
    const place = this.#places.get(hash);
    if (place === undefined) return undefined;
    this.#flush();
    const bytes = Buffer.alloc(place.length);
    const read = readSync(this.#file, bytes, 0, place.length, place.start);
    return read === place.length && contentHash(bytes) === hash ? bytes : undefined;
  }

  dispose(): void {
    if (!this.#isDisposed) closeSync(this.#file);
    this.#isDisposed = true;
  }

  /** The number of a closed file may be that of another one by now. */
  #check(): void {
    if (this.#isDisposed) throw new CancelledError('Sightline is shutting down.');
  }

  #flush(): void {
    if (this.#waitingBytes === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written + done);
    this.#written += bytes.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

const bytesAtOnce = 1024 * 1024;
