// Writes package-lock.json anew, in an empty directory, and makes sure that it names the packages of all platforms. npm leaves out
// what it could not find or did not install (a registry mirror may lag behind for platforms nobody near it uses), and then `npm ci`
// refuses the lock everywhere; each of them has its hash. `--check` only says whether something is missing.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillIntegrity, withoutIntegrity } from './npmIntegrity.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const lockFile = join(root, 'package-lock.json');
if (process.argv.includes('--check')) check();
else write();

function check() {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
  complain(
    'lacks packages of other platforms; npm run lock adds them',
    missingIn(packages).map(({ name }) => name),
  );
  const unhashed = withoutIntegrity(packages).map(([path]) => path);
  complain('has packages without a hash; npm run lock fills them in', unhashed);
}

function complain(problem, names) {
  if (names.length === 0) return;
  console.error(`package-lock.json ${problem} (${names.length}): ${names.join(', ')}`);
  process.exitCode = 1;
}

function write() {
  const scratch = mkdtempSync(join(tmpdir(), 'sightline-lock-'));
  try {
    for (const name of ['package.json', '.npmrc', 'package-lock.json'])
      copyFileSync(join(root, name), join(scratch, name));
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--loglevel=error'], {
      cwd: scratch,
      stdio: 'inherit',
    });
    const lock = JSON.parse(readFileSync(join(scratch, 'package-lock.json'), 'utf8'));
    for (const { name, version, dev } of missingIn(lock.packages))
      lock.packages[`node_modules/${name}`] = {
        version,
        ...platformOf(name),
        ...(dev ? { dev: true } : {}),
        optional: true,
      };
    // A release whose packages the registry has only in part is no release to depend on: an older one is.
    const unknown = fillIntegrity(lock.packages);
    if (unknown.length > 0) throw new Error(`The registry does not have ${unknown.join(', ')}.`);
    const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
    writeFileSync(lockFile, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function missingIn(packages) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name]) =>
          packages[`${path}/node_modules/${name}`] === undefined && packages[`node_modules/${name}`] === undefined,
      )
      .map(([name, version]) => ({ name, version, dev })),
  );
}

/** As the names of platform packages say it: `@rollup/rollup-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32'].find((word) =>
    words.includes(word),
  );
  const cpu = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'].find((word) =>
    words.includes(word),
  );
  if (os === undefined || cpu === undefined) throw new Error(`${name} does not say its platform.`);
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : ['glibc'];
  return { os: [os], cpu: [cpu], ...(os === 'linux' ? { libc } : {}) };
}
