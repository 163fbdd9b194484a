import type ts from 'typescript-classic';
import { ToolError } from '../../../../../base/errors.ts';
import { displayPath } from '../../../../../base/paths.ts';
import { advise, parameter } from '../../../../../base/text/advice.ts';
import type { RefactorTarget } from '../../model.ts';
import { refuse } from '../../refusals/refuse.ts';
import { moduleNamed } from '../imports/exactPaths.ts';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import { compiler, invalidName, isReserved, parse, tokenAt } from '../syntax/compiler.ts';

interface Written extends RefactorTarget {
  isQuoted: boolean;
}

/** The whole name where only a part of it looks like one: `'max-size'`. */
export async function asWritten(backend: RenameBackend, asked: RefactorTarget): Promise<Written> {
  const tsc = compiler();
  const text = await backend.text(asked.path);
  const start = text.offsetAt(asked.position);
  const before = text.lineText(asked.position.line)?.slice(0, asked.position.column - 1) ?? '';
  const mayBeQuoted = /['"`-]/.test(before + (text.text[start + asked.name.length] ?? ''));
  const hasEscapes = text.text.includes('\\u') && /[\w$}]\\u|\\u(?:\{[^}]*\}|\w{4})[\w$]/.test(text.text);
  const plain = { ...asked, isQuoted: false };
  if (!mayBeQuoted && !hasEscapes) return plain;
  const source = parse(asked.path, text.text);
  const token = tokenAt(source, start);
  if (tsc.isStringLiteralLike(token) && moduleNamed(token.parent) === token)
    throw refuse('partOfPath', { name: asked.name });
  if (tsc.isStringLiteralLike(token))
    return { ...asked, name: token.text, position: text.positionAt(token.getStart(source) + 1), isQuoted: true };
  // The server does not see that a name with an escape in it is the same one.
  const visit = (node: ts.Node): boolean =>
    tsc.isIdentifier(node) && tsc.isIdentifier(token)
      ? node.text === token.text && node.getText(source).includes('\\')
      : (tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  if (hasEscapes && visit(source)) throw refuse('writtenWithEscape', { name: asked.name });
  return plain;
}

export function checkName({ name: oldName, isQuoted }: Written, newName: string): void {
  // Members may be called by any word.
  const why = isQuoted ? invalidText(newName) : isReserved(newName) ? undefined : invalidName(newName);
  if (why !== undefined)
    throw new ToolError('invalid_arguments', `${why}.`, { hint: advise`Choose another ${parameter('newName')}.` });
  if (!isQuoted && oldName.startsWith('#') !== newName.startsWith('#'))
    throw new ToolError(
      'invalid_arguments',
      `"${oldName}" and "${newName}" must both be private names (#) or neither.`,
    );
  if (newName === oldName) throw new ToolError('invalid_arguments', `It is called "${oldName}" already.`);
}

/** What stands in a string between quotes of any kind as it is. */
function invalidText(text: string): string | undefined {
  return text === '' || /['"`\\\r\n]|\$\{/.test(text) ? `"${text}" cannot stand between quotes as it is` : undefined;
}

/** Where a name stands without quotes, it must be a name. */
export async function checkUnquoted(
  backend: RenameBackend,
  oldName: string,
  newName: string,
  places: readonly RenamePlace[],
): Promise<void> {
  const why = invalidName(newName);
  if (why === undefined) return;
  for (const { path, range } of places) {
    const text = await backend.text(path);
    if (/['"`]/.test(text.text.charAt(text.offsetAt(range.start) - 1))) continue;
    throw new ToolError(
      'invalid_arguments',
      `${why}, and "${oldName}" stands without quotes at ${displayPath(backend.project.root, path)}:${range.start.line}.`,
      { hint: advise`Choose another ${parameter('newName')}.` },
    );
  }
}
