// node bench/kills.mjs [times]: a change of 24 files and its undo, killed (-9) at random times; afterwards all is old or all is new.
// One process is started per kill, on a project prepared for it; preparing and looking afterwards happen here.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const times = Number(process.argv[2] ?? 1000);
/** A change and its undo take about half of this on a quiet machine, so kills fall into both. */
const longestMs = 500;
const scratch = mkdtempSync(join(tmpdir(), 'sightline-kills-'));
const bundled = async (name) => {
  const outfile = join(scratch, `${name}.mjs`);
  const entryPoints = [new URL(`../tests/edits/${name}.ts`, import.meta.url).pathname];
  await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile });
  return outfile;
};
const writer = await bundled('killedAtRandom');
const { knownStates, prepare, settle } = await import(await bundled('killsChecker'));

const folder = join(scratch, 'run');
const states = Object.entries(await knownStates(folder)).map(([name, tree]) => [name, fingerprint(tree)]);
const counts = { times: 0, midway: 0, old: 0, new: 0, torn: 0, problems: 0 };
const startedAt = Date.now();
for (; counts.times < times; counts.times++) {
  await prepare(folder);
  await killedOnTheWay(folder, Math.random() * longestMs);
  const { midway, problems, tree } = await settle(folder);
  const state = states.find(([, known]) => known === fingerprint(tree))?.[0] ?? 'torn';
  counts[state]++;
  if (midway) counts.midway++;
  if (problems.length > 0) counts.problems++;
  if (state === 'torn' || problems.length > 0) console.log(`kill ${counts.times}: ${state}`, problems);
}
const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(JSON.stringify({ ...counts, seconds }));
rmSync(scratch, { recursive: true, force: true });
process.exitCode = counts.torn + counts.problems === 0 ? 0 : 1;

async function killedOnTheWay(place, afterMs) {
  const child = spawn(process.execPath, [writer, place], { stdio: ['ignore', 'pipe', 'ignore'] });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await gone;
}

function fingerprint(tree) {
  return JSON.stringify(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}
