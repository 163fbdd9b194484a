import { counted } from '../../../../../base/text/counted.ts';
import { ToolError } from '../../../../../base/errors.ts';
import { LineIndex } from '../../../../../base/positions.ts';
import { sameTextFor, type Conflict, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import type { RenamePlace, RenameBackend } from '../servers/backend.ts';
import { placesOf } from './places.ts';
import { editedTexts, mapOffset, tryContents, type FileEdits, type Trial } from '../servers/trial.ts';
import { because } from '../../refusals/refuse.ts';

interface RenameToTry {
  target: RefactorTarget;
  newName: string;
  places: readonly RenamePlace[];
  edits: FileEdits;
  /** Files that mention the name and do not change. */
  dependents: readonly string[];
  /** Files in which types could fail to fit all the same; looked at as long as that is quick. */
  further: readonly string[];
  /** When files that do not change are looked at no more: a rename that widens is tried several times within one call. */
  deadline: number;
}

export interface RenameTrial extends Partial<Trial> {
  /** Places that would not mean the renamed symbol any more, as they were before. */
  lost?: RenamePlace[];
}

/** With the edits laid over the files, the new name must be found in exactly the places that were changed, and no error may appear. */
export async function tryRename(
  backend: RenameBackend,
  { target, newName, places, edits, dependents, further, deadline }: RenameToTry,
  waiting: RefactorWaiting,
): Promise<RenameTrial> {
  const texts = await editedTexts(backend, edits);
  const expected = new Map<string, RenamePlace>();
  let start: { path: string; offset: number } | undefined;
  for (const place of places) {
    const before = await backend.text(place.path);
    const offset = before.offsetAt(place.range.start);
    const after = mapOffset(before, edits.get(place.path) ?? [], offset) + place.prefix.length;
    expected.set(`${place.path}:${after}`, place);
    const isTarget = place.path === target.path && offset === before.offsetAt(target.position);
    if (isTarget) start = { path: place.path, offset: after };
  }
  const conflicts: Conflict[] = [];
  if (start !== undefined) {
    const { path, offset } = start;
    const found = await backend.overlaid(texts, () =>
      boundPlaces(
        backend,
        { path, offset },
        new Set(expected.keys()),
        texts,
        { from: newName, to: target.name },
        waiting,
      ),
    );
    conflicts.push(...bindingConflicts(found, new Set(expected.keys()), texts, newName));
    if (conflicts.length > 0) {
      const bound = new Set(found.map((place) => keyOf(place, texts)));
      return { conflicts, lost: [...expected].filter(([key]) => !bound.has(key)).map(([, place]) => place) };
    }
  }
  const sameText = sameTextFor({ from: target.name, to: newName });
  return tryContents(backend, texts, dependents, waiting, { sameText, further, budgetMs: deadline - Date.now() });
}

/**
 * Everything that is bound to one of the renamed names now. What a union of types has in common is met from each of its sides only in
 * part, so places that were not found from the first one are asked about in turn.
 */
export async function boundPlaces(
  backend: RenameBackend,
  first: { path: string; offset: number },
  expected: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
  names: { from: string; to: string },
  waiting: RefactorWaiting,
): Promise<RenamePlace[]> {
  const found = new Map<string, RenamePlace>();
  for (let at = first; ;) {
    const { path, offset } = at;
    const position = new LineIndex(texts.get(path) ?? '').positionAt(offset);
    try {
      // Asking for the old name shows what the renamed symbol is bound to now.
      for (const place of await placesOf(backend, { path, name: names.from, position }, names.to, waiting, texts))
        found.set(keyOf(place, texts), place);
    } catch (error) {
      // What cannot be renamed any more is bound to something else, or to nothing.
      if (error instanceof ToolError) break;
      throw error;
    }
    // The place that was asked about is bound to itself, even where the server leaves it out of its answer.
    const own = { path, range: { start: position, end: position }, prefix: '', suffix: '' };
    found.set(keyOf(own, texts), own);
    const lost = [...expected].find((key) => !found.has(key));
    if (lost === undefined || [...found.keys()].some((key) => !expected.has(key))) break;
    const colon = lost.lastIndexOf(':');
    at = { path: lost.slice(0, colon), offset: Number(lost.slice(colon + 1)) };
  }
  return [...found.values()];
}

function keyOf({ path, range }: RenamePlace, texts: ReadonlyMap<string, string>): string {
  const text = texts.get(path);
  return text === undefined ? '' : `${path}:${new LineIndex(text).offsetAt(range.start)}`;
}

function bindingConflicts(
  found: readonly RenamePlace[],
  expected: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
  newName: string,
): Conflict[] {
  const conflicts = strangersAmong(found, expected, texts, newName);
  const foundKeys = new Set(found.map((place) => keyOf(place, texts)));
  const lost = [...expected].filter((key) => !foundKeys.has(key));
  const [first] = lost;
  if (first !== undefined) {
    const path = first.slice(0, first.lastIndexOf(':'));
    const at = new LineIndex(texts.get(path) ?? '').positionAt(Number(first.slice(first.lastIndexOf(':') + 1)));
    conflicts.push({
      kind: 'name',
      message: because('placesMeanOther', { places: counted(lost.length, 'place'), name: newName }),
      file: path,
      line: at.line,
      column: at.column,
    });
  }
  return conflicts;
}

/** Places that are bound to the renamed name now, and were not changed. */
export function strangersAmong(
  found: readonly RenamePlace[],
  expected: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
  newName: string,
): Conflict[] {
  return found
    .filter((place) => !expected.has(keyOf(place, texts)))
    .map((place) => ({
      kind: 'name',
      message: because('takenForRenamed', { name: newName }),
      file: place.path,
      line: place.range.start.line,
      column: place.range.start.column,
    }));
}
