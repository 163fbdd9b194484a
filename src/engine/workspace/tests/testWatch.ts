import { join } from 'node:path';
import { delay, untilCancelled } from '../../../base/cancellation.ts';
import { Deferred } from '../../../base/deferred.ts';
import type { Job } from '../jobs/jobStore.ts';
import type { TestBatch } from './testEngine.ts';

export interface WatchWork {
  /** Runs what was asked for, or what changed files can affect; undefined when that is nothing. */
  start: (changed: readonly string[] | undefined) => Promise<TestBatch | undefined>;
  /** A run in a few words, for the job's output. */
  summary: (batch: TestBatch | undefined, changed: readonly string[]) => Promise<string>;
}

/**
 * Tests that run again when files change, for as long as their job runs. The job is the program that looks for changes; what the runs
 * came to is added to its output.
 */
export class TestWatch {
  readonly job: Job;
  readonly #work: WatchWork;
  readonly #root: string;
  readonly #over = new AbortController();
  readonly #ready = new Deferred<void>();
  #unread = '';
  #collected: string[] = [];
  #changed: string[] = [];
  #wake = new Deferred<void>();
  #next = new Deferred<TestBatch>();
  #latest: TestBatch | undefined;
  #isTold = false;
  /** How often tests were run. */
  runs = 0;
  failure: unknown;

  constructor(job: Job, root: string, work: WatchWork) {
    this.job = job;
    this.#root = root;
    this.#work = work;
    this.#read(job.output.readAll());
    job.output.onDidAppend.on((bytes) => this.#read(bytes.toString('utf8')));
    void job.ended.then(() => this.#end());
    void this.#loop().catch((error: unknown) => {
      this.failure = error;
      this.#end();
    });
  }

  get latest(): TestBatch | undefined {
    return this.#latest;
  }

  /** The first run that was not told yet, begun or ended; undefined when nothing changes for so long, or the watch is over. */
  async next(waitMs: number, signal: AbortSignal): Promise<TestBatch | undefined> {
    if (!this.#isTold && this.#latest !== undefined) return this.#latest;
    const done = new AbortController();
    const late = delay(Math.max(waitMs, 0), done.signal).catch(() => undefined);
    const over = this.job.ended.then(() => undefined);
    try {
      const found = await untilCancelled(Promise.race([this.#next.promise, late, over]), signal);
      if (found instanceof Object) return found;
    } finally {
      done.abort();
    }
    if (this.failure !== undefined) throw this.failure;
    return undefined;
  }

  /** The latest run has been told when it had ended. */
  markTold(batch: TestBatch): void {
    if (batch === this.#latest && batch.hasEnded) this.#isTold = true;
  }

  async #loop(): Promise<void> {
    // A change while the first tests run must not be missed.
    await this.#ready.promise;
    let changed: string[] | undefined;
    while (!this.#over.signal.aborted) {
      const batch = await this.#work.start(changed);
      if (batch !== undefined) {
        this.#latest = batch;
        this.#isTold = false;
        this.runs++;
        const told = this.#next;
        this.#next = new Deferred();
        told.resolve(batch);
        await batch.ended;
      }
      this.#say(await this.#work.summary(batch, changed ?? []));
      if (this.#changed.length === 0) await this.#wake.promise;
      this.#wake = new Deferred();
      changed = this.#changed.splice(0);
    }
  }

  #say(text: string): void {
    if (this.job.exit === undefined && text !== '') this.job.output.append('stderr', Buffer.from(`${text}\n`));
  }

  #read(text: string): void {
    const lines = (this.#unread + text).split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) {
      if (line === 'watching') this.#ready.resolve();
      if (line.startsWith('changed ')) this.#collected.push(join(this.#root, line.slice('changed '.length)));
      if (line === 'changed.') {
        this.#changed.push(...this.#collected.splice(0));
        this.#wake.resolve();
      }
    }
  }

  #end(): void {
    this.#over.abort();
    this.#ready.resolve();
    this.#wake.resolve();
    if (this.#latest !== undefined && !this.#latest.hasEnded) void this.#latest.stop();
    if (this.failure !== undefined) void this.job.stop();
  }
}
