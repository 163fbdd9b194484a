// node bench/kills.mjs [times]: a change of 24 files and its undo, killed (-9) at random times; afterwards all is old or all is new.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const times = Number(process.argv[2] ?? 1000);
const scratch = mkdtempSync(join(tmpdir(), 'sightline-kills-'));
const bundled = async (name) => {
  const outfile = join(scratch, `${name}.mjs`);
  const entryPoints = [new URL(`../tests/edits/${name}.ts`, import.meta.url).pathname];
  await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile });
  return outfile;
};
const [writer, checker] = [await bundled('killedAtRandom'), await bundled('killsChecker')];
const ask = (...args) => JSON.parse(spawnSync(process.execPath, [checker, ...args], { encoding: 'utf8' }).stdout);

const model = ask(join(scratch, 'model'), 'model');
const known = { old: JSON.stringify(sorted(model.old)), new: JSON.stringify(sorted(model.new)) };
const outcomes = { old: 0, new: 0, torn: 0 };
for (let round = 0; round < times; round++) {
  const folder = join(scratch, `run-${round}`);
  ask(folder, 'prepare');
  await killedOnTheWay(folder, 5 + Math.random() * 1200);
  const { problems, tree } = ask(folder);
  const state = Object.keys(known).find((name) => known[name] === JSON.stringify(sorted(tree)));
  outcomes[state ?? 'torn']++;
  if (state === undefined || problems.length > 0) console.log(`round ${round}: ${state ?? 'torn'}`, problems);
  rmSync(folder, { recursive: true, force: true });
}
console.log(JSON.stringify({ times, ...outcomes }));
rmSync(scratch, { recursive: true, force: true });
process.exitCode = outcomes.torn === 0 ? 0 : 1;

async function killedOnTheWay(folder, afterMs) {
  const child = spawn(process.execPath, [writer, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function sorted(tree) {
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}
