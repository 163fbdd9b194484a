import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { delay } from '../../src/base/cancellation.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { ToolError } from '../../src/base/errors.ts';
import { CodeEngine } from '../../src/engine/code/codeEngine.ts';
import type { CodeWorkspace } from '../../src/engine/code/codeWorkspace.ts';
import { locateReferences } from '../../src/engine/code/queries/requests/locateReferences.ts';
import { Provision } from '../../src/engine/provision/provision.ts';
import type { FileRange } from '../../src/protocol/lsp/convert.ts';
import { Judge, type Opinion } from './pythonJudge.ts';
import { keyOf, linesOf, placeOf, wordAt, type Place } from './pythonPlaces.ts';
import { declaredInSlots, narrowedByIsinstance } from './pythonRules.ts';
import { cache, pinnedName, pythonPackage, type PythonPackage } from './pythonPackages.ts';

interface Symbol {
  name: string;
  at: Place;
  references: Place[];
  failure: string | null;
}

/** One place about which we and jedi disagree, and what the third engine says of it. */
interface Dispute {
  symbol: Symbol;
  place: string;
  ours: boolean;
  judge: boolean;
  kind: string;
}

const here = fileURLToPath(new URL('../../../bench/code/', import.meta.url));
const all: PythonPackage[] = ['itsdangerous', 'pluggy', 'click'];
const named = all.filter((name) => process.argv.includes(name));
const packages = named.length > 0 ? named : all;
const provision = new Provision({ cacheDir: cache, env: process.env });
const total = { expected: 0, found: 0, missing: 0, extra: 0, wrongMissing: 0, wrongExtra: 0 };
const disputes: Dispute[] = [];
let failed = false;
for (const name of packages) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-oracle-')));
  try {
    cpSync(join(pythonPackage(name), name), join(root, name), { recursive: true });
    await compare(name, root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
const judgedRecall = rate(total.expected - total.wrongMissing, total.expected);
const judgedPrecision = rate(total.found - total.wrongExtra, total.found);
console.log(
  `all: against jedi alone: recall ${percent(rate(total.expected - total.missing, total.expected))}, precision ${percent(rate(total.found - total.extra, total.found))}`,
);
console.log(
  `all: where a third engine (basedpyright) decides disputes: recall ${percent(judgedRecall)}, precision ${percent(judgedPrecision)} (target 99.9 % each)`,
);
if (judgedRecall < 0.999 || judgedPrecision < 0.999) failed = true;
const kinds = new Map<string, number>();
for (const { kind } of disputes) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1])) console.log(`  ${count} x ${kind}`);
process.exitCode = failed ? 1 : 0;

