import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startSightline } from '../../tests/harness/harness.ts';
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
interface Package {
  version: string;
  /** What its tests need besides pytest. */
  needs: string[];
  source: string;
  tests: string;
  /** Further folders that the tests look at. */
  also?: string[];
}

const packages: Record<string, Package> = {
  itsdangerous: { version: '2.2.0', needs: ['freezegun'], source: 'src', tests: 'tests' },
  cachetools: { version: '5.5.2', needs: [], source: 'src', tests: 'tests' },
  click: { version: '8.1.8', needs: [], source: 'src', tests: 'tests', also: ['docs'] },
};
/** How many of each, over all packages, and the share of these legal attempts that must succeed. */
const wanted: Record<Kind, { count: number; atLeast: number }> = {
  rename: { count: 300, atLeast: 0.99 },
  extractVariable: { count: 30, atLeast: 0.97 },
  extractMethod: { count: 30, atLeast: 0.97 },
  inline: { count: 60, atLeast: 0.97 },
  moveSymbol: { count: 30, atLeast: 0.97 },
  moveFile: { count: 30, atLeast: 0.99 },
};
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
/** What a small package has too little of is made up for by the next. */
const left = new Map(kinds.map((kind) => [kind, Math.ceil((wanted[kind].count * Number(percent)) / 100)]));
const names = packagesText.split(',');
for (const [at, name] of names.entries()) await tryPackage(name, names.length - at);
summary();

async function tryPackage(name: string, packagesLeft: number): Promise<void> {
  const known = packages[name];
  if (known === undefined) throw new Error(`unknown package ${name}`);
  const unpacked = fetchPackage(name, known);
  const environment = environmentFor(name, known);
  const ide = await startSightline({ project: { 'pyproject.toml': '' }, env: { SIGHTLINE_CACHE: testCacheDir } });
  const root = ide.root;
  for (const entry of [known.source, known.tests, 'pyproject.toml', ...(known.also ?? [])])
    cpSync(join(unpacked, entry), join(root, entry), { recursive: true });
  writeFileSync(join(root, '.gitignore'), '__pycache__\n');
  const agent = await ide.connect({ face: 'index' });
  const found: Candidates = JSON.parse(
    execFileSync(python, ['bench/refactor/candidates.py', root, known.source, known.tests], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    }),
  );
  const state = (): Promise<string> => stateOf(root, known, environment);
  const baseline = await state();
  if (!/^\d+ passed/.test(baseline))
    throw new Error(`the tests of ${name} do not pass before anything is changed: ${baseline}`);
  const shown = Object.entries(found).map(([kind, list]) => `${list.length} ${kind}`);
  console.log(`${name} ${known.version}: ${baseline}; legal: ${shown.join(', ')}`);
  for (const { kind, index, request } of planned(name, found, packagesLeft)) {
    if (attempts.some((one) => one.package === name && one.kind === kind && one.index === index)) continue;
    if (Date.now() > deadline) isStopped = true;
    if (isStopped) break;
    const before = fingerprint(root);
    const outcome = await agent.call(request.tool, request.args);
    const attempt: Attempt = { package: name, kind, index, result: 'done', what: JSON.stringify(request.args) };
    const { historyId, diff } = outcome.data ?? {};
    if (outcome.error !== undefined) Object.assign(attempt, { result: 'refused', reason: outcome.error.message });
    else {
      const after = await state();
      if (isWorse(after, baseline))
        Object.assign(attempt, { result: 'broken', reason: `${after}\n${String(diff).slice(0, 3000)}` });
      await agent.data('undo', { history_id: historyId });
    }
    if (fingerprint(root) !== before) {
      Object.assign(attempt, { result: 'broken', reason: `the tree is not what it was before, ${attempt.result}` });
      isStopped = true;
    }
    attempts.push(attempt);
    appendFileSync(record, `${JSON.stringify(attempt)}\n`);
    if (attempt.result !== 'done')
      console.log(`${attempt.result.toUpperCase()} ${kind} ${name} ${attempt.what}: ${attempt.reason ?? ''}`);
    if (isStopped) break;
  }
  await agent.close();
  await ide.dispose();
}

/** What the tests and the type checker say, as one line. */
async function stateOf(root: string, known: Package, environment: string): Promise<string> {
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
  const outcome = /(\d+ passed|\d+ failed|error)[^\n]*$/m.exec(tests.trim())?.[0].replace(/ in [\d.]+s.*/, '');
  const errors = typed.split('\n').filter((line) => line.includes('error[')).length;
  return `${outcome ?? tests.slice(-300)}, ${errors} type errors`;
}

/** Other test results, or more errors: what a parameter without a type hides from the checker is no damage. */
function isWorse(after: string, before: string): boolean {
  const parts = (text: string): [string, number] => {
    const at = text.lastIndexOf(', ');
    return [text.slice(0, at), Number.parseInt(text.slice(at + 2), 10)];
  };
  const [tests, errors] = parts(after);
  const [testsBefore, errorsBefore] = parts(before);
  return tests !== testsBefore || errors > errorsBefore;
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
function planned(
  name: string,
  found: Candidates,
  packagesLeft: number,
): { kind: Kind; index: number; request: Request }[] {
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
    kinds.map((kind) => {
      const counted = (result: Result): number =>
        attempts.filter((one) => one.kind === kind && one.result === result).length;
      const [done, refused, broken] = [counted('done'), counted('refused'), counted('broken')];
      return {
        what: `${kind}: ${done} done, ${refused} refused, ${broken} broken; legal ones that did not succeed`,
        value: Number(((100 * (refused + broken)) / Math.max(1, done + refused + broken)).toFixed(1)),
        unit: ' %',
        atMost: Number((100 * (1 - wanted[kind].atLeast)).toFixed(1)),
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

function fingerprint(root: string): string {
  const hash = createHash('sha256');
  for (const file of sources(root)) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.py'))
    .map((file) => relative(folder, join(folder, file)))
    .sort();
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
