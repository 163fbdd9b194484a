import { withTimeout } from '../../../base/cancellation.ts';
import type { ActivityView } from './view.ts';

/** How long a program is looked at, at the end of a wait that nothing else has ended. */
export const lookMs = 300;
/** Shorter waits ask for the state, not for what the program does. */
const leastWaitMs = 500;
/** From the end of the wait, so long may the last look take. */
const graceMs = 600;

/** Looks at a running program shortly before somebody's wait for it is over, so that the answer can say what it does. */
export class ActivityWatch {
  readonly #timer: NodeJS.Timeout | undefined;
  #view: Promise<ActivityView | undefined> | undefined;

  constructor(waitMs: number, look: () => Promise<ActivityView | undefined>) {
    if (waitMs < leastWaitMs) return;
    const begin = () => {
      this.#view = look().catch(() => undefined);
    };
    this.#timer = setTimeout(begin, Math.max(waitMs - lookMs - 100, 0));
    this.#timer.unref();
  }

  /** The wait is over without a stop. */
  async result(): Promise<ActivityView | undefined> {
    if (this.#view === undefined) return undefined;
    return withTimeout(this.#view, graceMs).catch(() => undefined);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
