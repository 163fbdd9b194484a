import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type ts from 'typescript-classic';
import { isInside } from '../../../../../base/paths.ts';
import { compiler } from '../syntax/compiler.ts';

/** A path in a file, between its quotes, and what is to stand there instead. */
interface PathEdit {
  start: number;
  end: number;
  text: string;
}

/**
 * Imports and references that name a file by its whole name, extension and all, once something has moved. The server does not follow those
 * of files that are no code (`import './style.css'`), and gives a source another extension.
 */
export function exactPaths(source: ts.SourceFile, moved: { from: string; to: string }): PathEdit[] {
  const tsc = compiler();
  const found: PathEdit[] = [];
  const add = (start: number, end: number): void => {
    const written = source.text.slice(start, end);
    const path = pathAfter(source.fileName, written, moved);
    if (path !== undefined && path !== written) found.push({ start, end, text: path });
  };
  for (const { pos, end } of source.referencedFiles) add(pos, end);
  const visit = (node: ts.Node): void => {
    const named = moduleNamed(node);
    if (named !== undefined && /^\.{1,2}\//.test(named.text)) add(named.getStart(source) + 1, named.getEnd() - 1);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The string by which an import, or what does the same, names a file. */
export function moduleNamed(node: ts.Node): ts.StringLiteralLike | undefined {
  const tsc = compiler();
  const isLoad =
    tsc.isCallExpression(node) &&
    (node.expression.kind === tsc.SyntaxKind.ImportKeyword || node.expression.getText() === 'require');
  const named = isLoad
    ? node.arguments[0]
    : tsc.isImportDeclaration(node) || tsc.isExportDeclaration(node)
      ? node.moduleSpecifier
      : tsc.isExternalModuleReference(node)
        ? node.expression
        : tsc.isModuleDeclaration(node)
          ? node.name
          : tsc.isImportTypeNode(node) && tsc.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined;
  return named !== undefined && tsc.isStringLiteralLike(named) ? named : undefined;
}

function pathAfter(path: string, written: string, { from, to }: { from: string; to: string }): string | undefined {
  const target = join(dirname(path), written);
  if (!isInside(from, target) && !isInside(from, path)) return undefined;
  if (!existsSync(target) || !statSync(target).isFile()) return undefined;
  const after = (one: string): string => (isInside(from, one) ? to + one.slice(from.length) : one);
  const plain = relative(dirname(after(path)), after(target));
  return plain.startsWith('.') || !written.startsWith('.') ? plain : `./${plain}`;
}
