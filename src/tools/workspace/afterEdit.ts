import { z } from 'zod';
import { errorMessage, ToolError } from '../../base/errors.ts';
import { formatText } from '../../engine/code/formatting/formatFiles.ts';
import { errorsAround } from '../../engine/code/problems/quickFixes.ts';
import { hasErrors, shownDelta } from '../../engine/code/refactor/problemDelta.ts';
import type { ErrorDelta } from '../../engine/workspace/edits/applier.ts';
import type { FileChange, FinishText } from '../../engine/workspace/edits/fileEdits.ts';
import type { ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { waitingOf } from '../index/address.ts';

/** What an edit of one file may be asked to do besides. */
export const afterEditShape = {
  format: z.boolean().optional().describe('with the project’s formatter'),
  check: z.boolean().optional().describe('tell errors that appear'),
};

/** Formats what is about to be written; a text that cannot be formatted is written as it is, and the caller told why. */
export function formatting(
  engines: Engines,
  call: ToolCall,
  path: string,
  isWanted: boolean | undefined,
): FinishText | undefined {
  if (isWanted !== true) return undefined;
  return async (text) => {
    try {
      return await formatText(engines, call.project, path, text, call.signal);
    } catch (error) {
      if (!(error instanceof ToolError) || error.code === 'cancelled') throw error;
      call.note(`Not formatted: ${errorMessage(error)}`);
      return text;
    }
  };
}

/** Makes the edit and tells which errors of the file came and went with it, the new ones first. */
export async function checking(
  engines: Engines,
  call: ToolCall,
  path: string,
  isWanted: boolean | undefined,
  edit: () => Promise<FileChange>,
): Promise<FileChange & { diagnostics?: ErrorDelta }> {
  if (isWanted !== true) return edit();
  const workspace = engines.code.workspace(call.project);
  const { applied, delta } = await errorsAround(workspace, [path], waitingOf(call), edit);
  const diagnostics = shownDelta(call.project, delta);
  if (diagnostics.appeared.length > 0) call.note(hasErrors(diagnostics.appeared));
  return { ...applied, diagnostics };
}
