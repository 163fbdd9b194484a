import type { RunPlan } from '../tests/model.ts';

/** No test has the name that was asked for: nothing runs, and the answer is the names there are. */
export function emptyPlan(cwd: string, names: readonly string[]): RunPlan {
  return {
    command: ['true'],
    cwd,
    reader: { line: () => [], end: async () => [{ type: 'available', names }, { type: 'over' }] },
  };
}
