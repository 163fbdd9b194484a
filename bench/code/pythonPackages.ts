import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Real packages of pure Python, and the engines they are compared with, fetched once from PyPI and pinned. */
const pinned = { click: '8.3.1', itsdangerous: '2.2.0', pluggy: '1.7.0', jedi: '0.20.1', zuban: '0.10.2' } as const;
export type PythonPackage = keyof typeof pinned;

export const cache = process.env['SIGHTLINE_TEST_CACHE'] ?? join(homedir(), '.cache', 'sightline-test');

/** The name with the version, for files. */
export function pinnedName(name: PythonPackage): string {
  return `${name}-${pinned[name]}`;
}

/** A folder with the package in it. It is shared by all runs; copy it to change it. */
export function pythonPackage(name: PythonPackage): string {
  const folder = join(cache, 'packages', pinnedName(name));
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  // jedi needs parso; of the packages that are looked at only their own sources are wanted.
  const dependencies = name === 'jedi' ? [] : ['--no-deps'];
  const quiet = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore', '--no-compile'];
  const wanted = `${name}==${pinned[name]}`;
  execFileSync('python3', ['-m', 'pip', 'install', ...quiet, ...dependencies, '--target', fresh, wanted], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return folder;
}
