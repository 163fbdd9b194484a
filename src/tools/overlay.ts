import { z } from 'zod';
import { clip } from '../base/text/textBudget.ts';
import type { ToolCall } from './defineTool.ts';
import type { Engines } from './engines.ts';

export const overlayParameter = z.boolean().optional().describe('how often each line ran in the last trace of lines');

/** Which lines ran in the last run that was traced by lines. */
export const overlayShape = z.object({
  run: z.string(),
  /** By line; a line that is not there did not run, or no statement begins there. */
  ran: z.record(z.string(), z.int()),
  /** By line, what it wrote last. */
  wrote: z.record(z.string(), z.string()).optional(),
});

export type Overlay = z.output<typeof overlayShape>;

const maxWrote = 20;
const maxValueChars = 60;

export function overlayOf(
  engines: Engines,
  call: ToolCall,
  file: string,
  { startLine, endLine }: { startLine: number; endLine: number },
): Overlay {
  const { name, counts, lastWrites, isChangedSince } = engines.debugger.ask.linesRun(call.project, file);
  if (isChangedSince) call.note('The file was changed after that run: the counts are those of its lines then');
  const within = <Value>(values: ReadonlyMap<number, Value>) =>
    [...values].filter(([line]) => line >= startLine && line <= endLine).sort(([a], [b]) => a - b);
  const wrote = within(lastWrites).slice(0, maxWrote);
  return {
    run: name,
    ran: Object.fromEntries(within(counts).map(([line, count]) => [String(line), count])),
    ...(wrote.length === 0
      ? {}
      : { wrote: Object.fromEntries(wrote.map(([line, text]) => [String(line), clip(text, maxValueChars)])) }),
  };
}

/** `12\tcode`: the number, a tab, the line as it is; with counts, `12\t×3\tcode`. */
export function numberedLine(line: number, text: string, ran?: Overlay['ran']): string {
  return `${line}\t${ran === undefined ? '' : `${countOf(line, ran)}\t`}${text}`;
}

export function countOf(line: number, ran: Overlay['ran']): string {
  return ran[line] === undefined ? '' : `×${ran[line]}`;
}

/** What the counts are of, and what lines wrote last. */
export function overlayNotes({ run, wrote = {} }: Overlay): string[] {
  const values = Object.entries(wrote).map(([line, text]) => `:${line} ${text}`);
  return [
    `×: how often each statement began in ${run}`,
    ...(values.length === 0 ? [] : [`last written: ${values.join('; ')}`]),
  ];
}
