import { Emitter } from '../../base/emitter.ts';
import type { ThreadEvent } from './model.ts';

const maxEvents = 4000;

/** What happened in a thread, numbered without gaps, so that whoever looks away for a while can go on where it was. */
export class ThreadEvents {
  readonly onDidTell = new Emitter<ThreadEvent>();
  readonly #events: ThreadEvent[] = [];
  #seq = 0;

  get seq(): number {
    return this.#seq;
  }

  tell(event: DistributiveOmit<ThreadEvent, 'seq'>): void {
    this.#seq += 1;
    const told: ThreadEvent = { seq: this.#seq, ...event };
    this.#events.push(told);
    if (this.#events.length > maxEvents) this.#events.shift();
    this.onDidTell.fire(told);
  }

  /** What happened after a number; `undefined` when that is no longer known, and the whole has to be read again. */
  since(seq: number): ThreadEvent[] | undefined {
    const first = this.#events[0]?.seq ?? this.#seq + 1;
    return seq + 1 < first ? undefined : this.#events.filter((event) => event.seq > seq);
  }
}

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;
