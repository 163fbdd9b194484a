import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import type { RecordedRun } from '../../engine/debugger/ask/recordRun.ts';
import { clip } from '../../base/text/textBudget.ts';
import type { ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';

export const changedShape = z.array(z.string()).optional();

const maxLines = 8;
const maxLineChars = 160;

/** The same question, asked again after an edit: what of its answer is gone, and what is new. Nothing when it was not asked before. */
export function changedAnswer(
  engines: Engines,
  { project }: ToolCall,
  asked: { tool: string; args: unknown },
  lines: readonly string[],
  run: RecordedRun,
): { changed?: string[] } {
  const earlier = engines.debugger.ask.askedBefore(project, JSON.stringify([asked.tool, asked.args]), lines, run);
  if (earlier === undefined) return {};
  const files = earlier.edited.map((file) => displayPath(project.root, file));
  const edit = `${files.slice(0, 3).join(', ')}${files.length > 3 ? `, … +${files.length - 3}` : ''} changed`;
  const gone = without(earlier.lines, lines).map((line) => `- ${line}`);
  const added = without(lines, earlier.lines).map((line) => `+ ${line}`);
  if (gone.length + added.length === 0) return { changed: [`The same answer as before ${edit}.`] };
  // Of each side the first: that is where the two begin to differ.
  const half = Math.max(maxLines - Math.min(gone.length, added.length), maxLines / 2);
  const shown = [...gone.slice(0, half), ...added.slice(0, half)];
  const more = gone.length + added.length - shown.length;
  return { changed: [`What is different since ${edit}:`, ...shown, ...(more > 0 ? [`… ${more} more lines`] : [])] };
}

/** Lines of the one that the other has not, whatever their line numbers. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(plain));
  return lines.filter((line) => !known.has(plain(line))).map((line) => clip(line.trim(), maxLineChars));
}

/** An edit moves the lines below it, and numbers of objects differ from run to run. */
function plain(line: string): string {
  return line.replaceAll(/:\d+/g, ':').replaceAll(/#\d+/g, '#').trim();
}
