import { ToolError } from '../../../../../base/errors.ts';
import type { RefactorWaiting } from '../../model.ts';
import { expressionOf } from '../syntax/placement.ts';
import { compiler } from '../syntax/compiler.ts';
import { editedTexts, tryContents, withoutCopies, type FileEdits, type Trial } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';

/** The first of several ways to write a change that brings no error; when each does, the plainest one, with its errors. */
export async function firstThatFits(
  service: TypeScriptService,
  ways: readonly (() => FileEdits)[],
  waiting: RefactorWaiting,
): Promise<{ edits: FileEdits; trial: Trial }> {
  let plainest: { edits: FileEdits; trial: Trial } | undefined;
  const checker = await service.checker();
  for (const way of ways) {
    const edits = plainest === undefined ? way() : unlessRefused(way);
    if (edits === undefined) continue;
    const trial = withoutCopies(await tryContents(checker, await editedTexts(checker, edits), [], waiting));
    plainest ??= { edits, trial };
    if (trial.conflicts.length === 0) return { edits, trial };
  }
  if (plainest === undefined) throw new Error('there is no way to try');
  return plainest;
}

/** A detour that is not possible says less than what stands against the plain way. */
function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** A value with the type that its declaration gave it: checked against it, or taken for it. */
export function asserted(text: string, type: string): string[] {
  const tsc = compiler();
  const value = expressionOf(text);
  const isTight = value !== undefined && (tsc.isLeftHandSideExpression(value) || tsc.isObjectLiteralExpression(value));
  const operand = isTight ? text : `(${text})`;
  return [`${operand} satisfies ${type}`, `${operand} as ${type}`];
}
