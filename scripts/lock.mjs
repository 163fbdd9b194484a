// Writes package-lock.json anew, in an empty directory. Beside an installed node_modules, npm leaves out of the lock what other
// platforms need, and then `npm ci` refuses it everywhere. `--check` only says whether something is missing.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
if (process.argv.includes('--check')) check();
else write();

function check() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`${path}/node_modules/${name}`] === undefined && packages[`node_modules/${name}`] === undefined,
    ),
  );
  if (missing.length === 0) return;
  console.error(`package-lock.json lacks ${missing.length} packages of other platforms (npm run lock writes it anew):`);
  console.error(missing.join(', '));
  process.exitCode = 1;
}

function write() {
  const scratch = mkdtempSync(join(tmpdir(), 'sightline-lock-'));
  try {
    for (const name of ['package.json', '.npmrc']) copyFileSync(join(root, name), join(scratch, name));
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--loglevel=error'], {
      cwd: scratch,
      stdio: 'inherit',
    });
    copyFileSync(join(scratch, 'package-lock.json'), join(root, 'package-lock.json'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  check();
}
