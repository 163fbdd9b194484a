import { isInside } from '../../../../../../base/paths.ts';
import { refuse } from '../../../refusals/refuse.ts';
import type { TypeScriptBackend } from '../../servers/backend.ts';
import { changedPlaces, type RenameCheck } from '../state.ts';

/** What is also declared outside of the project cannot change there. */
export const declaredOutside: RenameCheck = {
  name: 'declared outside of the project',
  appliesTo: () => true,
  check(round) {
    const outside = changedPlaces(round).find(({ path }) => !isOwn(round.backend, path));
    if (outside !== undefined) throw refuse('declaredOutside', { name: round.target.name, path: outside.path });
    return Promise.resolve([]);
  },
};

export function isOwn({ project }: Pick<TypeScriptBackend, 'project'>, path: string): boolean {
  return isInside(project.root, path) && !path.includes('/node_modules/');
}
