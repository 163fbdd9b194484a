import type { AsyncDisposer } from '../../base/disposable.ts';

interface IdleWatchOptions {
  /** How long nothing may happen before the process leaves; 0 keeps it. */
  idleMs: number;
  /** What keeps the process: clients, sessions, jobs. Empty when nothing does. */
  reasonsToStay(): string[];
  onIdle(): void;
}

/**
 * Notices that nobody needs the process any more. It looks instead of listening, because what keeps a process alive is spread
 * over all engines, and forgetting one event would keep it for ever or end it too early.
 */
export class IdleWatch implements AsyncDisposer {
  readonly #options: IdleWatchOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  #lastBusyAt = Date.now();

  constructor(options: IdleWatchOptions) {
    this.#options = options;
    if (options.idleMs <= 0) return;
    this.#timer = setInterval(() => this.#look(), Math.min(Math.max(options.idleMs / 20, 20), 5000));
    this.#timer.unref();
  }

  /** Something happened that leaves no trace to look at, such as a call that came and went between two looks. */
  touch(): void {
    this.#lastBusyAt = Date.now();
  }

  /** Milliseconds until the process leaves if nothing happens; undefined while something keeps it. */
  get leavesInMs(): number | undefined {
    if (this.#options.idleMs <= 0 || this.#options.reasonsToStay().length > 0) return undefined;
    return Math.max(this.#lastBusyAt + this.#options.idleMs - Date.now(), 0);
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#options.reasonsToStay().length > 0) this.touch();
    else if (this.leavesInMs === 0) {
      this.dispose();
      this.#options.onIdle();
    }
  }
}
