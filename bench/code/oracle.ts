import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript-classic';
import { delay } from '../../src/base/cancellation.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { LineIndex } from '../../src/base/positions.ts';
import { CodeEngine } from '../../src/engine/code/codeEngine.ts';
import { locateReferences } from '../../src/engine/code/queries/requests/locateReferences.ts';
import { findReferences } from '../../src/engine/code/queries/references.ts';
import type { CodeWorkspace } from '../../src/engine/code/codeWorkspace.ts';
import { packageSources, type PackageName } from './packages.ts';

interface Counts {
  identifiers: number;
  asked: number;
  expected: number;
  found: number;
  missing: number;
  extra: number;
}

const documentation = new Map<string, [number, number][]>();
const wanted = process.argv.slice(2).filter((name): name is PackageName => /^(immer|mobx|rxjs)$/.test(name));
const packages: readonly PackageName[] = wanted.length > 0 ? wanted : ['immer', 'mobx', 'rxjs'];
let failed = false;
const sum: Counts = { identifiers: 0, asked: 0, expected: 0, found: 0, missing: 0, extra: 0 };
for (const name of packages) {
  const root = copyOf(packageSources(name));
  try {
    const counts = await compare(name, root);
    for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += counts[key];
    await askCold(name, root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
print('all', sum);
if (recall(sum) < 0.999 || precision(sum) < 0.999) failed = true;
process.exitCode = failed ? 1 : 0;

/** Asks both for every symbol of every file; an identifier that an earlier answer covered needs no question of its own. */
async function compare(name: string, root: string): Promise<Counts> {
  const service = languageService(root);
  const engine = new CodeEngine({ logger: silentLogger });
  const workspace = engine.workspace(projectAt(root));
  const counts: Counts = { identifiers: 0, asked: 0, expected: 0, found: 0, missing: 0, extra: 0 };
  const covered = new Set<string>();
  try {
    for (const file of service.files) {
      const source = service.program().getSourceFile(file);
      if (source === undefined) continue;
      for (const node of identifiersOf(source)) {
        counts.identifiers++;
        const start = node.getStart(source);
        if (covered.has(`${file}:${start}`)) continue;
        const expected = oracle(service.service, file, start);
        if (expected.size === 0) continue;
        counts.asked++;
        const actual = await ours(workspace, file, node.text, start);
        const isCode = (place: string) => !inDocumentation(service, place);
        const missing = [...expected].filter((place) => !actual.has(place) && isCode(place));
        const extra = [...actual].filter((place) => !expected.has(place) && isCode(place));
        counts.expected += [...expected].filter(isCode).length;
        counts.found += [...actual].filter(isCode).length;
        counts.missing += missing.length;
        counts.extra += extra.length;
        if ((missing.length > 0 || extra.length > 0) && counts.missing + counts.extra < 60)
          console.log(
            `${name} ${file.slice(root.length + 1)}:${start} ${node.text}: missing ${show(missing, root)} extra ${show(extra, root)}`,
          );
        for (const place of expected) covered.add(place);
      }
    }
  } finally {
    await engine.dispose();
  }
  print(name, counts);
  return counts;
}

/** The first answer of a fresh start, after several delays, must be the whole answer or say that it is not. */
async function askCold(name: string, root: string): Promise<void> {
  const service = languageService(root);
  const [target] = mostUsed(service);
  if (target === undefined) return;
  for (const afterMs of [0, 100, 300, 1000, 3000]) {
    const engine = new CodeEngine({ logger: silentLogger });
    const workspace = engine.workspace(projectAt(root));
    try {
      // Something else wakes the server first; the question comes while it is at some stage of loading.
      const waking = workspace.requireServer(target.file).then((server) => server.documents.open(target.file));
      await delay(afterMs);
      const text = await workspace.texts.get(target.file);
      const position = text.positionAt(target.start);
      const result = await findReferences(
        workspace,
        { target: place(target.file, target.text, position), limit: 0 },
        {},
      );
      await waking;
      const isRight = result.index.state !== 'ready' || result.total === target.count;
      if (!isRight) failed = true;
      console.log(
        `${name} cold +${afterMs} ms: ${result.total} of ${target.count}, ${result.index.state}${isRight ? '' : ' WRONG'}`,
      );
    } finally {
      await engine.dispose();
    }
  }
}

function mostUsed(service: Service): { file: string; start: number; text: string; count: number }[] {
  const found = service.files.flatMap((file) => {
    const source = service.program().getSourceFile(file);
    if (source === undefined) return [];
    return identifiersOf(source)
      .filter((node) => ts.isFunctionDeclaration(node.parent) && node.parent.name === node)
      .map((node) => ({
        file,
        start: node.getStart(source),
        text: node.text,
        count: oracle(service.service, file, node.getStart(source)).size,
      }));
  });
  return found.sort((a, b) => b.count - a.count);
}

async function ours(workspace: CodeWorkspace, file: string, name: string, start: number): Promise<Set<string>> {
  const text = await workspace.texts.get(file);
  const { resolved: locations, index } = await locateReferences(
    workspace,
    place(file, name, text.positionAt(start)),
    {},
  );
  if (index.state !== 'ready') throw new Error(`not ready: ${index.detail ?? ''}`);
  const places = new Set<string>();
  for (const { path, range } of locations) {
    if (!path.startsWith(`${workspace.project.root}/src/`)) continue;
    places.add(`${path}:${(await workspace.texts.get(path)).offsetAt(range.start)}`);
  }
  return places;
}

function place(path: string, name: string, position: { line: number; column: number }) {
  const end = { line: position.line, column: position.column + name.length };
  return { path, name, position, range: { start: position, end }, notes: [] };
}

interface Service {
  service: ts.LanguageService;
  files: string[];
  program(): ts.Program;
}

function languageService(root: string): Service {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
      },
    },
  );
  if (config === undefined) throw new Error('no configuration');
  const service = ts.createLanguageService({
    getScriptFileNames: () => config.fileNames,
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) =>
      ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(readFileSync(path, 'utf8')) : undefined,
    getCurrentDirectory: () => root,
    getCompilationSettings: () => config.options,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    readDirectory: (...args) => ts.sys.readDirectory(...args),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  });
  const program = () => {
    const current = service.getProgram();
    if (current === undefined) throw new Error('no program');
    return current;
  };
  return { service, files: config.fileNames.filter((file) => !file.includes('/node_modules/')), program };
}

