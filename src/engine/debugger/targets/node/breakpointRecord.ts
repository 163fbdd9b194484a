import type { BreakpointBinding, BreakpointStatistics, LineBreakpointSpec } from '../../model.ts';
import type { Isolate } from './isolate.ts';

/** What became of each breakpoint in all processes of a session together. */
export class BreakpointRecord {
  readonly #bindings = new Map<string, BreakpointBinding>();
  readonly #statistics = new Map<string, BreakpointStatistics>();

  /** Answers whether it tells something new: what is bound in one process stays bound, whatever others say. */
  bound(binding: BreakpointBinding): boolean {
    const known = this.#bindings.get(binding.breakpointId);
    if (known?.verified === true && !binding.verified) return false;
    this.#bindings.set(binding.breakpointId, binding);
    return true;
  }

  binding(id: string): BreakpointBinding {
    return this.#bindings.get(id) ?? { breakpointId: id, verified: false, message: 'the file is not loaded yet' };
  }

  hit(id: string): void {
    this.#of(id).hits++;
  }

  /** Takes over what the program itself has counted. */
  async collect(isolate: Isolate, lines: ReadonlyMap<string, readonly LineBreakpointSpec[]>): Promise<void> {
    for (const [id, count] of Object.entries(await isolate.counters())) {
      const known = this.#of(id);
      // A stop counts as a hit when it happens; conditional breakpoints count inside the program as well.
      known.hits = Math.max(known.hits, count.hits);
      known.conditionFalse = count.conditionFalse;
      known.conditionErrors = count.conditionErrors;
      if (count.lastError !== undefined) known.lastConditionError = count.lastError;
    }
    for (const [file, specs] of lines)
      for (const spec of specs) if (isolate.binder.wasLoaded(file)) this.#of(spec.id).fileLoaded = true;
  }

  statistics(): BreakpointStatistics[] {
    return [...this.#statistics.values()];
  }

  #of(id: string): BreakpointStatistics {
    let known = this.#statistics.get(id);
    if (known === undefined) {
      known = { breakpointId: id, hits: 0, conditionFalse: 0, conditionErrors: 0, fileLoaded: false };
      this.#statistics.set(id, known);
    }
    return known;
  }
}
