// What checks our Python comes from PyPI, pinned, and is kept in the user's cache beside the other tools of the tests.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = process.env.SIGHTLINE_TEST_CACHE ?? join(homedir(), '.cache', 'sightline-tests');
const version = '0.17.5';

/** The path of ruff, installed once. Two checks may want it at once: whoever is first puts it in place whole. */
export function ruff() {
  const folder = join(cache, `ruff_${version}`);
  const program = join(folder, 'bin', 'ruff');
  if (existsSync(program)) return program;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  const quiet = ['-q', '--disable-pip-version-check', '--no-warn-script-location', '--root-user-action=ignore'];
  execFileSync('python3', ['-m', 'pip', 'install', ...quiet, '--target', fresh, `ruff==${version}`], {
    stdio: 'inherit',
  });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(program)) throw error;
  }
  return program;
}
