import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-classic';
import { LineIndex } from '../../src/base/positions.ts';

export interface TruthSymbol {
  file: string;
  name: string;
  line: number;
  column: number;
  kind: string;
  /** Declared at the top level of its file. */
  top: boolean;
}

const here = fileURLToPath(new URL('../../../bench/truth/', import.meta.url));

export function pythonSymbols(root: string): TruthSymbol[] {
  const output = execFileSync('python3', [`${here}symbols.py`, root], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TruthSymbol);
}

/** Functions, classes, types and their members, variables of modules, keys of object literals and properties that are assigned to. */
export function scriptSymbols(files: readonly string[]): TruthSymbol[] {
  const found: TruthSymbol[] = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const lines = new LineIndex(text);
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const add = (name: ts.Node, kind: string): void => {
      if (!ts.isIdentifier(name) || name.text === 'constructor' || name.text.length < 2) return;
      const { line, column } = lines.positionAt(name.getStart(source));
      const statement = ts.findAncestor(name, ts.isStatement);
      found.push({ file, name: name.text, line, column, kind, top: statement?.parent === source && !isMember(kind) });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) {
        if (node.name !== undefined) add(node.name, kindOf(node));
      } else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node))
        add(node.name, 'type');
      else if (ts.isVariableDeclaration(node) && node.parent.parent.parent === source) {
        // What is required is an import, not a declaration.
        if (!/\brequire\(/.test(node.initializer?.getText(source) ?? '')) add(node.name, 'variable');
      } else if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) add(node.name, 'method');
      else if (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node)) add(node.name, 'field');
      else if (ts.isGetAccessorDeclaration(node) || ts.isEnumMember(node)) add(node.name, 'field');
      else if (ts.isPropertyAssignment(node)) add(node.name, 'key');
      else if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isPropertyAccessExpression(node.left)
      )
        add(node.left.name, 'field');
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function kindOf(node: ts.Node): string {
  return ts.isClassDeclaration(node) ? 'class' : 'function';
}

function isMember(kind: string): boolean {
  return kind === 'method' || kind === 'field' || kind === 'key';
}

/** The same choice for the same seed, half of it members. */
export function chosen(symbols: readonly TruthSymbol[], count: number, seed: number): TruthSymbol[] {
  const random = generator(seed);
  const shuffled = symbols
    .map((symbol) => ({ symbol, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ symbol }) => symbol);
  const members = shuffled.filter(({ kind }) => isMember(kind)).slice(0, Math.ceil(count / 2));
  return [...members, ...shuffled.filter(({ kind }) => !isMember(kind))].slice(0, count);
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
