import { z } from 'zod';
import type { Address } from '../../engine/code/addressing.ts';
import type { CodeWorkspace } from '../../engine/code/codeWorkspace.ts';
import type { IndexState, Waiting } from '../../engine/code/model.ts';
import { resolveAddress, type Target } from '../../engine/code/addressing.ts';
import type { ToolCall } from '../defineTool.ts';

/** How every tool that takes a symbol is pointed at one: file+line+column, file+line+text, or symbol. */
export const addressShape = {
  file: z.string().optional(),
  line: z.number().int().min(1).optional(),
  column: z.number().int().min(1).optional(),
  text: z.string().optional().describe('excerpt of the line, up to the name'),
  symbol: z.string().optional().describe('instead of file+line: "Class/method", or a handle'),
};

export const indexState = z.object({
  state: z.string(),
  detail: z.string().optional(),
  partial: z.boolean().optional(),
});

/** The symbol a call means; how it was read when it was not exact becomes a note of the answer. */
export async function targetOf(
  workspace: CodeWorkspace,
  args: Address,
  call: ToolCall,
  waiting: Waiting = waitingOf(call),
): Promise<Target> {
  const target = await resolveAddress(workspace, args, waiting);
  for (const note of target.notes) call.note(note);
  return target;
}

export function waitingOf(call: ToolCall): Waiting {
  return {
    signal: call.signal,
    // What is left when it is asked: one call may wait several times.
    get patienceMs() {
      return call.patienceMs;
    },
    onProgress: (message, fraction) => call.progress(message, fraction),
  };
}

/** For tools that only tell: while the index loads, what is known so far is an answer. */
export function patientWaitingOf(call: ToolCall): Waiting {
  return Object.assign(waitingOf(call), { acceptsPartial: true });
}

/** One line when an answer is not complete; nothing when it is. */
export function stateLine(index: IndexState | { state: string; detail?: string | undefined }): string[] {
  return index.state === 'ready'
    ? []
    : [`INCOMPLETE (index ${index.state}${index.detail === undefined ? '' : `: ${index.detail}`})`];
}

/** How an empty list is called: only a complete index knows that there is nothing. */
export function noneWord(index: { state: string }): string {
  return index.state === 'ready' ? 'none' : 'none found so far';
}
