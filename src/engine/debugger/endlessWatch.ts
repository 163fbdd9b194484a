import { cpuTimeMs } from '../../base/processIdentity.ts';
import type { ProcessNode } from './model.ts';
import type { Target } from './target.ts';

/** When it is looked at, counted from the beginning of the wait; the last pause between looks stays. */
const looksAtMs = [350, 700, 1200, 2000, 3500, 6000, 10_000, 16_000, 24_000, 34_000];
/** What a process that does nothing but calculate uses of this time, on a machine that has other things to do. */
const busyShare = 0.15;
const measuredMs = 120;

/** Looks for an endless loop while somebody waits for a program that calculates and prints nothing. */
export class EndlessWatch {
  readonly #target: Target;
  readonly #outputCursor: () => number | undefined;
  readonly #timers: NodeJS.Timeout[];
  #isLooking = false;

  /** `outputCursor`: how much it has printed; undefined while it does not run. */
  constructor(target: Target, outputCursor: () => number | undefined) {
    this.#target = target;
    this.#outputCursor = outputCursor;
    this.#timers =
      target.stopEndlessLoop === undefined
        ? []
        : looksAtMs.map((atMs) => setTimeout(() => this.#measure(), atMs - measuredMs).unref());
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #measure(): void {
    const printed = this.#outputCursor();
    if (this.#isLooking || printed === undefined) return;
    const usedBefore = new Map(this.#target.processes().map((process) => [process.id, timeOf(process)]));
    const isBusy = (process: ProcessNode) => {
      const [before, now] = [usedBefore.get(process.id), timeOf(process)];
      return before === undefined || now === undefined || now - before >= measuredMs * busyShare;
    };
    const timer = setTimeout(() => {
      if (this.#outputCursor() === printed) void this.#look(isBusy);
    }, measuredMs);
    this.#timers.push(timer.unref());
  }

  async #look(isBusy: (process: ProcessNode) => boolean): Promise<void> {
    this.#isLooking = true;
    await this.#target.stopEndlessLoop?.(isBusy).catch(() => undefined);
    this.#isLooking = false;
  }
}

function timeOf({ pid }: ProcessNode): number | undefined {
  return pid === undefined ? undefined : cpuTimeMs(pid);
}
