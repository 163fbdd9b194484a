import { z } from 'zod';
import { inBurst } from '../../../base/collector.ts';
import { counted } from '../../../base/text/counted.ts';
import type { Proposal, LanguageRefactorer, RefactorWaiting } from '../../../engine/code/refactor/model.ts';
import type { RefactoringName } from '../../../engine/code/refactor/capabilities.ts';
import { changeFields, originOf, renderChange } from '../../changeSchema.ts';
import type { ToolCall } from '../../defineTool.ts';
import type { Engines } from '../../engines.ts';
import { indexState, stateLine } from '../address.ts';
import type { IndexState } from '../../../engine/code/model.ts';

/** What every refactoring takes besides what it is about. */
export const commonShape = {
  preview: z.boolean().optional(),
  rollback_on_error: z.boolean().optional(),
  force: z.boolean().optional(),
};

const problem = z.object({ file: z.string(), line: z.number(), message: z.string() });

/** Errors that a change brought and took away. */
export const problemDelta = z
  .object({
    appeared: z.array(problem),
    vanished: z.array(problem),
    remaining: z.number().optional().describe('errors that the checked files have now'),
  })
  .optional();

export const refactoringOutput = z.object({
  success: z.boolean(),
  message: z.string(),
  ...changeFields,
  planId: z.string().optional(),
  verified: z.literal('pending').optional(),
  conflicts: z
    .array(
      z.object({
        message: z.string(),
        file: z.string().optional(),
        line: z.number().optional(),
        column: z.number().optional(),
      }),
    )
    .optional(),
  diagnostics: problemDelta,
  index: indexState,
});

interface CommonArguments {
  preview?: boolean | undefined;
  rollback_on_error?: boolean | undefined;
  force?: boolean | undefined;
}

/** A preview is not kept waiting longer by files that do not change. */
const previewProofMs = 700;

/** Asks the language's engine for a proposal and has it previewed or applied. */
export async function refactoring(
  engines: Engines,
  call: ToolCall,
  tool: string,
  about: { path: string; name: RefactoringName },
  args: CommonArguments,
  propose: (refactorer: LanguageRefactorer, waiting: RefactorWaiting) => Promise<Proposal>,
): Promise<z.input<typeof refactoringOutput>> {
  let index: IndexState = { state: 'ready' };
  const onIncomplete = (found: IndexState): void => {
    index = found;
  };
  const waiting: RefactorWaiting = {
    signal: call.signal,
    checkBy: AbortSignal.timeout(call.patienceMs),
    ...(args.preview === true ? { proofMs: previewProofMs } : {}),
    ...(args.force === true ? { onIncomplete } : {}),
  };
  const refactorer = await engines.refactor.refactorer(call.project, about.path, about.name);
  const options = {
    preview: args.preview ?? false,
    force: args.force ?? false,
    rollbackOnError: args.rollback_on_error ?? false,
  };
  const { notes, conflicts, ...result } = await inBurst(async () => {
    const proposed = await propose(refactorer, waiting);
    return engines.refactor.carryOut(call.project, refactorer, proposed, options, originOf(call, tool), waiting);
  });
  for (const note of notes) call.note(note);
  const lack = engines.code.workspace(call.project).definitionFor(about.path)?.problemsLackWhat;
  if (lack !== undefined && result.diagnostics !== undefined) call.note(`Checked in part: ${lack}.`);
  if (result.historyId !== undefined) call.affects(...result.affectedFiles);
  return {
    ...result,
    ...(result.planId === undefined ? {} : { message: `${result.message}; apply_plan carries it out.` }),
    ...(conflicts === undefined
      ? {}
      : { conflicts: conflicts.map(({ message, file, line, column }) => ({ message, file, line, column })) }),
    index,
  };
}

export function renderRefactoring(data: z.output<typeof refactoringOutput>): string {
  const lines = [...stateLine(data.index), data.message];
  // A conflict that came true is told as the error it is; one that the message begins with is told already.
  const errors = new Set(data.diagnostics?.appeared.map(({ file, line, message }) => `${file}:${line} ${message}`));
  for (const { message, file, line } of data.conflicts ?? []) {
    const isError = errors.has(`${file}:${line} ${message.replace(/ \(TS\d+\)$/, '')}`);
    if (!isError && !data.message.startsWith(message))
      lines.push(
        `conflict: ${message}${file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`}`,
      );
  }
  lines.push(...deltaLines(data.diagnostics));
  if (data.planId !== undefined) lines.push(`plan: ${data.planId}`);
  return renderChange(lines.join('\n'), data);
}

/** The errors after the first, with which the message begins. */
export function deltaLines(delta: z.infer<typeof problemDelta>): string[] {
  const { appeared = [], vanished = [] } = delta ?? {};
  return [
    ...(delta !== undefined && appeared.length === 0 ? ['no new errors'] : []),
    ...appeared.slice(1).map((one) => `new error: ${one.file}:${one.line} ${one.message}`),
    ...(vanished.length > 0 ? [`${counted(vanished.length, 'error')} vanished`] : []),
  ];
}
