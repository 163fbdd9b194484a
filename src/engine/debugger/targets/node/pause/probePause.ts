import { setTimeout as delay } from 'node:timers/promises';
import { Deferred } from '../../../../../base/deferred.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;

/** A look at a running thread may take this long altogether; a thread that is slower is left alone. */
const patienceMs = 60;
/** On a slow machine this many steps are taken all the same. */
const leastSteps = 24;
const stepMs = 250;

/** A thread that stands still for moments, to be looked at and stepped on, and then goes on as if nothing had been. */
export class Glance {
  readonly session: CdpSession;
  readonly #begun = Date.now();
  #steps = 0;
  #next: Deferred<PausedEvent | undefined> | undefined;
  #event: PausedEvent | undefined;

  constructor(session: CdpSession) {
    this.session = session;
  }

  /** Where it stands. */
  get event(): PausedEvent {
    if (this.#event === undefined) throw new Error('the thread does not stand still');
    return this.#event;
  }

  get isStanding(): boolean {
    return this.#event !== undefined;
  }

  pause(): Promise<boolean> {
    return this.#move('Debugger.pause');
  }

  /** False when something else came of it, or when it took too long. */
  async step(kind: 'over' | 'out'): Promise<boolean> {
    if (++this.#steps > leastSteps && Date.now() - this.#begun > patienceMs) return false;
    return this.#move(kind === 'over' ? 'Debugger.stepOver' : 'Debugger.stepOut');
  }

  /** A pause that nobody else wanted. */
  take(event: PausedEvent): boolean {
    if (this.#next === undefined) return false;
    this.#event = event;
    this.#next.resolve(event);
    this.#next = undefined;
    return true;
  }

  /** The thread has stopped for another reason, or is gone. */
  end(): void {
    this.#event = undefined;
    this.#next?.resolve(undefined);
    this.#next = undefined;
  }

  async #move(method: 'Debugger.pause' | 'Debugger.stepOver' | 'Debugger.stepOut'): Promise<boolean> {
    const next = (this.#next = new Deferred<PausedEvent | undefined>());
    this.#event = undefined;
    const patience = new AbortController();
    const sent = this.session.send(method, {}).catch(() => this.end());
    const given = delay(stepMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
    const event = await Promise.race([next.promise, given]);
    patience.abort();
    void sent;
    if (event === undefined) this.#next = undefined;
    return event !== undefined;
  }
}
