import { z } from 'zod';
import { ToolError } from '../base/errors.ts';
import type { ChangeOrigin } from '../engine/workspace/edits/operations.ts';
import type { ToolCall } from './defineTool.ts';
import { shortDiff } from './shortDiff.ts';

/** What every tool that changes files answers. */
export const changeFields = {
  affectedFiles: z.array(z.string()),
  changesCount: z.number(),
  diff: z.string(),
  diffOmitted: z.array(z.string()).optional(),
  historyId: z.string().optional(),
};

export function originOf(call: ToolCall, tool: string, summary?: string): ChangeOrigin {
  const { id: client, name: clientName } = call.client;
  const agreed = call.agreedTo === undefined ? {} : { agreedTo: call.agreedTo };
  return { tool, callId: call.id, client, clientName, ...agreed, summary, tell: (note) => call.note(note) };
}

/** What of a program's changes undo will not bring back. */
export const restShape = {
  leftOut: z.array(z.object({ why: z.string(), count: z.int(), files: z.array(z.string()) })).optional(),
  notes: z.array(z.string()).optional(),
};

export function renderRest(rest: {
  leftOut?: { why: string; count: number; files: string[] }[];
  notes?: string[];
}): string[] {
  const leftOut = (rest.leftOut ?? []).map(({ why, count, files }) => {
    const more = count > files.length && files.length > 0 ? ` +${count - files.length}` : '';
    return `not recorded, ${why}: ${files.length === 0 ? `${count} files` : files.join(', ') + more}`;
  });
  return [...leftOut, ...(rest.notes ?? [])];
}

/** A time as callers write it. */
export function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new ToolError('invalid_arguments', `"${text}" is no time.`, { hint: 'Write it like 2026-11-15T21:55:00Z.' });
  return time;
}

/** The change in a few lines for a model: what, how to take it back, and the difference. */
export function renderChange(
  headline: string,
  data: { diff: string; diffOmitted?: string[]; historyId?: string },
): string {
  const lines = [headline];
  if (data.historyId !== undefined) lines.push(`history: ${data.historyId} (undo takes it back)`);
  if (data.diff !== '') lines.push(shortDiff(data.diff));
  if (data.diffOmitted !== undefined)
    lines.push(`(too long to be shown: the difference of ${data.diffOmitted.join(', ')})`);
  return lines.join('\n');
}
