import { ToolError } from '../../../../../base/errors.ts';
import { LineIndex } from '../../../../../base/positions.ts';
import { counted } from '../../../../../base/text/counted.ts';
import { listSourceFiles } from '../../../sourceFiles.ts';
import { sameTextFor, type Conflict } from '../../model.ts';
import { because } from '../../refusals/refuse.ts';
import { importersOf } from '../imports/importers.ts';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import { addEdit, editedTexts, mapOffset, tryShown, type FileEdits, type Trial } from '../servers/trial.ts';
import { remaining } from '../semantics/mentions.ts';
import { compiler, parse, sourceExtensions } from '../syntax/compiler.ts';
import { isOfMember } from './memberNames.ts';
import { placesOf } from './places.ts';
import { whyUnproven } from './proof.ts';
import { changedPlaces, type RenameRound, type RenameState, type Tried } from './state.ts';

export interface RenameTrial extends Partial<Trial> {
  /** Places that would not mean the renamed symbol any more, as they were before. */
  lost?: RenamePlace[];
}

/** The edits of a rename, tried out where the places alone do not show that nothing changes its meaning. */
export async function tryRound(round: RenameRound): Promise<Tried> {
  const untried = await leaveUntried(round);
  if (untried.why === undefined) return untried;
  const { old, time } = round;
  const { edits, changed, dependents, isMember } = untried;
  time.begin();
  const tried = await time.within(async (waiting) => {
    // The types of members must fit wherever their objects go, whether or not the name is mentioned there.
    const further = isMember ? await filesWithin({ ...round, waiting }, [...edits.keys()]) : [];
    return { further, trial: await tryRename({ ...round, waiting }, { edits, dependents, further }) };
  });
  if (tried === undefined) return untried;
  return { ...untried, ...tried, left: isMember ? remaining(changed, old) : [] };
}

/** The edits of a rename of which nothing is known but the names. */
async function leaveUntried(round: RenameRound): Promise<Tried> {
  const { old, fresh } = round;
  const changed = changedPlaces(round);
  const edits = await editsFor(round, changed);
  const dependents = [...new Set([...old.files, ...fresh.files])].filter((file) => !edits.has(file));
  const [why, isMember] = [await whyUnproven(round), await isOfMember(round)];
  const trial = why === undefined ? { tried: { before: [], after: [] } } : {};
  return { edits, changed, isMember, why, trial, dependents, further: [], left: [] };
}

async function editsFor(
  { backend, target, newName }: RenameState,
  changed: readonly RenamePlace[],
): Promise<FileEdits> {
  const edits: FileEdits = new Map();
  for (const { path, range, prefix, suffix } of changed) {
    const isPlain = range.start.line === range.end.line && range.end.column - range.start.column === target.name.length;
    addEdit(edits, path, range, prefix + newName + suffix, isPlain ? target.name : undefined);
  }
  // Where a name is written differently (quoted, escaped), the file as a whole must be the one that was looked at.
  await backend.open(
    [...edits].filter(([, list]) => list.some((edit) => edit.oldText === undefined)).map(([path]) => path),
  );
  return edits;
}

/** The files in which something of the changed ones can be seen. */
async function filesWithin(
  { backend, waiting: { signal } }: RenameState,
  changed: readonly string[],
): Promise<readonly string[]> {
  const files = await listSourceFiles(backend.project, sourceExtensions, signal);
  for (const path of changed) {
    const { text } = await backend.text(path);
    if (!compiler().isExternalModule(parse(path, text)) || text.includes('declare global')) return files;
  }
  return (await importersOf(backend.project, changed, files, signal)) ?? files;
}

/** With the edits laid over the files, the new name must be found in exactly the places that were changed, and no error may appear. */
async function tryRename(
  { backend, target, newName, places, time, waiting }: RenameRound,
  { edits, dependents, further }: Pick<Tried, 'edits' | 'dependents' | 'further'>,
): Promise<RenameTrial> {
  const texts = await editedTexts(backend, edits);
  const names = { from: newName, to: target.name };
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
  const sameText = sameTextFor({ from: target.name, to: newName });
  const checkTypes = () => tryShown(backend, texts, dependents, waiting, { sameText, further, budgetMs: time.leftMs });
  const from = start;
  const keys = new Set(expected.keys());
  const ended = await backend.overlaid(
    texts,
    async (): Promise<() => Promise<RenameTrial> | RenameTrial> => {
      if (from === undefined) return checkTypes();
      const found = await boundPlaces(backend, from, keys, texts, names, waiting);
      const conflicts = bindingConflicts(found, keys, texts, newName);
      if (conflicts.length === 0) return checkTypes();
      const bound = new Set(found.map((place) => keyOf(place, texts)));
      const lost = [...expected].filter(([key]) => !bound.has(key)).map(([, place]) => place);
      return () => ({ conflicts, lost });
    },
    waiting,
  );
  return ended();
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
  waiting: RenameState['waiting'],
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
      waiting.signal?.throwIfAborted();
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
