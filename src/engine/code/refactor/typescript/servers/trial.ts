import { untilAny } from '../../../../../base/cancellation.ts';
import { counted } from '../../../../../base/text/counted.ts';
import type { LineIndex, Position, Range } from '../../../../../base/positions.ts';
import type { FileOperation, TextEdit } from '../../../../workspace/edits/operations.ts';
import { applyTextEdits } from '../../../../workspace/edits/text/textEdits.ts';
import {
  compareProblems,
  type CheckedProblem,
  type Conflict,
  type Proposal,
  type RefactorWaiting,
} from '../../model.ts';
import type { TypeScriptBackend } from './backend.ts';

/** Edits of several files, each exact for the content its file has on disk. */
export type FileEdits = Map<string, TextEdit[]>;

export function addEdit(edits: FileEdits, path: string, range: Range, newText: string, oldText?: string): void {
  const list = edits.get(path) ?? [];
  // The same text may be put twice at one place (commas between new elements of a list), but replace a place only once.
  const isKnown =
    !samePosition(range.start, range.end) &&
    list.some(
      (one) =>
        one.newText === newText && samePosition(one.range.start, range.start) && samePosition(one.range.end, range.end),
    );
  if (!isKnown) list.push({ range, newText, oldText });
  edits.set(path, list);
}

/** The operations for edits, guarded by the content the server has seen. */
export function editOperations(service: TypeScriptBackend, edits: FileEdits): FileOperation[] {
  return [...edits]
    .filter(([, list]) => list.length > 0)
    .map(([path, list]) => {
      const expectedHash = service.hashOf(path);
      const isGuarded = list.every((edit) => edit.oldText !== undefined);
      if (expectedHash === undefined && isGuarded) return { kind: 'edit' as const, path, edits: list };
      return expectedHash === undefined
        ? { kind: 'create' as const, path, content: list.map((edit) => edit.newText).join('') }
        : { kind: 'edit' as const, path, edits: list, expectedHash };
    });
}

/** The text of every file after the edits, which are those of the prepared texts where there are some. */
export async function editedTexts(
  service: TypeScriptBackend,
  edits: FileEdits,
  prepared: ReadonlyMap<string, string> = new Map(),
): Promise<Map<string, string>> {
  const texts = new Map(prepared);
  for (const [path, list] of edits) {
    await service.open([path]);
    const isNew = service.hashOf(path) === undefined;
    const before = isNew ? '' : (prepared.get(path) ?? (await service.text(path)).text);
    texts.set(path, isNew ? list.map((edit) => edit.newText).join('') : applyTextEdits(before, list, path));
  }
  return texts;
}

/** Files that merely mention a name are looked at as long as this lasts; those that change are looked at always. */
const dependentsBudgetMs = 6000;
const batchSize = 8;

export interface Trial {
  conflicts: Conflict[];
  tried: NonNullable<Proposal['tried']>;
  notes: string[];
  /** Files that were not looked at, since there was no time. */
  unseen: readonly string[];
}

interface TrialOptions {
  sameText?: (message: string) => string;
  /** Files in which errors could appear although they do not mention the name. */
  further?: readonly string[];
  /** It is told when not all of these could be looked at. */
  tellsFurther?: boolean;
  budgetMs?: number;
}

/** What trying the contents out brings up in the changed files and their dependents. */
export async function tryContents(
  service: TypeScriptBackend,
  contents: ReadonlyMap<string, string | null>,
  dependents: readonly string[],
  waiting: RefactorWaiting,
  options: TrialOptions = {},
): Promise<Trial> {
  return service
    .overlaid(contents, () => tryShown(service, contents, dependents, waiting, options), waiting)
    .then((finish) => finish());
}

