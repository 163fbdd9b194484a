import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type ts from 'typescript-classic';

/** The classic compiler, used here for its parser only; loaded when a TypeScript refactoring is first asked for. */
export function compiler(): typeof ts {
  loaded ??= load('typescript-classic') as typeof ts;
  return loaded;
}

export function tsserverPath(): string {
  return join(dirname(load.resolve('typescript-classic/package.json')), 'lib', 'tsserver.js');
}

let loaded: typeof ts | undefined;
const load = createRequire(import.meta.url);

/** The tree of a file, which must not be changed: a refactoring looks at the same few files again and again, and shares them. */
export function parse(path: string, text: string): ts.SourceFile {
  const known = trees.get(path);
  trees.delete(path);
  const tree =
    known?.text === text
      ? known
      : compiler().createSourceFile(path, text, compiler().ScriptTarget.Latest, true, scriptKind(path));
  trees.set(path, tree);
  for (const oldest of trees.keys()) {
    if (trees.size <= maxTrees) break;
    trees.delete(oldest);
  }
  forgetting ??= setTimeout(() => {
    forgetting = undefined;
    trees.clear();
  }, treesMs).unref();
  return tree;
}

/** The last ones used, oldest first; for a moment only, since trees are many times larger than their files. */
const trees = new Map<string, ts.SourceFile>();
const maxTrees = 24;
const treesMs = 5000;
let forgetting: NodeJS.Timeout | undefined;

/** What the parser found wrong with a file. */
export function syntaxErrors(file: ts.SourceFile): readonly { start: number }[] {
  // The parser keeps its errors on the file, without saying so in its types.
  return (file as ts.SourceFile & { parseDiagnostics?: { start: number }[] }).parseDiagnostics ?? [];
}

function scriptKind(path: string): ts.ScriptKind {
  const kinds = compiler().ScriptKind;
  if (path.endsWith('.tsx')) return kinds.TSX;
  if (/\.[cm]?ts$/.test(path)) return kinds.TS;
  if (path.endsWith('.jsx')) return kinds.JSX;
  return kinds.JS;
}

export const sourceExtensions = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'];

/** The innermost token at an offset (a name whose end is there counts). */
export function tokenAt(file: ts.SourceFile, offset: number): ts.Node {
  let found: ts.Node = file;
  const visit = (node: ts.Node): void => {
    if (node.getStart(file) <= offset && offset <= node.getEnd()) {
      if (!(offset === node.getEnd() && found !== file && found.getStart(file) === offset)) found = node;
      compiler().forEachChild(node, visit);
    }
  };
  compiler().forEachChild(file, visit);
  return found;
}

export function ancestor<Kind extends ts.Node>(
  node: ts.Node | undefined,
  is: (candidate: ts.Node) => candidate is Kind,
): Kind | undefined {
  for (let at = node; at !== undefined; at = at.parent) if (is(at)) return at;
  return undefined;
}

const reserved = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with implements interface let package private protected public static yield await'.split(
    ' ',
  ),
);

/** Why a text cannot be a name, or undefined if it can. */
export function invalidName(name: string): string | undefined {
  const plain = name.startsWith('#') ? name.slice(1) : name;
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(plain)) return `"${name}" is not a valid identifier`;
  if (reserved.has(plain)) return `"${name}" is a reserved word`;
  return undefined;
}

export function isReserved(name: string): boolean {
  return reserved.has(name);
}
