import { because } from '../../../refusals/refuse.ts';
import { placeKey, type RenameBackend, type RenamePlace } from '../../servers/backend.ts';
import { isJavaScript } from '../../servers/classicRename.ts';
import { parse, tokenAt } from '../../syntax/compiler.ts';
import { exportedName, ownUses } from './commonJsExports.ts';
import { placeOf, Unclear, usesOf } from './commonJsUses.ts';
import type { RenameFollower, RenameRound } from '../state.ts';

/**
 * A name that a CommonJS module exports as it is (`module.exports = { add }`, `exports.add = add`) is renamed for those that require it
 * too, as it is for imports. Where somebody uses the module in a way that does not show which of its names are meant, the
 * exported name stays as it is: that is always right.
 */
export const commonJs: RenameFollower = {
  name: 'exports of CommonJS modules',
  appliesTo: ({ target }) => isJavaScript(target.path),
  async follow(round) {
    const { backend, target, places } = round;
    const own = await exportedPlace(backend, target.name, places);
    try {
      return await exportsFollowed(round, own !== undefined);
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      if (own === undefined) return { notes: [`The exported name "${target.name}" stays: ${error.message}.`] };
      // It is the exported name itself that is renamed: what the server found is all that is known to mean it.
      const message = because('askedByOldName', { name: target.name, why: error.message });
      return { conflicts: [{ kind: 'meaning', message, file: own.path, ...own.range.start }] };
    }
  },
};

/** The places, without those that gave an export its old name by an alias; and what follows from the export's new name. */
async function exportsFollowed(
  { backend, target: { name }, newName, places, waiting }: RenameRound,
  followsSpread: boolean,
): Promise<{ places: RenamePlace[]; extra: RenamePlace[] }> {
  const known = new Map(places.map((place) => [placeKey(place), place]));
  const extra = new Map<string, RenamePlace>();
  const queue = [...places];
  const modules = new Set<string>();
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    if (!isJavaScript(place.path)) continue;
    const text = await backend.text(place.path);
    const exported = exportedName(tokenAt(parse(place.path, text.text), text.offsetAt(place.range.start)), name);
    if (exported === undefined) continue;
    const added = placeOf(exported, text);
    if (known.has(placeKey(added))) known.set(placeKey(added), added);
    else extra.set(placeKey(added), added);
    for (const own of ownUses(exported, name)) {
      const use = placeOf(own, text);
      if (!known.has(placeKey(use))) extra.set(placeKey(use), use);
    }
    if (modules.has(place.path)) continue;
    modules.add(place.path);
    for (const use of await usesOf(backend, place.path, { name, newName, followsSpread }, waiting)) {
      // What the server would keep under its old name by an alias is renamed together with its uses.
      if (known.has(placeKey(use)) && use.prefix + use.suffix === '') known.set(placeKey(use), use);
      if (known.has(placeKey(use)) || extra.has(placeKey(use))) continue;
      extra.set(placeKey(use), use);
      queue.push(use);
    }
  }
  return { places: [...known.values()], extra: [...extra.values()] };
}

/** The place, if any, that is the exported name and not only what is exported by it. */
async function exportedPlace(
  backend: RenameBackend,
  name: string,
  places: readonly RenamePlace[],
): Promise<RenamePlace | undefined> {
  for (const place of places) {
    if (!isJavaScript(place.path) || place.prefix !== '' || place.suffix !== '') continue;
    const text = await backend.text(place.path);
    const token = tokenAt(parse(place.path, text.text), text.offsetAt(place.range.start));
    if (exportedName(token, name) === token) return place;
  }
  return undefined;
}
