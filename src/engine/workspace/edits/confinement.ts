import { basename, dirname, join, resolve } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { resolveProjectPath } from '../paths.ts';

/**
 * The canonical path an operation really touches, refused unless it lies inside the project. With `follow`, a link at the end
 * is followed (its target is edited and the link stays); without, the link itself is meant (it is renamed or deleted).
 */
export async function confinedPath(root: string, path: string, follow: boolean): Promise<string> {
  const name = basename(resolve(root, path));
  const canonical =
    follow || path.includes('\0')
      ? (await resolveProjectPath(root, path, { expect: 'any' })).path
      : join((await resolveProjectPath(root, dirname(resolve(root, path)), { expect: 'any' })).path, name);
  if (canonical !== root) return canonical;
  throw new ToolError('path_outside_project', 'The project root itself cannot be written, renamed or deleted.');
}
