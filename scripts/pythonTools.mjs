// What checks our Python comes from PyPI, pinned, and is kept in the user's cache beside the other tools of the tests.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = process.env.SIGHTLINE_TEST_CACHE ?? join(homedir(), '.cache', 'sightline-tests');
/** The release that Sightline installs for others too, with its hashes. */
const { pip } = JSON.parse(readFileSync(new URL('../pins/engines.json', import.meta.url), 'utf8'));

/** The path of ruff or ty, installed once. Two checks may want it at once: whoever is first puts it in place whole. */
export function pythonTool(name) {
  const [[release, requirement]] = Object.entries(pip).filter(([one]) => one.startsWith(`${name}==`));
  const folder = join(cache, release.replace('==', '_'));
  const program = join(folder, 'bin', name);
  if (existsSync(program)) return program;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  const quiet = ['-q', '--disable-pip-version-check', '--no-warn-script-location', '--root-user-action=ignore'];
  const list = `${fresh}.txt`;
  writeFileSync(list, requirement.join('\n'));
  const pinned = ['--only-binary', ':all:', '--no-deps', '--require-hashes', '-r', list];
  execFileSync('python3', ['-m', 'pip', 'install', ...quiet, '--target', fresh, ...pinned], { stdio: 'inherit' });
  rmSync(list);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(program)) throw error;
  }
  return program;
}
