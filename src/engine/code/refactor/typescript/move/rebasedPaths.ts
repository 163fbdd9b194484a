import { dirname, join, relative } from 'node:path';
import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { type Change, textWith } from '../syntax/textChange.ts';
import type { Conflict } from '../../model.ts';
import { isOwnFolder, pathArgument } from './filePaths.ts';
import { because } from '../../refusals/refuse.ts';

/**
 * What a declaration loads or names by its place (`import('./other')`, `new URL('./data', import.meta.url)`) it finds from another folder
 * too: the paths in it are written anew. Where it asks for its own folder the move is a conflict.
 */
export function followCarriedPaths(
  texts: Map<string, string>,
  moved: readonly ts.Statement[],
  { from, to }: { from: string; to: string },
): Conflict[] {
  const tsc = compiler();
  const placed = texts.get(to);
  if (dirname(from) === dirname(to) || placed === undefined) return [];
  const carried = new Set(moved.flatMap((one) => pathsIn(one).map((path) => path.text)));
  const source = parse(to, placed);
  const edits = pathsIn(source)
    .filter((one) => carried.has(one.text) && tsc.findAncestor(one, tsc.isImportDeclaration) === undefined)
    .map((one): Change => {
      const path = relative(dirname(to), join(dirname(from), one.text));
      return {
        start: one.getStart(source) + 1,
        end: one.getEnd() - 1,
        text: path.startsWith('.') ? path : `./${path}`,
      };
    });
  if (edits.length > 0) texts.set(to, textWith(placed, edits));
  const own = moved.map(ownFolder).find((one) => one !== undefined);
  if (own === undefined) return [];
  const message = because('asksOwnPlace', { text: own.getText() });
  return [{ kind: 'meaning', message, file: from }];
}

/** The relative paths by which code names files, other than by an import statement. */
function pathsIn(root: ts.Node): ts.StringLiteralLike[] {
  const tsc = compiler();
  const found: ts.StringLiteralLike[] = [];
  const visit = (node: ts.Node): void => {
    const isLoad =
      tsc.isCallExpression(node) &&
      (node.expression.kind === tsc.SyntaxKind.ImportKeyword || node.expression.getText() === 'require');
    const type = tsc.isImportTypeNode(node) && tsc.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
    const path = isLoad ? node.arguments[0] : (type ?? pathArgument(node));
    if (path !== undefined && tsc.isStringLiteralLike(path) && /^\.{1,2}\//.test(path.text)) found.push(path);
    tsc.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function ownFolder(root: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (pathArgument(node) !== undefined) return undefined;
    const isFile =
      (tsc.isIdentifier(node) && node.text === '__filename') ||
      (tsc.isPropertyAccessExpression(node) && /^import\.meta\.(?:url|filename)$/.test(node.getText()));
    return isOwnFolder(node) || isFile ? node : tsc.forEachChild(node, visit);
  };
  return visit(root);
}
