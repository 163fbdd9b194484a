// `npm start` and `npm test` on a fresh clone: installs and builds what is missing or stale, then runs. Needs no dependency itself.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { link, offerLink } from './link.mjs';
import { sourceStamp } from './sourceStamp.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Sightline needs Node 20 or newer; this is ${process.version}.`);
  process.exit(1);
}

const [task = 'prepare', ...rest] = process.argv.slice(2);
await installIfMissing();
if (task !== 'install') await buildIfStale();
if (task === 'start') {
  await offerLink();
  process.exitCode = await run(
    process.execPath,
    [join(root, 'dist', 'sightline.js'), 'serve', ...rest],
    startDirectory(),
  );
} else if (task === 'link') process.exitCode = link();
else if (task === 'pictures') await import('./pictures.mjs');
else if (task === 'test')
  process.exitCode = await run(process.execPath, [join(root, 'scripts', 'test.mjs'), ...rest], root);

/** Where `npm start` was typed: that directory is the project. */
function startDirectory() {
  return process.env.INIT_CWD ?? process.cwd();
}

async function installIfMissing() {
  const wanted = await readFile(join(root, 'package-lock.json'), 'utf8');
  const mark = join(root, 'node_modules', '.installed-lock');
  if ((await readIfThere(mark)) === wanted) return;
  await step('installing packages', async () => {
    const npm = process.env.npm_execpath;
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const code =
      npm === undefined || !/\.c?js$/.test(npm)
        ? await run('npm', args, root)
        : await run(process.execPath, [npm, ...args], root);
    if (code !== 0) throw new Error(`npm ci failed with exit code ${code}`);
    await writeFile(mark, wanted);
  });
}

async function buildIfStale() {
  const stamp = await sourceStamp(root);
  if ((await readIfThere(join(root, 'dist', '.stamp'))) === stamp) return;
  await step('building', async () => {
    const code = await run(process.execPath, [join(root, 'scripts', 'build.mjs')], root);
    if (code !== 0) throw new Error(`the build failed with exit code ${code}`);
  });
}

async function step(name, work) {
  const startedAt = Date.now();
  process.stderr.write(`sightline: ${name} …\n`);
  try {
    await work();
  } catch (error) {
    console.error(`sightline: ${name}: ${error.message}`);
    process.exit(1);
  }
  process.stderr.write(`sightline: ${name}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

async function readIfThere(path) {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Runs in the foreground; what ends us ends it first, so that nothing is left behind. */
function run(command, args, cwd) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit' });
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
      done(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
    });
  });
}
