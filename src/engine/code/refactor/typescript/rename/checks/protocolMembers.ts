import { hiddenMeanings } from '../../semantics/protocolMembers.ts';
import { whyUnproven } from '../proof.ts';
import { changedPlaces, type RenameCheck } from '../state.ts';

/** Members that the language itself finds by their name, or that are asked for by a string. */
export const protocolMembers: RenameCheck = {
  name: 'names with a meaning of their own',
  appliesTo: async (round) => (await whyUnproven(round)) !== undefined,
  check: ({ backend, target, newName, old, ...round }) =>
    hiddenMeanings(backend, { target, newName, places: changedPlaces(round), old }),
};
