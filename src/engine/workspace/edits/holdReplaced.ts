import { join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import type { FileOps } from './fileOps.ts';
import { inParallel } from './inParallel.ts';
import type { OpenDirectories } from './openDirectories.ts';
import type { ChangePlan } from './operations.ts';

/**
 * Puts what a change will replace on the shelf of the history, each file under a second name: nothing is copied, and where the file goes
 * its content stays. Where that is not possible (another file system, further names by which it could be written to) a copy goes there. Returns
 * the second names by path.
 */
export async function holdReplaced(
  plan: ChangePlan,
  shelf: string,
  directories: OpenDirectories,
  ops: FileOps,
): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>();
  const moved = new Set(plan.moves.flatMap((move) => [move.from, move.to]));
  await inParallel([...plan.transitions.entries()], async ([number, { path, before }]) => {
    if (before?.kind !== 'file' || moved.has(path)) return;
    const place = join(shelf, `${number}-${before.hash}`);
    if (await ops.hold(directories.pathOf(path), directories.pathOf(place))) {
      held.set(path, place);
      return;
    }
    const bytes = plan.contents.get(before.hash);
    if (bytes === undefined) throw new ToolError('internal_error', `The old content of ${path} is missing.`);
    await ops.writeNew(directories.pathOf(place), bytes, 0o600);
  });
  return held;
}