async function compare(name: PythonPackage, root: string): Promise<void> {
  const symbols = jediReferences(name, root);
  const jedi = groupsOf(symbols);
  const judges = await startJudges(root, join(root, name));
  const engine = new CodeEngine({ logger: silentLogger, provision });
  const counts = {
    symbols: 0,
    failures: 0,
    expected: 0,
    found: 0,
    missing: 0,
    extra: 0,
    wrongMissing: 0,
    wrongExtra: 0,
  };
  try {
    const workspace = engine.workspace(projectAt(root));
    for (const symbol of symbols) {
      if (symbol.failure !== null) counts.failures++;
      if (symbol.references.length === 0) continue;
      counts.symbols++;
      // Asked at the name of an import (`import a as b`), jedi also lists what `b` stands for: that is another name.
      const expected = new Set(symbol.references.filter((place) => wordAt(place) === symbol.name).map(keyOf));
      const locations = await ours(workspace, symbol);
      const actual = new Set(
        locations
          .filter(({ path }) => path.startsWith(`${root}/`))
          .map(({ path, range }) => keyOf([path, range.start.line, range.start.column])),
      );
      const missing = [...expected].filter((place) => !actual.has(place));
      const extra = [...actual].filter((place) => !expected.has(place));
      counts.expected += expected.size;
      counts.found += actual.size;
      counts.missing += missing.length;
      counts.extra += extra.length;
      if (missing.length + extra.length === 0) continue;
      const agreed = new Set([...expected].filter((place) => actual.has(place)));
      for (const place of [...missing, ...extra]) {
        const ours = actual.has(place);
        const agrees = (await judges.first.opinion(placeOf(place), symbol.at, agreed)) === 'same';
        const weAreWrong = ours !== agrees && !(ours && (await isProven(judges, jedi, symbol, place, agreed)));
        if (weAreWrong && ours) counts.wrongExtra++;
        if (weAreWrong && !ours) counts.wrongMissing++;
        const dispute = { symbol, place, ours, judge: agrees, kind: kindOf(symbol, place, ours, weAreWrong) };
        disputes.push(dispute);
        if (weAreWrong || process.env['SHOW'] !== undefined) console.log(`  ${describe(dispute, root)}`);
      }
    }
  } finally {
    await engine.dispose();
    await judges.first.end();
    await judges.appeal.end();
  }
  for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += counts[key];
  console.log(
    `${name}: ${counts.symbols} symbols, ${counts.expected} references by jedi (${counts.failures} failures of its own), ${counts.found} by us; ` +
      `against jedi: recall ${percent(rate(counts.expected - counts.missing, counts.expected))}, precision ${percent(rate(counts.found - counts.extra, counts.found))}; ` +
      `judged: recall ${percent(rate(counts.expected - counts.wrongMissing, counts.expected))}, precision ${percent(rate(counts.found - counts.wrongExtra, counts.found))}`,
  );
  await askCold(name, root, symbols);
}

/**
 * A place that only we count is right when the language itself says so, or when one more engine confirms it and fewer contradict:
 * jedi and basedpyright infer nothing about many values, and who knows nothing contradicts nobody.
 */
async function isProven(
  { first, appeal }: { first: Judge; appeal: Judge },
  jedi: ReadonlyMap<string, ReadonlySet<string>[]>,
  symbol: Symbol,
  place: string,
  agreed: ReadonlySet<string>,
): Promise<boolean> {
  if (declaredInSlots(place, symbol.name, agreed) || narrowedByIsinstance(place, keyOf(symbol.at))) return true;
  if ((await appeal.opinion(placeOf(place), symbol.at, agreed)) !== 'same') return false;
  const votes: Opinion[] = [await first.opinion(placeOf(place), symbol.at, agreed), jediOpinion(jedi, place, symbol)];
  return votes.filter((vote) => vote === 'different').length < 2;
}

/** jedi answers with the place alone where it infers nothing. */
function jediOpinion(jedi: ReadonlyMap<string, ReadonlySet<string>[]>, place: string, symbol: Symbol): Opinion {
  const groups = (jedi.get(place) ?? []).filter(({ size }) => size > 1);
  if (groups.some((group) => group.has(keyOf(symbol.at)))) return 'same';
  return groups.length === 0 ? 'unknown' : 'different';
}

/** What jedi takes for one symbol, by each of its places. */
function groupsOf(symbols: readonly Symbol[]): Map<string, ReadonlySet<string>[]> {
  const groups = new Map<string, ReadonlySet<string>[]>();
  for (const { references } of symbols) {
    const group = new Set(references.map(keyOf));
    for (const place of group) groups.set(place, [...(groups.get(place) ?? []), group]);
  }
  return groups;
}

/** A name that our server knows nothing of has no references by us. */
async function ours(workspace: CodeWorkspace, symbol: Symbol): Promise<readonly FileRange[]> {
  try {
    const { resolved: locations, index } = await locateReferences(workspace, targetOf(symbol), {});
    if (index.state !== 'ready') throw new Error(`not ready: ${index.detail ?? ''}`);
    return locations;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'symbol_not_found') return [];
    throw error;
  }
}

