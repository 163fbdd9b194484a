// Seeded random refactorings of real packages, asked for as an agent asks: after each the type check must find nothing, a program that uses
// the package must say what it said before, and undo must restore every byte. The rate is successes over *legal* attempts (see legality.mjs).
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LineClient, report } from '../support/measure.mjs';
import { candidateFor } from './candidates.mjs';
import { Legality } from './legality.mjs';
import { Outcomes } from './outcomes.mjs';
import { behaviour, layOut, randomPackages, sourcesOf, typeErrors } from './realPackages.ts';

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
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    kinds: { type: 'string' },
    from: { type: 'string' },
  },
});
await random(values);

async function random(options) {
  const scale = options.count === undefined ? 1 : Number(options.count) / 100;
  const seed = Number(options.seed ?? 1);
  const kinds = options.kinds?.split(',') ?? Object.keys(wanted);
  const outcomes = new Outcomes(options.from, seed);
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-random-')));
  try {
    for (const name of randomPackages) {
      let project;
      for (const kind of kinds) {
        const count = Math.ceil((wanted[kind].count * scale) / randomPackages.length);
        // Each attempt has a seed of its own, so that a run can go on where another one ended.
        for (let made = 0, attempt = 0; made < count && attempt < count * 12; attempt++) {
          const key = `${name} ${kind} ${attempt}`;
          let outcome = outcomes.get(key);
          if (outcome === undefined) {
            project ??= await openPackage(name, work);
            outcome = await attemptOf(project, kind, generator(hashOf(`${seed} ${key}`)));
            outcomes.add(key, outcome);
          }
          if (outcome.kind !== 'illegal') made++;
        }
      }
      await project?.end();
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  summary(kinds, outcomes);
}

/** Done, refused (with its reason), broken, or no attempt at all. */
async function attemptOf(project, kind, next) {
  const candidate = candidateFor(kind, project, next);
  if (candidate === undefined) return { kind: 'illegal', reason: 'nothing to ask for in this file' };
  const unasked = project.legality.whyNotTried(kind, candidate);
  if (unasked !== undefined) return { kind: 'illegal', reason: unasked, what: candidate.what };
  const before = project.fingerprint();
  const answer = await project.call(candidate.tool, candidate.args);
  if (answer.error !== undefined) {
    if (project.fingerprint() !== before) return broken(project, `refused, but changed: ${candidate.what}`);
    const why = project.legality.whyNot(kind, candidate);
    const refusal = answer.error.message;
    if (why === undefined) return { kind: 'refused', reason: refusal, what: candidate.what };
    return { kind: 'illegal', reason: why, refusal, what: candidate.what };
  }
  const errors = typeErrors(project.folder);
  const said = behaviour(project.folder);
  await project.call('undo', { history_id: answer.historyId });
  const what = `${project.name} ${kind} ${candidate.what}`;
  if (project.fingerprint() !== before) return broken(project, `undo did not restore ${what}`);
  if (answer.success !== true) return broken(project, `${what}: ${answer.message}`);
  if (errors.length > 0) return broken(project, `${what}: ${errors.slice(0, 3).join('\n')}`);
  if (said !== project.said) return broken(project, `${what}: it does something else now: ${said.slice(0, 300)}`);
  return { kind: 'done' };
}

function broken(project, reason) {
  console.log(`BROKEN ${reason}`);
  return { kind: 'broken', reason };
}

async function openPackage(name, work) {
  const folder = join(work, name);
  layOut(name, folder);
  const home = mkdtempSync(join(work, 'home-'));
  const client = new LineClient(
    process.execPath,
    [resolve('dist', 'sightline.js'), 'stdio', '--embedded', '--face', 'index'],
    { cwd: folder, env: { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: home } },
  );
  await client.initialize();
  const errors = typeErrors(folder);
  const said = behaviour(folder);
  if (errors.length > 0 || said.startsWith('does not run'))
    throw new Error(`${name} cannot be checked: ${errors[0] ?? said}`);
  console.log(`${name}: ${sourcesOf(folder).length} files, no type errors, ${said.length} characters of behaviour`);
  return {
    name,
    folder,
    files: sourcesOf(folder),
    said,
    legality: new Legality(folder, said),
    shown: (path) => relative(folder, path),
    // Every file of the project, also those that no refactoring is asked for in.
    fingerprint: () => {
      const hash = createHash('sha256');
      for (const { name: file, parentPath } of filesBelow(folder))
        hash
          .update(join(parentPath, file))
          .update('\0')
          .update(readFileSync(join(parentPath, file)))
          .update('\0');
      return hash.digest('hex');
    },
    call: async (tool, args) => {
      const { result } = await client.request('tools/call', { name: tool, arguments: args });
      return JSON.parse(result.content[0].text);
    },
    end: () => client.end(),
  };
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.parentPath.includes('node_modules'))
    .sort((a, b) => (join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1));
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

function hashOf(text) {
  return createHash('sha256').update(text).digest().readInt32LE(0);
}

function summary(kinds, outcomes) {
  const rows = [];
  for (const kind of kinds) {
    const all = outcomes.of(kind);
    const count = (what) => all.filter((one) => one.kind === what).length;
    for (const what of ['refused', 'illegal']) {
      const reasons = new Map();
      for (const one of all.filter((each) => each.kind === what)) {
        const reason = one.reason.replace(/"[^"]*"|'[^']*'|`[^`]*`|[\w./-]+\.tsx?(?::\d+)?|\d+/g, '…').slice(0, 130);
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      for (const [reason, times] of [...reasons].sort((a, b) => b[1] - a[1]))
        console.log(`${kind} ${what} ${times}x: ${reason}`);
    }
    const legal = count('done') + count('refused') + count('broken');
    rows.push({
      what: `${kind}: ${count('done')} of ${legal} legal attempts done, ${count('refused')} refused, ${count('broken')} broken (${count('illegal')} not legal); failures`,
      value: legal === 0 ? 100 : (100 * (legal - count('done'))) / legal,
      unit: ' %',
      atMost: Number((100 * (1 - wanted[kind].atLeast)).toFixed(1)),
    });
    if (count('broken') > 0) process.exitCode = 1;
  }
  report(rows);
}
