import { ToolError } from '../../../../base/errors.ts';
import type { RefactorTarget, RefactorWaiting } from '../model.ts';
import type { RenamePlace, RenameBackend } from './backend.ts';
import { compiler } from './compiler.ts';
import { usesTakenForGlobal } from './globalNamesakes.ts';

/** Every place that must change. Exports under the same name are followed to their importers instead of being aliased. */
export async function placesOf(
  backend: RenameBackend,
  target: RefactorTarget,
  newName: string,
  waiting: RefactorWaiting,
): Promise<RenamePlace[]> {
  const places = new Map<string, RenamePlace>();
  const queue: Pick<RefactorTarget, 'path' | 'position'>[] = [target];
  const asked = new Set<string>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = `${next.path}:${next.position.line}:${next.position.column}`;
    if (asked.has(key)) continue;
    asked.add(key);
    const answer = await backend.renamePlaces(next.path, next.position, newName, waiting);
    if ('refused' in answer)
      throw new ToolError('refactoring_not_available', `"${target.name}" cannot be renamed: ${answer.refused}`);
    for (const place of answer) {
      const placeKey = `${place.path}:${place.range.start.line}:${place.range.start.column}`;
      const known = places.get(placeKey);
      // A shorthand, or an export under the same name, that is met from both its sides changes whole and needs no alias.
      if (known === undefined) places.set(placeKey, place);
      else if (known.prefix !== place.prefix || known.suffix !== place.suffix)
        places.set(placeKey, { ...place, prefix: '', suffix: '' });
      // An export that would keep its name by an alias is followed to those who import it instead.
      if (place.suffix.startsWith(' as ')) queue.push({ path: place.path, position: place.range.start });
    }
  }
  const text = await backend.text(target.path);
  for (const use of usesTakenForGlobal(target.path, text.text, text.offsetAt(target.position))) {
    const range = { start: text.positionAt(use.getStart()), end: text.positionAt(use.getEnd()) };
    const key = `${target.path}:${range.start.line}:${range.start.column}`;
    const prefix = compiler().isShorthandPropertyAssignment(use.parent) ? `${use.text}: ` : '';
    if (places.has(key)) continue;
    const meant = await backend.definitions(target.path, range.start, waiting);
    if (meant.every(({ path }) => path !== target.path))
      places.set(key, { path: target.path, range, prefix, suffix: '' });
  }
  // The server's order differs from time to time.
  return [...places.values()].sort(
    (a, b) =>
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.column - b.range.start.column,
  );
}
