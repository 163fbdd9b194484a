import { placesOf, withoutDoubles } from '../places.ts';
import type { RenameWidener } from '../state.ts';

/** Of so many places it is asked what they belong to. */
const maxAsked = 16;

/** Places that would mean the renamed symbol no more: others share them, in a union, and follow. */
export const lostPlaces: RenameWidener = {
  name: 'places shared with others',
  appliesTo: ({ isMember, trial }) => isMember && (trial.lost ?? []).length > 0,
  async follow({ backend, target, newName, places, waiting, trial }) {
    const more = [...places];
    for (const { path, range } of (trial.lost ?? []).slice(0, maxAsked))
      more.push(...(await placesOf(backend, { path, position: range.start, name: target.name }, newName, waiting)));
    return { places: withoutDoubles(more) };
  },
};
