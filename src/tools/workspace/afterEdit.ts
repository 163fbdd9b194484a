import { z } from 'zod';
import { errorMessage, ToolError } from '../../base/errors.ts';
import { formatText } from '../../engine/code/formatting/formatFiles.ts';
import { errorsAround } from '../../engine/code/problems/quickFixes.ts';
import { hasErrors, shownDelta } from '../../engine/code/refactor/problemDelta.ts';
import type { ErrorDelta } from '../../engine/workspace/edits/applier.ts';
import type { FinishText } from '../../engine/workspace/edits/fileEdits.ts';
import type { ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { waitingOf } from '../index/address.ts';
import { deltaLines, type problemDelta } from '../index/refactor/refactoringShape.ts';

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

/** Makes the edit and tells which errors of the files came and went with it, the new ones first. */
export async function checking<T extends object>(
  engines: Engines,
  call: ToolCall,
  paths: readonly string[],
  isWanted: boolean | undefined,
  edit: () => Promise<T>,
): Promise<T & { diagnostics?: CheckedDelta }> {
  if (isWanted !== true) return { ...(await edit()) };
  const workspace = engines.code.workspace(call.project);
  const { applied, delta, remaining } = await errorsAround(workspace, paths, waitingOf(call), edit);
  const diagnostics = { ...shownDelta(call.project, delta), remaining };
  if (diagnostics.appeared.length > 0) call.note(hasErrors(diagnostics.appeared));
  const lacks = new Set(paths.flatMap((path) => workspace.definitionFor(path)?.problemsLackWhat ?? []));
  for (const lack of lacks) call.note(`Checked in part: ${lack}.`);
  return { ...applied, diagnostics };
}

interface CheckedDelta extends ErrorDelta {
  /** Errors that the files have now. */
  remaining: number;
}

/** What a check found; that all is well is said too. */
export function checkLines(delta: z.infer<typeof problemDelta>): string[] {
  if (delta?.remaining === undefined) return deltaLines(delta);
  const before = delta.remaining - delta.appeared.length;
  const state = before === 0 ? 'no errors' : `no new errors (${before} as before)`;
  return [...(delta.appeared.length === 0 ? [`checked: ${state}`] : []), ...deltaLines(delta)];
}
