import { untilAny } from '../../../../../base/cancellation.ts';
import type { RefactorWaiting } from '../../model.ts';

/** How long, in all of its trials, a rename may look at files that it does not change. */
const trialsMs = 15_000;
/** What a preview may take beyond its time to look at the files that do change. */
const graceMs = 300;

/**
 * The time in which a rename may be tried out, several times where it widens. It counts from the first trial on: what comes before is
 * the rename itself. A preview is answered when the time is up; a rename that is made is tried out to its end.
 */
export class ProofTime {
  readonly #waiting: RefactorWaiting;
  readonly #call: AbortSignal | undefined;
  readonly #givenMs: number;
  readonly #limit: AbortController | undefined;
  #begunAtMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(waiting: RefactorWaiting) {
    this.#call = waiting.signal;
    this.#givenMs = waiting.proofMs ?? trialsMs;
    this.#limit = waiting.proofMs === undefined ? undefined : new AbortController();
    const signals = [waiting.signal, this.#limit?.signal].filter((one) => one !== undefined);
    this.#waiting = signals.length === 0 ? waiting : { ...waiting, signal: untilAny(signals) };
  }

  begin(): void {
    if (this.#begunAtMs !== undefined) return;
    this.#begunAtMs = Date.now();
    this.#timer = setTimeout(() => this.#limit?.abort(), this.#givenMs + graceMs).unref();
  }

  /** For looking at files that do not change. */
  get leftMs(): number {
    return this.#begunAtMs === undefined ? this.#givenMs : this.#begunAtMs + this.#givenMs - Date.now();
  }

  /** Whether a preview has to be answered without a proof. */
  get isUp(): boolean {
    return this.#limit?.signal.aborted === true;
  }

  /** What belongs to the proof; undefined when there is no time for it. */
  async within<T>(work: (waiting: RefactorWaiting) => Promise<T>): Promise<T | undefined> {
    if (this.isUp) return undefined;
    try {
      return await work(this.#waiting);
    } catch (error) {
      if (!this.isUp || this.#call?.aborted === true) throw error;
      return undefined;
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
