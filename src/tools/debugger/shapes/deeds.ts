import { displayPath } from '../../../base/paths.ts';
import { clip } from '../../../base/text/textBudget.ts';
import type { Progress } from './shapes.ts';

/** What somebody did that let the program run, and where that led: `stepped over to cart.js:14`. */
export function runDeed(done: string, { state, stop, exitCode }: Progress, root: string): string {
  const { file, line } = stop?.location ?? {};
  if (file !== undefined && file !== null) return `${done} to ${displayPath(root, file)}:${line ?? 0}`;
  if (state === 'stopped')
    return `${done}; the program ended${exitCode === undefined ? '' : ` with exit code ${exitCode}`}`;
  return `${done}; the program runs`;
}

export function placeOf(root: string, file: string | undefined, line: number | undefined): string {
  return file === undefined ? 'a function' : `${displayPath(root, file)}:${line ?? 0}`;
}

/** An expression or a value, short. */
export function quoted(text: string): string {
  return `\`${clip(text.trim().replaceAll(/\s+/g, ' '), 120)}\``;
}
