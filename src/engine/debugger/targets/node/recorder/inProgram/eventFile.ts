import { closeSync, openSync, writeSync } from 'node:fs';
import type { RecorderEvent, RecorderLimits } from '../../../../ask/model.ts';

/** Kept from before the program could replace them: fake timers are no timers of ours. */
const later = setImmediate;

const bufferChars = 64_000;
const countsMs = 100;
const busyMs = 500;
/** Counts of lines are written with every turn up to this much, then only together with the others. */
const maxLineChars = 4_000_000;

/**
 * The events of one process on their way to a file. They are written at the end of each turn of the event loop, so that a process
 * that is killed between two turns has told everything; within a turn, whenever enough has gathered.
 */
export class EventFile {
  readonly #path: string;
  readonly #start: RecorderEvent;
  #descriptor: number | undefined;
  readonly #maxBytes: number;
  readonly #counts: () => RecorderEvent;
  #text = '';
  #bytes = 0;
  #isScheduled = false;
  #isStarted = false;
  /** Whether there is anything to tell although no event was written. */
  hasNews: () => boolean = () => false;
  /** Counts of lines that are new since they were last taken. */
  newLineCounts: () => readonly RecorderEvent[] = () => [];
  #lineChars = 0;
  #countsAt = 0;
  #events = 0;
  /** The last events beyond the limits, as a ring. */
  readonly #ring: RecorderEvent[] = [];
  readonly #ringSize: number;
  #ringAt = 0;

  /** Nothing is written, not even `start`, before the first event: most threads have none. */
  constructor(path: string, start: RecorderEvent, limits: RecorderLimits, counts: () => RecorderEvent) {
    this.#path = path;
    this.#start = start;
    this.#maxBytes = limits.maxBytes;
    this.#ringSize = limits.ring;
    this.#counts = counts;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#maxBytes;
  }

  write(event: RecorderEvent): void {
    if (this.isFull) return;
    this.#append(JSON.stringify(event));
    if (this.#text.length > bufferChars) this.#flush();
    this.#tick();
  }

  /** Kept until as many have come after it. */
  writeLast(event: RecorderEvent): void {
    this.#ring[this.#ringAt++ % this.#ringSize] = event;
    this.#tick();
  }

  /** A program that is busy in one turn for long is heard all the same. */
  #tick(): void {
    this.schedule();
    if ((++this.#events & 31) === 0 && Date.now() - this.#countsAt > busyMs) this.sync();
  }

  /** Everything so far, now. */
  sync(): void {
    this.#countsAt = Date.now();
    this.#drain();
    this.#writeCounts();
  }

  schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    later(() => {
      this.#isScheduled = false;
      this.#drain();
      if (this.#lineChars < maxLineChars) this.#appendLines();
      this.#flush();
      const now = Date.now();
      if (now - this.#countsAt < countsMs) return;
      this.#countsAt = now;
      this.#writeCounts();
    }).unref();
  }

  end(): void {
    try {
      this.#drain();
      this.#writeCounts();
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    } catch {
      // The program ends as it would; what it told is there.
    }
  }

  #append(line: string): void {
    this.#text += `${line}\n`;
    this.#bytes += line.length + 1;
  }

  #drain(): void {
    if (this.#ring.length === 0) return;
    for (const event of this.#ring) if (!this.isFull) this.#append(JSON.stringify(event));
    this.#ring.length = 0;
    this.#ringAt = 0;
  }

  #writeCounts(): void {
    if (this.#bytes === 0 && !this.hasNews()) return;
    this.#appendLines();
    this.#text += `${JSON.stringify(this.#counts())}\n`;
    this.#flush();
  }

  #appendLines(): void {
    for (const event of this.newLineCounts()) {
      const line = JSON.stringify(event);
      this.#text += `${line}\n`;
      this.#lineChars += line.length;
    }
  }

  #flush(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    try {
      this.#descriptor ??= openSync(this.#path, 'a', 0o600);
      writeSync(this.#descriptor, this.#isStarted ? text : `${JSON.stringify(this.#start)}\n${text}`);
      this.#isStarted = true;
    } catch {
      this.#bytes = this.#maxBytes;
    }
  }
}