/** The first answer of a fresh start, after several delays, must be the whole answer or say that it is not. */
async function askCold(name: string, root: string, symbols: readonly Symbol[]): Promise<void> {
  const [target] = [...symbols].sort((a, b) => b.references.length - a.references.length);
  if (target === undefined) return;
  let whole: number | undefined;
  for (const afterMs of [3000, 1000, 300, 100, 0]) {
    const engine = new CodeEngine({ logger: silentLogger, provision });
    try {
      const workspace = engine.workspace(projectAt(root));
      const waking = workspace.requireServer(target.at[0]).then((server) => server.documents.open(target.at[0]));
      await delay(afterMs);
      const { resolved: locations, index } = await locateReferences(workspace, targetOf(target), {});
      await waking;
      whole ??= locations.length;
      const isRight = index.state !== 'ready' || locations.length === whole;
      if (!isRight) failed = true;
      console.log(
        `${name} cold +${afterMs} ms: ${locations.length} of ${whole}, ${index.state}${isRight ? '' : ' WRONG'}`,
      );
    } finally {
      await engine.dispose();
    }
  }
}

/** jedi needs minutes; what it says of a pinned package is kept. */
function jediReferences(name: PythonPackage, root: string): Symbol[] {
  const kept = join(cache, 'packages', `${pinnedName(name)}.${pinnedName('jedi')}.jsonl`);
  if (!existsSync(kept)) {
    const output = execFileSync('python3', [join(here, 'jediReferences.py'), root, join(root, name)], {
      env: { ...process.env, PYTHONPATH: pythonPackage('jedi') },
      maxBuffer: 512 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    writeFileSync(kept, output.toString('utf8').replaceAll(`"${root}/`, '"'));
  }
  const absolute = ([path, line, column]: Place): Place => [join(root, path), line, column];
  return readFileSync(kept, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Symbol)
    .map((symbol) => ({ ...symbol, at: absolute(symbol.at), references: symbol.references.map(absolute) }));
}

/** Who decides when we and jedi differ: basedpyright first; zuban, which infers more than both, hears the appeal. */
async function startJudges(root: string, sources: string): Promise<{ first: Judge; appeal: Judge }> {
  const engine = await provision.locate('basedpyright');
  if (!engine.found) throw new Error(`basedpyright is needed as the third engine: ${engine.installCommand}`);
  const zuban = join(pythonPackage('zuban'), 'bin', 'zuban');
  return {
    first: await Judge.start(engine.command, root, sources),
    appeal: await Judge.start([zuban, 'server'], root, sources),
  };
}

function kindOf(symbol: Symbol, place: string, ours: boolean, weAreWrong: boolean): string {
  const line = lineAt(place);
  const where = /^\s*(from|import)\b/.test(line)
    ? 'an import'
    : new RegExp(`\\b${symbol.name}\\s*=[^=]`).test(line) && /[(,]/.test(line)
      ? 'a keyword argument or parameter'
      : new RegExp(`\\.${symbol.name}\\b`).test(line)
        ? 'an attribute'
        : /^\s*(async )?(def|class)\b/.test(line)
          ? 'a declaration'
          : 'a plain name';
  const who = weAreWrong ? 'jedi and basedpyright against us' : 'basedpyright and we against jedi';
  return `${who}: ${where} ${ours ? 'that only we' : 'that we do not'} count`;
}

function describe({ symbol, place, ours, judge }: Dispute, root: string): string {
  const short = (text: string) => text.replace(`${root}/`, '');
  return `${symbol.name} asked at ${short(keyOf(symbol.at))}: ${short(place)} ${ours ? 'ours only' : 'jedi only'}, basedpyright says ${judge ? 'yes' : 'no'}: ${lineAt(place).trim().slice(0, 90)}`;
}

function lineAt(place: string): string {
  const [path, line] = placeOf(place);
  return linesOf(path)[line - 1] ?? '';
}

function targetOf({ name, at: [path, line, column] }: Symbol) {
  const position = { line, column };
  return { path, name, position, range: { start: position, end: { line, column: column + name.length } }, notes: [] };
}

function projectAt(root: string) {
  return { id: 'oracle', name: 'oracle', root, stateDir: join(root, '.state'), env: process.env, trusted: true };
}

function rate(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(3)} %`;
}
