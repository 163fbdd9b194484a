import type { BreakpointBinding, BreakpointStatistics } from '../../model.ts';

/** One binding per breakpoint from what several processes say: bound in one of them is bound. */
export function joinBindings(
  specs: readonly { id: string }[],
  answers: readonly (readonly BreakpointBinding[])[],
): BreakpointBinding[] {
  return specs.map(({ id }) => {
    const said = answers.flat().filter((binding) => binding.breakpointId === id);
    return (
      said.find((binding) => binding.verified) ??
      said[0] ?? { breakpointId: id, verified: false, message: 'No process has taken it yet.' }
    );
  });
}

export function joinStatistics(lists: readonly (readonly BreakpointStatistics[])[]): BreakpointStatistics[] {
  const joined = new Map<string, BreakpointStatistics>();
  for (const each of lists.flat()) {
    const so = joined.get(each.breakpointId);
    if (so === undefined) {
      joined.set(each.breakpointId, { ...each });
      continue;
    }
    so.hits += each.hits;
    so.conditionFalse += each.conditionFalse;
    so.conditionErrors += each.conditionErrors;
    so.fileLoaded ||= each.fileLoaded;
    if (each.lastConditionError !== undefined) so.lastConditionError = each.lastConditionError;
  }
  return [...joined.values()];
}
