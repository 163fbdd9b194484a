import { open, type FileHandle } from 'node:fs/promises';

/** How often is for whoever watches a run; what is left at its end is read at once. */
const pollMs = 200;
const chunkBytes = 64 * 1024;
/** A line longer than this is no event of ours: a reporter bounds what it writes. */
const maxLineChars = 4 * 1024 * 1024;

/** Reads the lines of a file that somebody else goes on writing. */
export class EventTail {
  readonly #path: string;
  readonly #onLine: (line: string) => void;
  #file: FileHandle | undefined;
  /** One for all readings: a new one each time is what the collector of garbage would be busy with. */
  readonly #buffer = Buffer.allocUnsafe(chunkBytes);
  #offset = 0;
  #rest = '';
  #decoder = new TextDecoder();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string, onLine: (line: string) => void) {
    this.#path = path;
    this.#onLine = onLine;
  }

  start(): void {
    this.#timer = setInterval(() => this.#read(), pollMs);
    this.#timer.unref();
  }

  /** What has been written so far has been read when this resolves. */
  async catchUp(): Promise<void> {
    this.#read();
    await this.#reading;
  }

  /** Reads the rest and lets go of the file. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.catchUp();
    if (this.#rest.trim() !== '') this.#onLine(this.#rest);
    this.#rest = '';
    await this.#file?.close();
  }

  #read(): void {
    // One reading after the other; a failed one is tried again by the next.
    this.#reading = this.#reading.then(() => this.#readOn()).catch(() => undefined);
  }

  async #readOn(): Promise<void> {
    this.#file ??= await open(this.#path, 'r');
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, chunkBytes, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      this.#take(this.#decoder.decode(this.#buffer.subarray(0, bytesRead), { stream: true }));
    }
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > maxLineChars) this.#rest = '';
    for (const line of lines) if (line !== '') this.#onLine(line);
  }
}
