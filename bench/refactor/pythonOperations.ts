import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startSightline } from '../../tests/harness/harness.ts';
import type { TestClient } from '../../tests/harness/testClient.ts';
import { ensureEngine, testCacheDir } from '../../tests/support/engines.ts';
import { report } from '../support/measure.mjs';

interface Place {
  file: string;
  name: string;
  line: number;
  column: number;
}
interface Stretch {
  file: string;
  start: { line: number; column: number };
  end: { line: number; column: number };
}
/** What `candidates.py` finds legal. */
interface Candidates {
  rename: Place[];
  extractVariable: Stretch[];
  extractMethod: Stretch[];
  inline: Place[];
  moveSymbol: Place[];
  moveFile: { file: string }[];
}
type Kind = keyof Candidates;
interface Request {
  tool: string;
  args: Record<string, unknown>;
}
type Result = 'done' | 'refused' | 'broken';
interface Attempt {
  package: string;
  kind: Kind;
  index: number;
  result: Result;
  what: string;
  reason?: string;
}
interface Planned {
  kind: Kind;
  index: number;
  request: Request;
}
/** What must be the same after each attempt: the last line of the test run, and the rules that the type checker's errors break. */
interface State {
  tests: string;
  errors: string[];
}
interface Package {
  version: string;
  /** What its tests need besides pytest. */
  needs: string[];
  source: string;
  tests: string;
  /** Further folders that the tests look at. */
  also?: string[];
}
/** A package with the attempts that nobody has taken yet. */
interface Prepared {
  name: string;
  known: Package;
  unpacked: string;
  environment: string;
  baseline: State;
  waiting: Planned[];
}

const packages: Record<string, Package> = {
  itsdangerous: { version: '2.2.0', needs: ['freezegun'], source: 'src', tests: 'tests' },
  cachetools: { version: '5.5.2', needs: [], source: 'src', tests: 'tests' },
  click: { version: '8.1.8', needs: [], source: 'src', tests: 'tests', also: ['docs'] },
};
/** How many of each, over all packages. */
const wanted: Record<Kind, number> = {
  rename: 300,
  extractVariable: 30,
  extractMethod: 30,
  inline: 60,
  moveSymbol: 30,
  moveFile: 30,
};
/** The share of these legal attempts that must succeed. */
const rated: { kinds: Kind[]; atLeast: number }[] = [
  { kinds: ['rename'], atLeast: 0.99 },
  { kinds: ['extractVariable', 'extractMethod'], atLeast: 0.97 },
  { kinds: ['inline'], atLeast: 0.97 },
  { kinds: ['moveSymbol'], atLeast: 0.97 },
  { kinds: ['moveFile'], atLeast: 0.99 },
];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { resume: { type: 'boolean' }, minutes: { type: 'string' } },
});
const [
  seed = '1',
  percent = '100',
  kindsText = Object.keys(wanted).join(','),
  packagesText = Object.keys(packages).join(','),
] = positionals;
const isKind = (text: string): text is Kind => Object.hasOwn(wanted, text);
const kinds = kindsText.split(',').filter(isKind);
const deadline = Date.now() + Number(values.minutes ?? 60) * 60_000;

const python = (await ensureEngine('python')).path;
const ty = (await ensureEngine('ty')).path;
await ensureEngine('rope');
// Each attempt is drawn by its own number, so that a run that was stopped goes on with those that are missing.
const record = join('node_modules', '.cache', 'sightline-bench', `refactorPython-${seed}.jsonl`);
mkdirSync(dirname(record), { recursive: true });
if (values.resume !== true) rmSync(record, { force: true });
const attempts: Attempt[] = existsSync(record)
  ? readFileSync(record, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Attempt)
  : [];
let isStopped = false;
const prepared: Prepared[] = [];
{
  /** What a small package has too little of is made up for by the next. */
  const left = new Map(kinds.map((kind) => [kind, Math.ceil((wanted[kind] * Number(percent)) / 100)]));
  const names = packagesText.split(',');
  for (const [at, name] of names.entries()) prepared.push(await preparePackage(name, left, names.length - at));
}
// Nothing depends on the order, since every attempt is taken back: two lanes of work, one from each end, keep two cores busy.
await Promise.all([prepared, prepared.toReversed()].map(runLane));
summary();

