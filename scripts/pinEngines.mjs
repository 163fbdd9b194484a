// Writes pins/engines.json: the hash of every file that installing an engine may fetch, worked out from what src/engine/provision/engines declares.
// `--check` only says, without the network, whether something is missing or left over. To be run after the version of an engine was changed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { fillIntegrity, withoutIntegrity } from './npmIntegrity.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'sightline-pins-'));
try {
  const { subjects, pinKey, pinsFile } = await declared();
  const file = join(root, pinsFile);
  if (process.argv.includes('--check')) check(subjects, pinKey, JSON.parse(readFileSync(file, 'utf8')));
  else await write(subjects, pinKey, file);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function declared() {
  const outfile = join(scratch, 'catalog.mjs');
  const contents = `export { engineCatalog } from './src/engine/provision/engineCatalog.ts'; export { pinKey, pinsFile } from './src/engine/provision/pins.ts';`;
  const stdin = { contents, resolveDir: root, loader: 'ts' };
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
  const { engineCatalog, pinKey, pinsFile } = await import(pathToFileURL(outfile).href);
  const all = engineCatalog.flatMap(({ install }) => install.pinned ?? []);
  const subjects = [...new Map(all.map((subject) => [`${subject.client} ${pinKey(subject)}`, subject])).values()];
  return { subjects, pinKey, pinsFile };
}

function check(subjects, pinKey, pins) {
  const wanted = subjects.map((subject) => `${subject.client} ${pinKey(subject)}`);
  const present = Object.entries(pins).flatMap(([client, each]) => Object.keys(each).map((key) => `${client} ${key}`));
  const problems = [
    ...wanted.filter((key) => !present.includes(key)).map((key) => `${key}: no hashes`),
    ...present.filter((key) => !wanted.includes(key)).map((key) => `${key}: no engine declares it`),
    ...Object.entries(pins.npm).flatMap(([key, packages]) =>
      withoutIntegrity(packages).map(([path]) => `npm ${key}: ${path} has no hash`),
    ),
    ...Object.entries(pins.pip).flatMap(([key, lines]) =>
      lines.filter((line) => !line.includes(' --hash=sha256:')).map((line) => `pip ${key}: ${line} has no hash`),
    ),
  ];
  if (problems.length === 0) return;
  console.error(`The pinned hashes of engines are not whole; node scripts/pinEngines.mjs writes them:`);
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

async function write(subjects, pinKey, file) {
  const pins = { npm: {}, pip: {}, go: {} };
  const pinOf = { npm: npmLock, pip: pipRequirements, go: goSums };
  for (const subject of subjects) {
    console.log(`${subject.client} ${pinKey(subject)}`);
    pins[subject.client][pinKey(subject)] = await pinOf[subject.client](subject);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(pins, undefined, 1)}\n`);
}

function npmLock({ packages, flags }) {
  const folder = mkdtempSync(join(scratch, 'npm-'));
  const dependencies = Object.fromEntries(
    packages.map((one) => [one.slice(0, one.lastIndexOf('@')), one.slice(one.lastIndexOf('@') + 1)]),
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  // Without addresses of a registry: each person's own npm knows where to ask.
  writeFileSync(join(folder, '.npmrc'), 'omit-lockfile-registry-resolved=true\n');
  const command = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--loglevel=error', ...flags];
  execFileSync('npm', command, { cwd: folder, stdio: 'inherit' });
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const unknown = fillIntegrity(lock);
  if (unknown.length > 0) throw new Error(`The registry has no hash of ${unknown.join(', ')}.`);
  for (const entry of Object.values(lock))
    for (const name of ['name', 'license', 'funding', 'engines', 'deprecated', 'resolved']) delete entry[name];
  return lock;
}

/** The same releases for every Python: those that the oldest one can use which the package supports. */
async function pipRequirements({ release, withDependencies }) {
  const releases = withDependencies ? resolvedByPip(release) : [release];
  return Promise.all(releases.map(async (one) => `${one} ${(await wheelHashes(one)).join(' ')}`));
}

function resolvedByPip(release) {
  for (const python of ['3.8', '3.9', '3.10', '3.11', '3.12']) {
    try {
      const found = pipReport([release], python);
      // Whatever Python runs pip here decides which conditions hold; what others need is asked for by name.
      const conditions = found.flatMap(({ requires_dist: lines = [] }) => lines).filter(isForOlderPython);
      const names = conditions.map((line) => /^[\w.-]+/.exec(line)[0]);
      const all = names.length === 0 ? found : pipReport([release, ...names], python);
      return all.map(({ name, version }) => `${name}==${version}`).sort();
    } catch {
      // Not for this Python.
    }
  }
  throw new Error(`pip finds no way to install ${release}.`);
}

function isForOlderPython(line) {
  return /;.*python_(full_)?version\s*</.test(line) && !/extra\s*==/.test(line);
}

function pipReport(releases, python) {
  const options = ['--dry-run', '--quiet', '--ignore-installed', '--only-binary', ':all:', '--report', '-'];
  const args = ['-m', 'pip', 'install', ...options, '--target', scratch, '--python-version', python, ...releases];
  const report = execFileSync('python3', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(report).install.map(({ metadata }) => metadata);
}

async function wheelHashes(release) {
  const [name, version] = release.split('==');
  const index = process.env.PIP_INDEX_URL ?? 'https://pypi.org/simple';
  const answer = await fetch(`${index.replace(/\/$/, '')}/${name.toLowerCase().replaceAll(/[-_.]+/g, '-')}/`);
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  const links = [...(await answer.text()).matchAll(/\/([^/"#]+\.whl)#sha256=([0-9a-f]{64})/g)];
  const hashes = links.filter(([, wheel]) => wheel.split('-')[1] === version).map(([, , hash]) => hash);
  if (hashes.length === 0) throw new Error(`The index has no hash of ${release}.`);
  return [...new Set(hashes)].sort().map((hash) => `--hash=sha256:${hash}`);
}

function goSums({ module, version }) {
  let answer;
  try {
    answer = execFileSync('go', ['mod', 'download', '-json', `${module}@v${version}`], {
      cwd: scratch,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  } catch (error) {
    // One that needs a newer Go than this is fetched and checked all the same, only not unpacked.
    answer = error.stdout;
  }
  const { Sum: zip, GoModSum: mod } = JSON.parse(answer);
  if (zip === undefined || mod === undefined) throw new Error(`go has no hash of ${module}@v${version}.`);
  return { zip, mod };
}
