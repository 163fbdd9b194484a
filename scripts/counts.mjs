// What the house measures itself by: `node scripts/counts.mjs [commit]`, for the tree as it is or as a commit has it. `--list` names the
// places. Unused exports fail: an export that nobody imports is a promise to nobody.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-classic';
import { languageNamesIn } from './languageNames.mjs';

const here = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const areas = ['src', 'dashboard-ui', 'editors', 'reporters', 'python'];
/** Read by a runner, the bundler or a person by their names. */
const calledFromOutside = /^(editors\/vscode\/src\/extension\.ts|reporters\/)|\/inProgram\/hooks\.ts$|\.config\.ts$/;
const most = { fileLines: 300, functionLines: 60, parameters: 5 };

const words = process.argv.slice(2);
const commit = words.find((word) => !word.startsWith('-'));
const root = commit === undefined ? here : checkedOut(commit);
try {
  const counts = countsOf(root);
  for (const [name, value] of Object.entries(counts)) {
    console.log(`${name.padEnd(34)} ${Array.isArray(value) ? value.length : value}`);
    if (Array.isArray(value) && (words.includes('--list') || (words.includes('--check') && name === 'unused exports')))
      for (const line of value) console.log(`  ${line}`);
  }
  if (words.includes('--check') && counts['unused exports'].length > 0) process.exitCode = 1;
} finally {
  if (commit !== undefined) rmSync(root, { recursive: true, force: true });
}

function countsOf(root) {
  const files = areas.flatMap((area) => filesIn(root, area)).filter((file) => /\.(tsx?|mjs|cjs|js|py)$/.test(file));
  const sources = files.filter((file) => !/\.test\.tsx?$|(^|\/)test_\w+\.py$/.test(file));
  const texts = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const linesOf = (file) => texts.get(file).split('\n').length - 1;
  const sum = (list) => list.reduce((total, file) => total + linesOf(file), 0);
  const rooms = Object.entries(Object.groupBy?.(sources, dirname) ?? grouped(sources, dirname));
  const [room, inRoom] = rooms.sort(([, one], [, other]) => other.length - one.length)[0];
  const functions = [
    ...sources.filter((file) => /\.tsx?$/.test(file)).flatMap((file) => functionsOf(file, texts.get(file))),
    ...pythonFunctions(root),
  ];
  return {
    'source lines': sum(sources),
    ...Object.fromEntries(
      Object.entries(grouped(sources, areaOf))
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([area, list]) => [`  ${area}`, sum(list)]),
    ),
    'source files': sources.length,
    [`largest folder (${room})`]: inRoom.length,
    [`files over ${most.fileLines} lines`]: sources
      .filter((file) => linesOf(file) > most.fileLines)
      .map((file) => `${file} ${linesOf(file)}`),
    [`functions over ${most.functionLines} lines`]: functions
      .filter(({ lines }) => lines > most.functionLines)
      .map(({ name, lines }) => `${name} ${lines}`),
    [`functions with over ${most.parameters} parameters`]: functions
      .filter(({ parameters }) => parameters > most.parameters)
      .map(({ name, parameters }) => `${name} ${parameters}`),
    'language names elsewhere': sources
      .filter((file) => file.startsWith('src/') && file.endsWith('.ts'))
      .flatMap((file) => languageNamesIn(file, texts.get(file)).map((line) => `${file}:${line}`)),
    'unused exports': unusedExports(root, texts),
  };
}

function areaOf(file) {
  const [first, second, third] = file.split('/');
  return first === 'src' ? (second === 'engine' ? `src/engine/${third}` : `src/${second}`) : first;
}

function grouped(list, keyOf) {
  const groups = {};
  for (const one of list) (groups[keyOf(one)] ??= []).push(one);
  return groups;
}