/** The packages one after the other, each in a copy and with a server of the lane's own, until the attempts of all of them are taken. */
async function runLane(packagesInOrder: readonly Prepared[]): Promise<void> {
  for (const one of packagesInOrder) {
    if (one.waiting.length === 0 || isStopped) continue;
    const ide = await startSightline({ project: { 'pyproject.toml': '' }, env: { SIGHTLINE_CACHE: testCacheDir } });
    layOut(one, ide.root);
    const agent = await ide.connect({ face: 'index' });
    for (let next = one.waiting.shift(); next !== undefined; next = one.waiting.shift()) {
      const attempt = await attemptOne(one, next, ide.root, agent);
      attempts.push(attempt);
      appendFileSync(record, `${JSON.stringify(attempt)}\n`);
      if (attempt.result !== 'done')
        console.log(
          `${attempt.result.toUpperCase()} ${next.kind} ${one.name} ${attempt.what}: ${attempt.reason ?? ''}`,
        );
      if (Date.now() > deadline && one.waiting.length > 0) isStopped = true;
      if (isStopped) break;
    }
    await agent.close();
    await ide.dispose();
  }
}

async function attemptOne(
  { name, known, environment, baseline }: Prepared,
  { kind, index, request }: Planned,
  root: string,
  agent: TestClient,
): Promise<Attempt> {
  const attempt: Attempt = { package: name, kind, index, result: 'done', what: JSON.stringify(request.args) };
  const before = fingerprint(root);
  const outcome = await agent.call(request.tool, request.args);
  const { historyId, diff } = outcome.data ?? {};
  if (outcome.error !== undefined) Object.assign(attempt, { result: 'refused', reason: outcome.error.message });
  else {
    const problem = difference(await stateOf(root, known, environment), baseline);
    if (problem !== undefined)
      Object.assign(attempt, { result: 'broken', reason: `${problem}\n${String(diff).slice(0, 3000)}` });
    await agent.data('undo', { history_id: historyId });
  }
  if (fingerprint(root) !== before) {
    Object.assign(attempt, { result: 'broken', reason: `the tree is not what it was before, ${attempt.result}` });
    isStopped = true;
  }
  return attempt;
}

async function preparePackage(name: string, left: Map<Kind, number>, packagesLeft: number): Promise<Prepared> {
  const known = packages[name];
  if (known === undefined) throw new Error(`unknown package ${name}`);
  const unpacked = fetchPackage(name, known);
  const environment = environmentFor(name, known);
  const root = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  try {
    layOut({ unpacked, known }, root);
    const found: Candidates = JSON.parse(
      execFileSync(python, ['bench/refactor/candidates.py', root, known.source, known.tests], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      }),
    );
    const baseline = await stateOf(root, known, environment);
    if (!/^\d+ passed/.test(baseline.tests))
      throw new Error(`the tests of ${name} do not pass before anything is changed: ${baseline.tests}`);
    const shown = Object.entries(found).map(([kind, list]) => `${list.length} ${kind}`);
    console.log(
      `${name} ${known.version}: ${baseline.tests}, ${baseline.errors.length} type errors; legal: ${shown.join(', ')}`,
    );
    const waiting = planned(name, found, left, packagesLeft).filter(
      ({ kind, index }) => !attempts.some((one) => one.package === name && one.kind === kind && one.index === index),
    );
    return { name, known, unpacked, environment, baseline, waiting };
  } finally {
    rmSync(root, { recursive: true });
  }
}

function layOut({ unpacked, known }: Pick<Prepared, 'unpacked' | 'known'>, root: string): void {
  for (const entry of [known.source, known.tests, 'pyproject.toml', ...(known.also ?? [])])
    cpSync(join(unpacked, entry), join(root, entry), { recursive: true });
  writeFileSync(join(root, '.gitignore'), '__pycache__\n');
}

/** What the tests and the type checker say. */
async function stateOf(root: string, known: Package, environment: string): Promise<State> {
  const [tests, typed] = await Promise.all([
    output(
      join(environment, 'bin/python'),
      [
        '-B',
        '-m',
        'pytest',
        '-q',
        '-x',
        '--no-header',
        '-p',
        'no:cacheprovider',
        '-o',
        'addopts=',
        '-o',
        'filterwarnings=',
        known.tests,
      ],
      root,
      { PYTHONPATH: join(root, known.source) },
    ),
    output(
      ty,
      [
        'check',
        '--output-format',
        'concise',
        '--exit-zero',
        '--no-progress',
        '--python',
        join(environment, 'bin/python'),
      ],
      root,
    ),
  ]);
  const outcome = /\d+ (?:passed|failed|errors?)\b[^\n]*$/m.exec(tests.trim())?.[0].replace(/ in [\d.]+s.*/, '');
  const errors = [...typed.matchAll(/ error\[([\w-]+)\]/g)].map(([, rule = '']) => rule);
  return { tests: outcome ?? tests.slice(-300), errors };
}

/** Other test results, or more errors of some kind: what a parameter without a type hides from the checker is no damage. */
function difference(after: State, before: State): string | undefined {
  if (after.tests !== before.tests) return after.tests;
  const allowed = [...before.errors];
  const more = after.errors.filter((rule) => {
    const at = allowed.indexOf(rule);
    if (at !== -1) allowed.splice(at, 1);
    return at === -1;
  });
  return more.length > 0 ? `${after.tests}, new type errors: ${more.join(', ')}` : undefined;
}

