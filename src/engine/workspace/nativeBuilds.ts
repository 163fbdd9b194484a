import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../../base/errors.ts';
import { readText } from './testRunners/packages.ts';

/** A folder of ours for what is made of a project beside it: builds, and the index of its code. It stays for the next time. */
export function ownFolder(purpose: 'cmake' | 'meson' | 'clangd', root: string): string {
  const { uid } = userInfo();
  const home = join(tmpdir(), `sightline-${purpose}-${uid}`);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const stats = lstatSync(home);
  if (!stats.isDirectory() || (process.getuid !== undefined && stats.uid !== uid))
    throw new ToolError('launch_failed', `${home} is not a folder of yours, so nothing is built there.`);
  const folder = join(home, createHash('sha256').update(root).digest('hex').slice(0, 12));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** A build folder of the person's that CMake made for debugging. */
export function ownCmakeFolder(root: string): string | undefined {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name))
    .find((folder) => {
      const cache = readText(join(folder, 'CMakeCache.txt'));
      return cache !== undefined && /^CMAKE_BUILD_TYPE:\w+=(?:Debug|RelWithDebInfo)$/m.test(cache);
    });
}