/** Every function that has a body, with its lines; a name of the place where it has none. */
function functionsOf(file, text) {
  const found = [];
  const source = ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const first = lineOf(node.getStart(source));
      found.push({
        name: `${file}:${first + 1} ${node.name?.getText(source) ?? node.parent?.name?.getText?.(source) ?? ''}`.trim(),
        lines: lineOf(node.end) - first + 1,
        parameters: node.parameters.length,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function pythonFunctions(root) {
  const script = `
import ast, json, pathlib, sys
out = []
for path in sorted(pathlib.Path("python").rglob("*.py")):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            a = node.args
            count = len(a.posonlyargs) + len(a.args) + len(a.kwonlyargs) - (bool(a.args) and a.args[0].arg in ("self", "cls"))
            out.append({"name": f"{path}:{node.lineno} {node.name}", "lines": node.end_lineno - node.lineno + 1, "parameters": count})
json.dump(out, sys.stdout)`;
  if (!existsSync(join(root, 'python'))) return [];
  return JSON.parse(execFileSync('python3', ['-c', script], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }));
}

/** Names that a file of ours exports and no file of the repository takes from it, tests and scripts included. */
function unusedExports(root, texts) {
  const taken = new Map();
  const take = (file, name) => taken.set(file, (taken.get(file) ?? new Set()).add(name));
  const all = [...areas, 'tests', 'bench', 'scripts']
    .flatMap((area) => filesIn(root, area))
    .filter((file) => /\.(tsx?|mjs)$/.test(file));
  const exported = [];
  for (const file of all) {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    // Scripts name sources in texts: what they bundle whole, and what they take of a file.
    if (file.endsWith('.mjs') && !/checkLayers|languageNames/.test(file)) {
      for (const [, entry] of text.matchAll(/['"`](src\/[^'"`]+\.ts)['"`]/g)) take(entry, '*');
      for (const [, names, from] of text.matchAll(/export \{ ([^}]+) \} from '\.\/([^']+)'/g))
        for (const name of names.split(/,\s*/)) take(from, name);
    }
    importsIn(source, (specifier, name) => {
      if (specifier.startsWith('.')) take(join(dirname(file), specifier), name);
    });
    if (texts.has(file) && /\.tsx?$/.test(file) && !calledFromOutside.test(file))
      exported.push(...exportsOf(file, source));
  }
  return exported
    .filter(({ file, name }) => !taken.get(file)?.has(name) && !taken.get(file)?.has('*'))
    .map(({ file, line, name }) => `${file}:${line} ${name}`);
}

function importsIn(source, take) {
  const visit = (node) => {
    const specifier =
      node.moduleSpecifier?.text ?? (ts.isImportTypeNode(node) ? node.argument.literal?.text : undefined);
    if (specifier !== undefined) {
      const bindings = node.importClause?.namedBindings ?? node.exportClause;
      if (node.importClause?.name !== undefined) take(specifier, 'default');
      if (ts.isImportTypeNode(node)) take(specifier, node.qualifier?.getText(source).split('.')[0] ?? '*');
      else if (bindings?.elements !== undefined)
        for (const one of bindings.elements) take(specifier, (one.propertyName ?? one.name).text);
      else if (bindings !== undefined || ts.isExportDeclaration(node)) take(specifier, '*');
    }
    // import('...') gives the whole module.
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      take(node.arguments[0]?.text ?? '', '*');
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function exportsOf(file, source) {
  const found = [];
  const add = (node, name) =>
    found.push({ file, name, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
  const names = (binding) =>
    ts.isIdentifier(binding)
      ? [binding.text]
      : binding.elements.flatMap((one) => (one.name === undefined ? [] : names(one.name)));
  for (const node of source.statements) {
    if (ts.isExportDeclaration(node)) for (const one of node.exportClause?.elements ?? []) add(one, one.name.text);
    if (!node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (node.modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) add(node, 'default');
    else if (ts.isVariableStatement(node))
      for (const one of node.declarationList.declarations) for (const name of names(one.name)) add(one, name);
    else if (node.name !== undefined) add(node, node.name.text);
  }
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter(
      (file) =>
        !/(^|\/)(node_modules|generated|__pycache__|dist|fixtures|projects)\//.test(file) &&
        basename(file) !== '.DS_Store',
    );
}

function checkedOut(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-counts-'));
  execFileSync('bash', ['-c', `git archive "$1" | tar -x -C "$2"`, 'bash', commit, folder], { cwd: here });
  return folder;
}
