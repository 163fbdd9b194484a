import type { BreakpointBinding, BreakpointStatistics, LineBreakpointSpec } from '../../../model.ts';
import type { ConditionCounters } from './conditions.ts';
import type { Isolate } from '../pause/isolate.ts';

/** What became of each breakpoint in all processes of a session together. */
export class BreakpointRecord {
  readonly #bindings = new Map<string, BreakpointBinding>();
  readonly #hits = new Map<string, number>();
  readonly #loaded = new Set<string>();
  /** What each thread has counted, as last read. */
  readonly #counts = new Map<string, Record<string, ConditionCounters>>();

  /** Answers whether it tells something new: what is bound in one process stays bound, whatever others say. */
  bound(binding: BreakpointBinding): boolean {
    const known = this.#bindings.get(binding.breakpointId);
    if (known?.verified === true && !binding.verified) return false;
    this.#bindings.set(binding.breakpointId, binding);
    return true;
  }

  binding(id: string): BreakpointBinding {
    const message = 'the file is not loaded yet';
    return this.#bindings.get(id) ?? { breakpointId: id, verified: false, isPending: true, message };
  }

  hit(id: string): void {
    this.#hits.set(id, (this.#hits.get(id) ?? 0) + 1);
  }

  /** Takes over what the program itself has counted. */
  async collect(isolate: Isolate, lines: ReadonlyMap<string, readonly LineBreakpointSpec[]>): Promise<void> {
    this.#counts.set(isolate.threadId, await isolate.counters());
    for (const [file, specs] of lines)
      if (isolate.binder.wasLoaded(file)) for (const spec of specs) this.#loaded.add(spec.id);
  }

  statistics(): BreakpointStatistics[] {
    const ids = new Set([
      ...this.#hits.keys(),
      ...this.#loaded,
      ...[...this.#counts.values()].flatMap((counts) => Object.keys(counts)),
    ]);
    return [...ids].map((id) => {
      const counts = [...this.#counts.values()].flatMap((each) => each[id] ?? []);
      const sum = (pick: (count: ConditionCounters) => number) => counts.reduce((all, each) => all + pick(each), 0);
      const lastError = counts.find((each) => each.lastError !== undefined)?.lastError;
      return {
        breakpointId: id,
        // A stop counts as a hit when it happens; conditional breakpoints count inside the program as well.
        hits: Math.max(
          this.#hits.get(id) ?? 0,
          sum((each) => each.hits),
        ),
        conditionFalse: sum((each) => each.conditionFalse),
        conditionErrors: sum((each) => each.conditionErrors),
        lastConditionError: lastError,
        fileLoaded: this.#loaded.has(id),
      };
    });
  }
}