function output(command: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}

/** The attempts of one package, drawn by the seed, none of them twice. */
function planned(name: string, found: Candidates, left: Map<Kind, number>, packagesLeft: number): Planned[] {
  return kinds.flatMap((kind) => {
    const drawn = shuffled(requests(kind, found), generator(`${seed} ${name} ${kind}`));
    const share = drawn.slice(0, Math.ceil((left.get(kind) ?? 0) / packagesLeft));
    left.set(kind, (left.get(kind) ?? 0) - share.length);
    return share.map((request, index) => ({ kind, index, request }));
  });
}

function requests(kind: Kind, found: Candidates): Request[] {
  const at = ({ file, line, column }: Place): Record<string, unknown> => ({ file, line, column });
  switch (kind) {
    case 'rename':
      return found.rename.map((place) => ({
        tool: 'ide_refactor_rename',
        args: { ...at(place), new_name: `${place.name}_renamed` },
      }));
    case 'inline':
      return found.inline.map((place) => ({ tool: 'ide_refactor_inline', args: at(place) }));
    case 'moveSymbol':
      return found.moveSymbol.map((place) => ({
        tool: 'ide_refactor_move',
        args: { ...at(place), target_file: place.file.replace(/\.py$/, '_moved.py') },
      }));
    case 'moveFile':
      return found.moveFile.flatMap(({ file }) => [
        { tool: 'ide_refactor_rename', args: { file, new_name: basename(file).replace('.py', '_renamed.py') } },
        { tool: 'ide_refactor_move', args: { file, target_directory: join(dirname(file), 'moved') } },
      ]);
    case 'extractMethod':
    case 'extractVariable':
      return found[kind].map(({ file, start, end }) => ({
        tool: kind === 'extractMethod' ? 'ide_refactor_extract_method' : 'ide_refactor_extract_variable',
        args: {
          file,
          start_line: start.line,
          start_column: start.column,
          end_line: end.line,
          end_column: end.column,
          new_name: 'extracted_part',
        },
      }));
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

function summary(): void {
  const reasons = new Map<string, number>();
  for (const { result, kind, reason = '' } of attempts) {
    if (result !== 'refused') continue;
    const short = `${kind}: ${reason.replace(/"[^"]*"|`[^`]*`|\d+|[\w/]+\.py/g, '…').slice(0, 130)}`;
    reasons.set(short, (reasons.get(short) ?? 0) + 1);
  }
  for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`${count}x refused ${reason}`);
  if (isStopped) console.log('Stopped before its end; --resume goes on.');
  report(
    rated
      .filter((group) => group.kinds.some((kind) => kinds.includes(kind)))
      .map((group) => {
        const counted = (result: Result): number =>
          attempts.filter((one) => group.kinds.includes(one.kind) && one.result === result).length;
        const [done, refused, broken] = [counted('done'), counted('refused'), counted('broken')];
        return {
          what: `${group.kinds.join(' and ')}: ${done} done, ${refused} refused, ${broken} broken; legal ones that did not succeed`,
          value: Number(((100 * (refused + broken)) / Math.max(1, done + refused + broken)).toFixed(1)),
          unit: ' %',
          atMost: Number((100 * (1 - group.atLeast)).toFixed(1)),
        };
      }),
  );
  if (attempts.some((one) => one.result === 'broken')) process.exitCode = 1;
}

function fetchPackage(name: string, { version }: Package): string {
  const folder = join(testCacheDir, 'sdists');
  const unpacked = join(folder, `${name}-${version}`);
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(folder, { recursive: true });
  const sdist = ['download', '-q', '--no-deps', '--no-binary', ':all:', '-d', folder, `${name}==${version}`];
  execFileSync(python, ['-m', 'pip', ...sdist]);
  execFileSync('tar', ['xzf', `${name}-${version}.tar.gz`], { cwd: folder });
  return unpacked;
}

function environmentFor(name: string, { needs }: Package): string {
  const folder = join(testCacheDir, 'sdists', `${name}-environment`);
  if (existsSync(join(folder, 'ready'))) return folder;
  execFileSync(python, ['-m', 'venv', '--clear', folder]);
  execFileSync(join(folder, 'bin/python'), ['-m', 'pip', 'install', '-q', 'pytest', ...needs]);
  writeFileSync(join(folder, 'ready'), '');
  return folder;
}

/** Every byte of every file, save what Python keeps for itself. */
function fingerprint(root: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

/** A small generator with a seed (mulberry32): the same draw every time. */
function generator(text: string): () => number {
  let state = createHash('sha256').update(text).digest().readInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
