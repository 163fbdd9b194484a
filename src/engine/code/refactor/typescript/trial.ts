import type { LineIndex, Position, Range } from '../../../../base/positions.ts';
import type { FileOperation, TextEdit } from '../../../workspace/edits/operations.ts';
import { applyTextEdits } from '../../../workspace/edits/textEdits.ts';
import { compareProblems, type CheckedProblem, type Conflict, type Proposal, type RefactorWaiting } from '../model.ts';
import type { TypeScriptService } from './tsService.ts';

/** Edits of several files, each exact for the content its file has on disk. */
export type FileEdits = Map<string, TextEdit[]>;

export function addEdit(edits: FileEdits, path: string, range: Range, newText: string): void {
  const list = edits.get(path) ?? [];
  const isKnown = list.some(
    (one) =>
      one.newText === newText && samePosition(one.range.start, range.start) && samePosition(one.range.end, range.end),
  );
  if (!isKnown) list.push({ range, newText });
  edits.set(path, list);
}

/** The operations for edits, guarded by the content the server has seen. */
export function editOperations(service: TypeScriptService, edits: FileEdits): FileOperation[] {
  return [...edits]
    .filter(([, list]) => list.length > 0)
    .map(([path, list]) => {
      const expectedHash = service.hashOf(path);
      return expectedHash === undefined
        ? { kind: 'create' as const, path, content: list.map((edit) => edit.newText).join('') }
        : { kind: 'edit' as const, path, edits: list, expectedHash };
    });
}

/** The text of every file after the edits. */
export async function editedTexts(service: TypeScriptService, edits: FileEdits): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [path, list] of edits) {
    await service.open([path]);
    const isNew = service.hashOf(path) === undefined;
    const before = isNew ? '' : (await service.text(path)).text;
    texts.set(path, isNew ? list.map((edit) => edit.newText).join('') : applyTextEdits(before, list, path));
  }
  return texts;
}

const dependentsBudgetMs = 6000;

export interface Trial {
  conflicts: Conflict[];
  tried: NonNullable<Proposal['tried']>;
}

/** What trying the contents out brings up in the changed files and their dependents. */
export async function tryContents(
  service: TypeScriptService,
  contents: ReadonlyMap<string, string | null>,
  dependents: readonly string[],
  waiting: RefactorWaiting,
  sameText?: (message: string) => string,
): Promise<Trial> {
  const files = [...new Set([...contents.keys(), ...dependents])];
  const deadline = Date.now() + dependentsBudgetMs;
  const before: CheckedProblem[] = [];
  const looked: string[] = [];
  for (const file of files) {
    // The changed files always; those that merely mention a name as long as there is time.
    if (!contents.has(file) && Date.now() > deadline) continue;
    if (service.hashOf(file) !== undefined) before.push(...(await service.problems([file], waiting)));
    if (contents.get(file) !== null) looked.push(file);
  }
  const after = await service.overlaid(contents, () => service.problems(looked, waiting));
  const conflicts = compareProblems(before, after, sameText).appeared.map((problem) => ({
    kind: 'error' as const,
    message: `${problem.message} (${problem.code})`,
    file: problem.file,
    line: problem.line,
    column: problem.column,
  }));
  return { conflicts, tried: { before, after } };
}

/** Where an offset of the text before ends up after the edits; for an offset inside a replaced range, the start of the new text. */
export function mapOffset(before: LineIndex, edits: readonly TextEdit[], offset: number): number {
  let shift = 0;
  for (const edit of edits) {
    const start = before.offsetAt(edit.range.start);
    const end = before.offsetAt(edit.range.end);
    if (end <= offset && !(start === end && start === offset)) shift += edit.newText.length - (end - start);
  }
  return offset + shift;
}

function samePosition(a: Position, b: Position): boolean {
  return a.line === b.line && a.column === b.column;
}