/** What the compiler says. References inside the standard library are left out: each side has a copy of its own. */
function oracle(service: ts.LanguageService, file: string, start: number): Set<string> {
  const root = service.getProgram()?.getCurrentDirectory() ?? '';
  const entries = service.getReferencesAtPosition(file, start) ?? [];
  return new Set(
    entries
      .filter(({ fileName }) => fileName.startsWith(`${root}/src/`))
      .map(({ fileName, textSpan }) => `${fileName}:${textSpan.start}`),
  );
}

/**
 * The two compilers differ in which `@param` names of documentation comments they take for references. Those are not uses of
 * a symbol in code, and are left out on both sides.
 */
function inDocumentation(service: Service, place: string): boolean {
  const at = place.lastIndexOf(':');
  const file = place.slice(0, at);
  const offset = Number(place.slice(at + 1));
  let ranges = documentation.get(file);
  if (ranges === undefined) {
    ranges = [];
    const source = service.program().getSourceFile(file);
    const found = ranges;
    const visit = (node: ts.Node): void => {
      for (const item of ts.getJSDocCommentsAndTags(node)) if (ts.isJSDoc(item)) found.push([item.pos, item.end]);
      ts.forEachChild(node, visit);
    };
    if (source !== undefined) visit(source);
    documentation.set(file, ranges);
  }
  return ranges.some(([start, end]) => offset >= start && offset < end);
}

function identifiersOf(source: ts.SourceFile): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function copyOf(source: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-oracle-')));
  cpSync(source, root, { recursive: true });
  return root;
}

function projectAt(root: string) {
  return { id: 'oracle', name: 'oracle', root, stateDir: join(root, '.state'), env: process.env, trusted: true };
}

function show(places: readonly string[], root: string): string {
  return `[${places
    .slice(0, 4)
    .map((item) => {
      const at = item.lastIndexOf(':');
      const path = item.slice(0, at);
      const text = new LineIndex(readFileSync(path, 'utf8'));
      const position = text.positionAt(Number(item.slice(at + 1)));
      return `${path.replace(`${root}/`, '')}:${position.line}:${position.column}`;
    })
    .join(' ')}${places.length > 4 ? ' …' : ''}]`;
}

function recall(counts: Counts): number {
  return counts.expected === 0 ? 1 : (counts.expected - counts.missing) / counts.expected;
}

function precision(counts: Counts): number {
  return counts.found === 0 ? 1 : (counts.found - counts.extra) / counts.found;
}

function print(name: string, counts: Counts): void {
  console.log(
    `${name}: ${counts.identifiers} identifiers, ${counts.asked} symbols, ${counts.expected} references expected, ${counts.found} found; recall ${(recall(counts) * 100).toFixed(3)} %, precision ${(precision(counts) * 100).toFixed(3)} %`,
  );
}
