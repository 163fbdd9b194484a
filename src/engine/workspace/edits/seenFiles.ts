import { currentVersion } from '../buffers/currentVersion.ts';
import { unsavedBuffer } from '../buffers/unsaved.ts';
import { withBytes, type LoadedVersion } from './readVersion.ts';

/**
 * What files held when an operation first looked at them. Each is read once, however many steps of the operation need it; that it
 * is still the same is checked when the change is made.
 */
export class SeenFiles {
  readonly #seen = new Map<string, Promise<LoadedVersion | null>>();

  /** Shows the bytes of a regular file to `work`, which must not keep them; undefined when it cannot be read. */
  async look<T>(path: string, work: (bytes: Buffer) => T): Promise<T | undefined> {
    const known = this.#seen.get(path);
    if (known === undefined) {
      const buffer = unsavedBuffer(path);
      return buffer === undefined ? withBytes(path, work) : work(Buffer.from(buffer.text, 'utf8'));
    }
    const bytes = (await known)?.bytes;
    return bytes === undefined ? undefined : work(bytes);
  }

  /** Reads a file that will probably be asked for; what it comes to is told to whoever asks. */
  async readAhead(path: string): Promise<void> {
    const found = await this.read(path).catch(() => null);
    // Told apart by its content, which takes about as long as reading it.
    if (found?.bytes !== undefined) void found.version;
  }

  read(path: string): Promise<LoadedVersion | null> {
    let found = this.#seen.get(path);
    if (found === undefined) {
      found = currentVersion(path);
      this.#seen.set(path, found);
      // A file that could not be read may be readable the next time.
      found.catch(() => this.#seen.delete(path));
    }
    return found;
  }
}
