import { checkDeclarations } from '../../imports/builtFiles.ts';
import { changedPlaces, type RenameCheck } from '../state.ts';

/** What is declared in a file that a build makes, or beside the JavaScript it describes, cannot change there alone. */
export const builtDeclarations: RenameCheck = {
  name: 'declared in built files',
  appliesTo: () => true,
  async check(round) {
    const paths = changedPlaces(round).map(({ path }) => path);
    await checkDeclarations(round.backend, round.target.name, paths, round.waiting);
    return [];
  },
};
