import type { SuspendPolicy } from '../../model.ts';
import type { Isolate } from './isolate.ts';
import type { Peers } from './peers.ts';

/** A step that takes longer may be waiting for what another thread does. */
const stepPatienceMs = 150;

/**
 * Keeps the other threads and processes of a session still while one stands at a stop whose policy is `all`. A thread that
 * sits in native code cannot be held; it goes on until it runs JavaScript again.
 */
export class Holding {
  readonly #peers: Peers;
  /** Threads at a stop of their own. */
  readonly #stops = new Map<string, SuspendPolicy>();
  /** What held at the last stop of a thread holds for its steps. */
  readonly #lastPolicies = new Map<string, SuspendPolicy>();
  #patience: NodeJS.Timeout | undefined;

  constructor(peers: Peers) {
    this.#peers = peers;
  }

  /** `policy` is undefined at the end of a step. */
  stopped(isolate: Isolate, policy: SuspendPolicy | undefined): void {
    clearTimeout(this.#patience);
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

  /** The others stay where they are, unless the step turns out to need them. */
  stepping(isolate: Isolate): void {
    this.#stops.delete(isolate.threadId);
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => {
      if (!this.#isHolding()) this.#releaseQuietly(isolate);
    }, stepPatienceMs);
    this.#patience.unref();
  }

  gone(isolate: Isolate): void {
    const wasStopped = this.#stops.delete(isolate.threadId);
    if (wasStopped && !this.#isHolding()) this.#releaseQuietly(isolate);
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
    await Promise.all(others.map((each) => each.release()));
  }
}
