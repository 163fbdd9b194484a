import { LineIndex } from '../../../../../base/positions.ts';
import type { RefactorTarget, RefactorWaiting } from '../../model.ts';
import { placeKey, type RenamePlace, type RenameBackend } from '../servers/backend.ts';
import { compiler } from '../syntax/compiler.ts';
import { usesTakenForGlobal } from '../servers/globalNamesakes.ts';
import { refuse } from '../../refusals/refuse.ts';

type TextOf = (path: string) => Promise<LineIndex>;

/** Every place that must change. Exports under the same name are followed to their importers instead of being aliased. */
export async function placesOf(
  backend: RenameBackend,
  target: RefactorTarget,
  newName: string,
  waiting: RefactorWaiting,
  /** What the server is shown in place of what is on disk. */
  shown: ReadonlyMap<string, string> = new Map(),
): Promise<RenamePlace[]> {
  const textOf: TextOf = (path) => {
    const text = shown.get(path);
    return text === undefined ? backend.text(path) : Promise.resolve(new LineIndex(text));
  };
  const places = new Map<string, RenamePlace>();
  const queue: Pick<RefactorTarget, 'path' | 'position'>[] = [target];
  const asked = new Set<string>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = `${next.path}:${next.position.line}:${next.position.column}`;
    if (asked.has(key)) continue;
    asked.add(key);
    const answer = await backend.renamePlaces(next.path, next.position, newName, waiting);
    if ('refused' in answer) throw refuse('serverDoesNotRename', { name: target.name, reason: answer.refused });
    for (const place of answer) {
      const known = places.get(placeKey(place));
      // A shorthand, or an export under the same name, that is met from both its sides changes whole and needs no alias.
      if (known === undefined) places.set(placeKey(place), place);
      else if (known.prefix !== place.prefix || known.suffix !== place.suffix)
        places.set(placeKey(place), { ...place, prefix: '', suffix: '' });
      // An export that would keep its name by an alias is followed to those who import it instead.
      if (place.suffix.startsWith(' as ')) queue.push({ path: place.path, position: place.range.start });
    }
    queue.push(...(await aliasesOfSameName(textOf, answer)));
  }
  const text = await textOf(target.path);
  for (const use of usesTakenForGlobal(target.path, text.text, text.offsetAt(target.position))) {
    const range = { start: text.positionAt(use.getStart()), end: text.positionAt(use.getEnd()) };
    const prefix = compiler().isShorthandPropertyAssignment(use.parent) ? `${use.text}: ` : '';
    const place = { path: target.path, range, prefix, suffix: '' };
    if (places.has(placeKey(place))) continue;
    const meant = await backend.definitions(target.path, range.start, waiting);
    if (meant.every(({ path }) => path !== target.path)) places.set(placeKey(place), place);
  }
  // The server's order differs from time to time.
  return [...places.values()].sort(
    (a, b) =>
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.column - b.range.start.column,
  );
}

/** The second names of `x as x`: the server changes both there, and leaves those who know the thing by the second one. */
async function aliasesOfSameName(
  textOf: TextOf,
  places: readonly RenamePlace[],
): Promise<Pick<RefactorTarget, 'path' | 'position'>[]> {
  const lineOf = ({ path, range }: RenamePlace): string => `${path}:${range.start.line}`;
  const lines = new Map<string, RenamePlace[]>();
  for (const place of places) lines.set(lineOf(place), [...(lines.get(lineOf(place)) ?? []), place]);
  const found: Pick<RefactorTarget, 'path' | 'position'>[] = [];
  for (const together of lines.values()) {
    if (together.length === 1) continue;
    for (const { path, range } of together) {
      const before = (await textOf(path)).lineText(range.start.line)?.slice(0, range.start.column - 1) ?? '';
      const as = /\s+as\s+$/.exec(before)?.index;
      const isAlias = as !== undefined && together.some((other) => other.range.end.column === as + 1);
      if (isAlias) found.push({ path, position: range.start });
    }
  }
  return found;
}

/** A shorthand that is met from both its sides changes whole, and needs neither name beside the new one. */
export function withoutDoubles(places: readonly RenamePlace[]): RenamePlace[] {
  const found = new Map<string, RenamePlace>();
  for (const place of places) {
    const known = found.get(placeKey(place));
    const isOther = known !== undefined && (known.prefix !== place.prefix || known.suffix !== place.suffix);
    found.set(placeKey(place), isOther ? { ...place, prefix: '', suffix: '' } : place);
  }
  return [...found.values()];
}
