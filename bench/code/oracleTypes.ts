import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript-classic';
import { silentLogger } from '../../src/base/logger.ts';
import { CodeEngine } from '../../src/engine/code/codeEngine.ts';
import { typeHierarchy } from '../../src/engine/code/queries/typeHierarchy.ts';
import { packageSources } from './packages.ts';

/** For every class and interface of real packages: are our direct subtypes those of the compiler's own API? */
const sum = { types: 0, expected: 0, found: 0, missing: 0, extra: 0 };
for (const name of ['mobx', 'rxjs'] as const) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-oracle-')));
  const engine = new CodeEngine({ logger: silentLogger });
  try {
    cpSync(packageSources(name), root, { recursive: true });
    const project = { id: 'o', name: 'o', root, stateDir: join(root, '.state'), env: process.env, trusted: true };
    const workspace = engine.workspace(project);
    for (const { key, path, text, position, below } of subtypesByCompiler(root)) {
      const range = { start: position, end: { line: position.line, column: position.column + text.length } };
      const target = { path, name: text, position, range, notes: [] };
      const { subtypes } = await typeHierarchy(workspace, target, { direction: 'subtypes', depth: 1 }, {});
      const ours = new Set(subtypes.map((node) => `${node.path}:${node.position.line}:${node.position.column}`));
      const missing = [...below].filter((place) => !ours.has(place));
      const extra = [...ours].filter((place) => !below.has(place));
      sum.types++;
      sum.expected += below.size;
      sum.found += ours.size;
      sum.missing += missing.length;
      sum.extra += extra.length;
      if (missing.length + extra.length > 0)
        console.log(
          `  ${text} ${key.replace(root, '')}: missing ${missing.join(' ')} extra ${extra.join(' ')}`.replaceAll(
            root,
            '',
          ),
        );
    }
  } finally {
    await engine.dispose();
    rmSync(root, { recursive: true, force: true });
  }
}
const recall = (sum.expected - sum.missing) / sum.expected;
const precision = (sum.found - sum.extra) / sum.found;
console.log(
  `subtypes of ${sum.types} classes and interfaces: ${sum.expected} by the compiler, ${sum.found} by us; recall ${(recall * 100).toFixed(3)} %, precision ${(precision * 100).toFixed(3)} %`,
);
if (recall < 0.999 || precision < 0.999) process.exitCode = 1;

type TypeDeclaration = (ts.ClassLikeDeclaration | ts.InterfaceDeclaration) & { name: ts.Identifier };

function subtypesByCompiler(root: string) {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const parsed = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const program = ts.createProgram(parsed.fileNames, parsed.options);
  const checker = program.getTypeChecker();
  const declarations: TypeDeclaration[] = [];
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(`${root}/src/`)) continue;
    const visit = (node: ts.Node): void => {
      if ((ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) && node.name !== undefined)
        declarations.push(node as TypeDeclaration);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  const below = new Map<ts.Symbol, Set<string>>();
  for (const declaration of declarations)
    for (const base of (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types])) {
      const found = checker.getSymbolAtLocation(base.expression);
      if (found === undefined) continue;
      const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
      below.set(symbol, (below.get(symbol) ?? new Set()).add(placeOf(declaration).key));
    }
  return declarations.map((declaration) => {
    const symbol = checker.getSymbolAtLocation(declaration.name);
    const known = symbol === undefined ? undefined : below.get(symbol);
    return { ...placeOf(declaration), below: known ?? new Set<string>() };
  });
}

function placeOf({ name }: TypeDeclaration) {
  const source = name.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(name.getStart(source));
  const position = { line: line + 1, column: character + 1 };
  const path = source.fileName;
  return { key: `${path}:${position.line}:${position.column}`, path, text: name.text, position };
}
