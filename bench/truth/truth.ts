import { cpSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript-classic';
import { ToolError } from '../../src/base/errors.ts';
import { LineIndex } from '../../src/base/positions.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { CodeEngine } from '../../src/engine/code/codeEngine.ts';
import type { CodeWorkspace } from '../../src/engine/code/codeWorkspace.ts';
import { extensionOf } from '../../src/engine/code/languageServer.ts';
import { locateReferences, type LocatedReferences } from '../../src/engine/code/queries/requests/locateReferences.ts';
import { occurrencesOfWord } from '../../src/engine/code/sourceFiles.ts';
import { wordRole } from '../../src/engine/code/syntax/mentions.ts';
import { Provision } from '../../src/engine/provision/provision.ts';
import { cache } from '../code/pythonPackages.ts';
import type { Place } from '../code/pythonPlaces.ts';
import { tryChanges } from './changes.ts';
import { pythonEngines, scriptEngines, type Engines } from './opinions.ts';
import { projects, type Language, type TruthProject } from './projects.ts';
import { chosen, pythonSymbols, scriptSymbols, type TruthSymbol } from './symbols.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    symbols: { type: 'string', default: '200' },
    changes: { type: 'string', default: '30' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
/** Of very common words only so many places are judged. */
const maxPlaces = 150;
const bound = 0.005;

interface Counts {
  answers: number;
  complete: number;
  /** Claim to be complete and miss a use. */
  falselyComplete: number;
  rows: number;
  falseRows: number;
  /** Places that other engines count and we list as possible. */
  onlyPossible: number;
}

const only = values.only?.split(',');
const totals = new Map<Language, Counts>();
let failed = false;
for (const project of projects.filter(
  ({ name, language }) => only === undefined || only.includes(name) || only.includes(language),
)) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-truth-')));
  try {
    cpSync(project.fetch(), root, { recursive: true });
    const counts = await judged(project, root);
    const sum = totals.get(project.language) ?? nothing();
    for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += counts[key];
    totals.set(project.language, sum);
    print(project.name, counts);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
for (const [language, counts] of totals) {
  print(`all ${language}`, counts);
  failed ||= counts.falselyComplete / counts.answers > bound || counts.falseRows / counts.rows > bound;
}
if (Number(values.changes) > 0)
  for (const language of totals.keys()) {
    const outcome = await tryChanges(language, Number(values.changes), seed, only);
    failed ||= outcome.broken > 0;
  }
process.exitCode = failed ? 1 : 0;

function nothing(): Counts {
  return { answers: 0, complete: 0, falselyComplete: 0, rows: 0, falseRows: 0, onlyPossible: 0 };
}

async function judged(project: TruthProject, root: string): Promise<Counts> {
  const counts = nothing();
  const isPython = project.language === 'python';
  const files = isPython ? [] : scriptFiles(root, project.language);
  const symbols = chosen(isPython ? pythonSymbols(root) : scriptSymbols(files), Number(values.symbols), seed);
  const engines = isPython ? await pythonEngines(root) : scriptEngines(root, files, optionsOf(root, project.language));
  const engine = new CodeEngine({
    logger: silentLogger,
    provision: new Provision({ cacheDir: cache, env: process.env }),
  });
  try {
    const workspace = engine.workspace(projectAt(root));
    for (const symbol of symbols) await judge(workspace, engines, symbol, counts, project.name);
  } finally {
    await engine.dispose();
    await engines.end();
  }
  return counts;
}

async function judge(
  workspace: CodeWorkspace,
  engines: Engines,
  symbol: TruthSymbol,
  counts: Counts,
  project: string,
): Promise<void> {
  const told = await ours(workspace, symbol);
  if (told === undefined) return;
  counts.answers++;
  const isComplete = told.isComplete && told.index.state === 'ready';
  if (isComplete) counts.complete++;
  const rows = new Set(told.resolved.map(({ path, range }) => `${path}:${range.start.line}:${range.start.column}`));
  const possible = new Set(told.possible.map(({ path, range }) => `${path}:${range.start.line}:${range.start.column}`));
  counts.rows += rows.size;
  const words = await occurrencesOfWord(workspace.project, symbol.name, extensions(symbol.file));
  const places: Place[] = [];
  for (const { path, range } of words) {
    const text = await workspace.texts.tryGet(path);
    if (text === undefined || wordRole(extensionOf(path), text, range.start, symbol.name) !== 'name') continue;
    if (places.length < maxPlaces) places.push([path, range.start.line, range.start.column]);
  }
  const opinions = await engines.opinions([symbol.file, symbol.line, symbol.column], places);
  const missed: string[] = [];
  for (const [index, place] of places.entries()) {
    const key = place.join(':');
    const votes = opinions.map((list) => list[index] ?? 'unknown');
    const isUse = votes.includes('same') && !votes.includes('different');
    const isOther = votes.includes('different') && !votes.includes('same');
    if (isUse && !rows.has(key)) {
      if (possible.has(key)) counts.onlyPossible++;
      // `var name = require('./file').name`: the import is told once.
      else if (!(await isRequiredName(workspace, place))) missed.push(key);
    }
    if (isOther && rows.has(key)) {
      counts.falseRows++;
      if (values.show)
        console.log(`  ${project} ${shown(symbol)}: no reference ${describe(key)} (${votes.join(', ')})`);
    }
  }
  if (missed.length === 0) return;
  if (isComplete) counts.falselyComplete++;
  if (values.show)
    console.log(
      `  ${project} ${shown(symbol)}: ${isComplete ? 'complete' : 'incomplete'}, missed ${missed.slice(0, 4).map(describe).join('; ')}`,
    );
}

async function isRequiredName(workspace: CodeWorkspace, [path, line, column]: Place): Promise<boolean> {
  const text = (await workspace.texts.tryGet(path))?.lineText(line) ?? '';
  return /^[\w$]+\s*=\s*require\(/.test(text.slice(column - 1));
}

async function ours(workspace: CodeWorkspace, symbol: TruthSymbol): Promise<LocatedReferences | undefined> {
  const position = { line: symbol.line, column: symbol.column };
  const range = { start: position, end: { line: symbol.line, column: symbol.column + symbol.name.length } };
  try {
    return await locateReferences(workspace, { path: symbol.file, name: symbol.name, position, range, notes: [] }, {});
  } catch (error) {
    // Where the server knows nothing, the tool answers by name and says so.
    if (error instanceof ToolError && error.code === 'symbol_not_found') return undefined;
    throw error;
  }
}

function extensions(file: string): string[] {
  return file.endsWith('.py') ? ['py', 'pyi'] : ['ts', 'tsx', 'mts', 'cts', 'js', 'mjs', 'cjs', 'jsx'];
}

function scriptFiles(root: string, language: Language): string[] {
  const pattern = language === 'commonjs' ? /\.([cm]?js|d\.ts|ts)$/ : /\.tsx?$/;
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => join(root, file));
}

function optionsOf(root: string, language: Language): ts.CompilerOptions {
  if (language === 'commonjs')
    return {
      allowJs: true,
      checkJs: false,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      types: [],
    };
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  return ts.parseJsonConfigFileContent(config.config, ts.sys, root).options;
}

function projectAt(root: string) {
  return { id: 'truth', name: 'truth', root, stateDir: join(root, '.state'), env: process.env, trusted: true };
}

function shown({ file, line, name, kind }: TruthSymbol): string {
  return `${kind} ${name} (${file.replace(/^.*sightline-truth-\w+\//, '')}:${line})`;
}

function describe(key: string): string {
  const [path = '', line = ''] = key.split(':');
  const text = new LineIndex(readFileSync(path, 'utf8')).lineText(Number(line)) ?? '';
  return `${path.replace(/^.*sightline-truth-\w+\//, '')}:${line} ${text.trim().slice(0, 70)}`;
}

function print(name: string, counts: Counts): void {
  const percent = (part: number, whole: number) => `${((whole === 0 ? 0 : part / whole) * 100).toFixed(2)} %`;
  console.log(
    `${name}: ${counts.answers} answers, ${counts.complete} claim to be complete, ${counts.falselyComplete} of them falsely (${percent(counts.falselyComplete, counts.answers)}); ` +
      `${counts.rows} rows, ${counts.falseRows} no reference (${percent(counts.falseRows, counts.rows)}); ${counts.onlyPossible} uses told as possible (targets: 0.50 % each)`,
  );
}
