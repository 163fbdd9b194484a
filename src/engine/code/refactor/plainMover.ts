import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { Project } from '../../workspace/project.ts';
import { proposal, type LanguageRefactorer } from './model.ts';

/** Moves files of which no engine knows who refers to them, and says so. */
export function plainMover(project: Project): LanguageRefactorer {
  const notOffered = (): Promise<never> =>
    Promise.reject(new ToolError('refactoring_not_available', 'Files of this kind can only be moved.'));
  return {
    rename: notOffered,
    extractMethod: notOffered,
    extractVariable: notOffered,
    inline: notOffered,
    safeDelete: notOffered,
    moveSymbol: notOffered,
    moveFile: (from, to) =>
      Promise.resolve(
        proposal(
          `move ${displayPath(project.root, from)} to ${displayPath(project.root, to)}`,
          [{ kind: 'rename', from, to }],
          { notes: ['No engine knows who refers to this file; references to it were not changed.'] },
        ),
      ),
    problems: () => Promise.resolve([]),
    dispose: () => Promise.resolve(),
  };
}
