import { setTimeout as delay } from 'node:timers/promises';
import type { SuspendPolicy } from '../../../model.ts';
import type { Isolate } from './isolate.ts';
import type { Peers } from './isolates.ts';

/** A thread that does not answer sits in native code; the others do not wait for it. */
const releasePatienceMs = 400;

/**
 * Keeps the other threads and processes of a session still while one stands at a stop whose policy is `all`. A thread that
 * sits in native code cannot be held; it goes on until it runs JavaScript again. A step lets the others run too: it may need them.
 *
 * What is said to a worker passes through the main thread of its process. Once that runs, it may wait for the very worker and
 * pass on nothing, so workers are let go first, and nothing of a pause is left in them.
 */
export class Holding {
  readonly #peers: Peers;
  /** Threads at a stop of their own. */
  readonly #stops = new Map<string, SuspendPolicy>();
  /** What held at the last stop of a thread holds for its steps. */
  readonly #lastPolicies = new Map<string, SuspendPolicy>();

  constructor(peers: Peers) {
    this.#peers = peers;
  }

  /** `policy` is undefined at the end of a step. */
  paused(isolate: Isolate, policy: SuspendPolicy | undefined): void {
    const held = policy ?? this.#lastPolicies.get(isolate.threadId) ?? 'all';
    this.#stops.set(isolate.threadId, held);
    this.#lastPolicies.set(isolate.threadId, held);
    if (held !== 'all') return;
    for (const other of this.#peers.isolates()) if (other !== isolate) this.#hold(other);
  }

  /** A new process or worker while everything stands still. */
  joined(isolate: Isolate): void {
    if (this.#isHolding()) this.#hold(isolate);
  }

  /** Lets a thread go, and what was held for it; while another stop holds everything, it is held itself from now on. */
  async resume(isolate: Isolate): Promise<void> {
    if (isolate.isHeld) this.#stops.clear();
    this.#stops.delete(isolate.threadId);
    if (this.#isHolding()) return isolate.stayHeld();
    await this.#releaseAll();
  }

  /** The others go on; they are held again when the step has ended. */
  async stepping(isolate: Isolate): Promise<void> {
    this.#stops.delete(isolate.threadId);
    if (!this.#isHolding()) await this.#releaseAll(isolate);
  }

  gone(isolate: Isolate): void {
    const wasPaused = this.#stops.delete(isolate.threadId);
    if (wasPaused && !this.#isHolding()) this.#releaseQuietly(isolate);
  }

  #hold(isolate: Isolate): void {
    if (!this.#stops.has(isolate.threadId)) isolate.hold().catch(() => undefined);
  }

  #isHolding(): boolean {
    return [...this.#stops.values()].includes('all');
  }

  #releaseQuietly(except: Isolate): void {
    this.#releaseAll(except).catch(() => undefined);
  }

  async #releaseAll(except?: Isolate): Promise<void> {
    const others = this.#peers.isolates().filter((each) => each !== except && !this.#stops.has(each.threadId));
    for (const areWorkers of [true, false])
      await Promise.all(others.filter((each) => each.isWorker === areWorkers).map((each) => inTime(each.release())));
  }
}

async function inTime(released: Promise<void>): Promise<void> {
  const patience = new AbortController();
  await Promise.race([released, delay(releasePatienceMs, undefined, { signal: patience.signal, ref: false })]).finally(
    () => patience.abort(),
  );
}
