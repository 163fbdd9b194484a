// Seeded random refactorings of real packages, asked for as an agent asks: after each the type check must say what it said before,
// and undo must restore every byte. An attempt is *legal* when the program allows it; refusals are counted apart, with their reasons.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LineClient, report } from '../support/measure.mjs';
import { packageSources } from '../code/packages.ts';
import { candidateFor } from './candidates.mjs';

/** Neither of them ships tests that run without its repository: the type check decides. */
const packages = ['rxjs', 'immer', 'mobx'];
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
/** How many of each, over all packages, and the share of them that must succeed. */
const wanted = {
  rename: { count: 300, atLeast: 0.99 },
  extract: { count: 60, atLeast: 0.97 },
  inline: { count: 60, atLeast: 0.97 },
  move: { count: 30, atLeast: 0.97 },
  moveFile: { count: 30, atLeast: 0.99 },
};

const { values } = parseArgs({
  strict: false,
  options: { seed: { type: 'string' }, count: { type: 'string' }, kinds: { type: 'string' } },
});
await random(values);

async function random(options) {
  const scale = options.count === undefined ? 1 : Number(options.count) / 100;
  const kinds = options.kinds?.split(',') ?? Object.keys(wanted);
  const results = Object.fromEntries(kinds.map((kind) => [kind, { done: 0, refused: 0, broken: 0 }]));
  const reasons = new Map();
  const next = generator(Number(options.seed ?? 1));
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-random-')));
  try {
    for (const one of packages) {
      const project = await openPackage(one, work);
      for (const kind of kinds) {
        const count = Math.ceil((wanted[kind].count * scale) / packages.length);
        await attempts(project, kind, count, next, results[kind], reasons);
      }
      await project.end();
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  summary(results, reasons);
}

/** Tries until `count` were carried out or refused for a reason that is not the program's own. */
async function attempts(project, kind, count, next, result, reasons) {
  for (let made = 0, tries = 0; made < count && tries < count * 6; tries++) {
    const candidate = candidateFor(kind, project, next);
    if (candidate === undefined) continue;
    const before = project.fingerprint();
    const answer = await project.call(candidate.tool, candidate.args);
    if (answer.error !== undefined) {
      const reason = answer.error.message
        .replace(/"[^"]*"|'[^']*'|`[^`]*`|[\w./-]+\.tsx?(?::\d+)?|\d+/g, '…')
        .slice(0, 120);
      reasons.set(`${kind}: ${reason}`, (reasons.get(`${kind}: ${reason}`) ?? 0) + 1);
      result.refused++;
      if (project.fingerprint() !== before) fail(result, `refused, but changed: ${candidate.what}`);
      continue;
    }
    made++;
    const errors = project.errors();
    const isSame = errors.length <= project.baseline.length;
    if (answer.success === true && isSame) result.done++;
    else fail(result, `${project.name} ${kind} ${candidate.what}: ${answer.message}\n${errors.slice(0, 3).join('\n')}`);
    await project.call('undo', { history_id: answer.historyId });
    if (project.fingerprint() !== before) fail(result, `undo did not restore ${candidate.what}`);
  }
}

function fail(result, message) {
  result.broken++;
  console.log(`BROKEN ${message}`);
}

async function openPackage(name, work) {
  const folder = join(work, name);
  cpSync(packageSources(name), folder, { recursive: true });
  const home = mkdtempSync(join(work, 'home-'));
  const client = new LineClient(
    process.execPath,
    [resolve('dist', 'sightline.js'), 'stdio', '--embedded', '--face', 'index'],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: home },
    },
  );
  await client.initialize();
  const errors = () => {
    try {
      execFileSync(process.execPath, [tsc, '--noEmit', '-p', folder], { cwd: folder, encoding: 'utf8' });
      return [];
    } catch (error) {
      return String(error.stdout)
        .split('\n')
        .filter((line) => line.includes('error TS'));
    }
  };
  const files = () =>
    readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => join(folder, 'src', name))
      .sort();
  const baseline = errors();
  console.log(`${name}: ${files().length} files, ${baseline.length} errors before; it ships no tests that run`);
  return {
    name,
    folder,
    files: files(),
    baseline,
    errors,
    shown: (path) => relative(folder, path),
    fingerprint: () => {
      const hash = createHash('sha256');
      for (const file of files()) hash.update(file).update(readFileSync(file));
      return hash.digest('hex');
    },
    call: async (tool, args) => {
      const { result } = await client.request('tools/call', { name: tool, arguments: args });
      return JSON.parse(result.content[0].text);
    },
    end: () => client.end(),
  };
}

/** A small generator with a seed (mulberry32): the same run every time. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function summary(results, reasons) {
  for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`${count}x refused ${reason}`);
  const rows = Object.entries(results).map(([kind, { done, refused, broken }]) => ({
    what: `${kind}: ${done} done, ${broken} broken, ${refused} refused; failures among those carried out`,
    value: done + broken === 0 ? 100 : (100 * broken) / (done + broken),
    unit: ' %',
    atMost: Number((100 * (1 - wanted[kind].atLeast)).toFixed(1)),
  }));
  report(rows);
  if (Object.values(results).some((one) => one.broken > 0)) process.exitCode = 1;
}
