import { displayPath } from '../../../../../../base/paths.ts';
import { because } from '../../../refusals/refuse.ts';
import { usesOfBuilt } from '../../imports/builtFiles.ts';
import { remaining } from '../../semantics/mentions.ts';
import { changedPlaces, type RenameCheck } from '../state.ts';

/** Other packages of the project may know the symbol only by what was built of it. */
export const builtUses: RenameCheck = {
  name: 'known by built files',
  appliesTo: () => true,
  async check(round) {
    const { backend, old, waiting } = round;
    const changed = changedPlaces(round);
    const paths = changed.map(({ path }) => path);
    const uses = await usesOfBuilt(backend, paths, remaining(changed, old), waiting);
    return uses.map(({ path, range, through }) => ({
      kind: 'meaning',
      message: because('knownByBuilt', { path: displayPath(backend.project.root, through) }),
      file: path,
      ...range.start,
    }));
  },
};
