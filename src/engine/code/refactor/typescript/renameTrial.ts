import { LineIndex } from '../../../../base/positions.ts';
import { sameTextFor, type Conflict, type RefactorTarget, type RefactorWaiting } from '../model.ts';
import type { RenamePlace, RenameBackend } from './backend.ts';
import { placesOf } from './renamePlaces.ts';
import { editedTexts, mapOffset, samePosition, tryContents, type FileEdits, type Trial } from './trial.ts';

export interface RenameToTry {
  target: RefactorTarget;
  newName: string;
  places: readonly RenamePlace[];
  edits: FileEdits;
  dependents: readonly string[];
}

/** With the edits laid over the files, the new name must be found in exactly the places that were changed, and no error may appear. */
export async function tryRename(
  backend: RenameBackend,
  { target, newName, places, edits, dependents }: RenameToTry,
  waiting: RefactorWaiting,
): Promise<Partial<Trial>> {
  const texts = await editedTexts(backend, edits);
  const expected = new Set<string>();
  let start: { path: string; offset: number } | undefined;
  for (const place of places) {
    const before = await backend.text(place.path);
    const offset = before.offsetAt(place.range.start);
    const after = mapOffset(before, edits.get(place.path) ?? [], offset) + place.prefix.length;
    expected.add(`${place.path}:${after}`);
    const isTarget = place.path === target.path && offset === before.offsetAt(target.position);
    if (isTarget) start = { path: place.path, offset: after };
  }
  const conflicts: Conflict[] = [];
  if (start !== undefined) {
    const { path, offset } = start;
    const position = new LineIndex(texts.get(path) ?? '').positionAt(offset);
    const found = await backend.overlaid(texts, async () =>
      // Asking for the old name shows what the renamed symbol is bound to now.
      placesOf(backend, { path, name: newName, position }, target.name, waiting),
    );
    // The place that was asked about is bound to itself, even where the server leaves it out of its answer.
    expected.delete(`${path}:${offset}`);
    const others = found.filter((one) => !(one.path === path && samePosition(one.range.start, position)));
    conflicts.push(...bindingConflicts(others, expected, texts, newName));
  }
  if (conflicts.length > 0) return { conflicts };
  return tryContents(backend, texts, dependents, waiting, sameTextFor({ from: target.name, to: newName }));
}

function bindingConflicts(
  found: readonly RenamePlace[],
  expected: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
  newName: string,
): Conflict[] {
  const conflicts: Conflict[] = [];
  const foundKeys = new Set<string>();
  for (const place of found) {
    const text = texts.get(place.path);
    const key = text === undefined ? '' : `${place.path}:${new LineIndex(text).offsetAt(place.range.start)}`;
    foundKeys.add(key);
    if (!expected.has(key))
      conflicts.push({
        kind: 'name',
        message: `"${newName}" already means something else there and would be taken for the renamed symbol`,
        file: place.path,
        line: place.range.start.line,
        column: place.range.start.column,
      });
  }
  const lost = [...expected].filter((key) => !foundKeys.has(key));
  const [first] = lost;
  if (first !== undefined) {
    const path = first.slice(0, first.lastIndexOf(':'));
    const at = new LineIndex(texts.get(path) ?? '').positionAt(Number(first.slice(first.lastIndexOf(':') + 1)));
    conflicts.push({
      kind: 'name',
      message: `${lost.length} place${lost.length === 1 ? '' : 's'} would mean another "${newName}" than the renamed one`,
      file: path,
      line: at.line,
      column: at.column,
    });
  }
  return conflicts;
}
