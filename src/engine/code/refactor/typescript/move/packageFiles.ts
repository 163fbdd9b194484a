import { basename, dirname, join, relative } from 'node:path';
import type ts from 'typescript-classic';
import { isInside } from '../../../../../base/paths.ts';
import { LineIndex } from '../../../../../base/positions.ts';
import type { FileOperation, TextEdit } from '../../../../workspace/edits/operations.ts';
import { readVersion } from '../../../../workspace/edits/readVersion.ts';
import { listSourceFiles } from '../../../sourceFiles.ts';
import type { RefactorWaiting } from '../../model.ts';
import { compiler } from '../syntax/compiler.ts';
import type { MovedPath } from './filePaths.ts';
import type { TypeScriptService } from '../servers/tsService.ts';

/** What of a `package.json` names files. */
const fields = new Set(
  'main module types typings browser bin exports imports unpkg jsdelivr sideEffects files scripts'.split(' '),
);

/** The descriptions of packages that name what moves, and the names of those packages. */
export async function followInPackages(
  service: TypeScriptService,
  moved: MovedPath,
  waiting: RefactorWaiting,
): Promise<{ operations: (FileOperation & { path: string })[]; names: string[] }> {
  const operations: (FileOperation & { path: string })[] = [];
  const names: string[] = [];
  const described = await listSourceFiles(service.project, ['json'], waiting.signal);
  for (const path of described.filter((one) => basename(one) === 'package.json')) {
    const read = await readVersion(path);
    const text = read?.bytes?.toString('utf8') ?? '';
    const edits = packageEdits(path, text, moved);
    if (edits.length === 0) continue;
    operations.push({ kind: 'edit', path, edits, expectedHash: read?.version.hash });
    const name = /"name"\s*:\s*"([^"]+)"/.exec(text)?.[1];
    if (name !== undefined) names.push(name);
  }
  return { operations, names };
}

function packageEdits(path: string, text: string, moved: MovedPath): TextEdit[] {
  const tsc = compiler();
  const source = tsc.parseJsonText(path, text);
  const lines = new LineIndex(text);
  const edits: TextEdit[] = [];
  const root = source.statements[0]?.expression;
  const visit = (node: ts.Node, isScript: boolean): void => {
    if (!tsc.isStringLiteral(node)) {
      if (tsc.isPropertyAssignment(node)) visit(node.initializer, isScript);
      else tsc.forEachChild(node, (child) => visit(child, isScript));
      return;
    }
    const start = node.getStart(source) + 1;
    const written = text.slice(start, node.getEnd() - 1);
    const newText = isScript
      ? written.replace(/[^\s'"=;&|]+/g, (word) => followed(path, word, moved) ?? word)
      : (followed(path, written, moved) ?? written);
    if (newText !== written)
      edits.push({ range: { start: lines.positionAt(start), end: lines.positionAt(node.getEnd() - 1) }, newText });
  };
  if (root === undefined || !tsc.isObjectLiteralExpression(root)) return [];
  for (const property of root.properties) {
    const name = property.name !== undefined && tsc.isStringLiteral(property.name) ? property.name.text : '';
    if (fields.has(name)) visit(property, name === 'scripts');
  }
  return edits;
}

function followed(path: string, written: string, { from, to }: MovedPath): string | undefined {
  if (written.startsWith('/') || written.startsWith('#') || written === '.' || written === './') return undefined;
  const target = join(dirname(path), written).replace(/\/$/, '');
  if (!isInside(from, target)) return undefined;
  const plain = relative(dirname(path), to + target.slice(from.length));
  const slash = written.endsWith('/') ? '/' : '';
  return (written.startsWith('./') && !plain.startsWith('.') ? `./${plain}` : plain) + slash;
}