/** The same while the contents are shown already. What comes back is called when they are gone, and compares with what was there before. */
export async function tryShown(
  service: TypeScriptBackend,
  contents: ReadonlyMap<string, string | null>,
  dependents: readonly string[],
  waiting: RefactorWaiting,
  options: TrialOptions = {},
): Promise<() => Promise<Trial>> {
  const changed = [...contents.keys()].filter((file) => contents.get(file) !== null);
  const mentioning = dependents.filter((file) => !contents.has(file));
  const further = (options.further ?? []).filter((file) => !contents.has(file) && !mentioning.includes(file));
  const isOnDisk = (file: string): boolean => service.hashOf(file) !== undefined;
  await service.open(changed);
  const first = changed.slice(0, batchSize).filter(isOnDisk);
  const beside = service.problemsBeside?.(first, waiting);
  beside?.catch(() => undefined);
  const after = await service.problems(changed, waiting);
  const others = await lookedThrough(service, [...mentioning, ...further], waiting, options.budgetMs);
  after.push(...others.found);
  return async () => {
    // Only where there are errors afterwards does it matter which were there before.
    const doubtful = [...new Set(after.map((problem) => problem.file))].filter((file) => !first.includes(file));
    await service.open(doubtful);
    const rest = doubtful.filter(isOnDisk);
    const before =
      beside === undefined
        ? await service.problems([...first, ...rest], waiting)
        : [...(await beside), ...((await service.problemsBeside?.(rest, waiting)) ?? [])];
    const conflicts = compareProblems(before, after, options.sameText).appeared.map((problem) => ({
      kind: 'error' as const,
      message: `${problem.message} (${problem.code})`,
      file: problem.file,
      line: problem.line,
      column: problem.column,
    }));
    const tells = options.tellsFurther === true;
    const untold = tells ? others.unseen : others.unseen.filter((file) => mentioning.includes(file));
    const what = tells ? 'that could be affected' : 'that mention the name but do not change';
    const notes =
      untold.length > 0 && waiting.proofMs === undefined
        ? [`Not checked, since it would take too long: ${counted(untold.length, 'file')} ${what}.`]
        : [];
    return { conflicts, tried: { before, after }, notes, unseen: others.unseen };
  };
}

/** The errors of files that do not change, as far as there is time to look at them. */
async function lookedThrough(
  service: TypeScriptBackend,
  files: readonly string[],
  waiting: RefactorWaiting,
  budgetMs = dependentsBudgetMs,
): Promise<{ found: CheckedProblem[]; unseen: readonly string[] }> {
  const found: CheckedProblem[] = [];
  const limit = AbortSignal.timeout(Math.max(0, Math.min(budgetMs, dependentsBudgetMs)));
  const signal = untilAny(waiting.signal === undefined ? [limit] : [waiting.signal, limit]);
  const isOver = budgetMs <= 0;
  for (let at = 0; at < files.length; at += batchSize) {
    if (isOver || limit.aborted) return { found, unseen: files.slice(at) };
    try {
      found.push(...(await service.problems(files.slice(at, at + batchSize), { ...waiting, signal })));
    } catch (error) {
      if (!limit.aborted || waiting.signal?.aborted === true) throw error;
      return { found, unseen: files.slice(at) };
    }
  }
  return { found, unseen: [] };
}

/** Without errors that were there before and now stand in more places, because the code that has them was copied there. */
export function withoutCopies(trial: Trial): Trial {
  const keyOf = ({ file, code, message }: { file: string; code: string; message: string }): string =>
    `${file}\0${code}\0${message}`;
  const known = new Set(trial.tried.before.map(keyOf));
  const fresh = compareProblems(trial.tried.before, trial.tried.after).appeared.filter((one) => known.has(keyOf(one)));
  const isCopy = (one: { file?: string; line?: number; column?: number }): boolean =>
    fresh.some((other) => other.file === one.file && other.line === one.line && other.column === one.column);
  return {
    ...trial,
    conflicts: trial.conflicts.filter((one) => !isCopy(one)),
    tried: { before: trial.tried.before, after: trial.tried.after.filter((one) => !isCopy(one)) },
  };
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

export function samePosition(a: Position, b: Position): boolean {
  return a.line === b.line && a.column === b.column;
}
