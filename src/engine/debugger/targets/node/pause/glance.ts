import { setTimeout as delay } from 'node:timers/promises';
import { Deferred } from '../../../../../base/deferred.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;

/** A moment for which a running thread stands still to be looked at, before it goes on as if nothing had been. */
export class Glance {
  readonly #pause = new Deferred<PausedEvent | undefined>();

  /** A pause that nobody else wanted. */
  take(event: PausedEvent): void {
    this.#pause.resolve(event);
  }

  /** The thread has stopped for another reason, or is gone. */
  end(): void {
    this.#pause.resolve(undefined);
  }

  /** Undefined when no pause came in time; one that comes later is not this glance's any more. */
  async paused(patienceMs: number): Promise<PausedEvent | undefined> {
    const patience = new AbortController();
    const late = delay(patienceMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
    const event = await Promise.race([this.#pause.promise, late]);
    patience.abort();
    return event;
  }
}
