import type { LineIndex, Position } from '../../../base/positions.ts';
import { tokensAt } from './classify.ts';
import { isInterpolated, isListed, isTypeComment } from './languages/pythonMentions.ts';

/**
 * What a word is to the code around it. Some names in strings and comments are references all the same: what `__all__` lists, types in
 * type comments, names in documentation tags.
 */
type WordRole = 'name' | 'listed' | 'type comment' | 'documentation' | 'text';

export function wordRole(extension: string, text: LineIndex, position: Position, word: string): WordRole {
  const found = tokensAt(extension, text, position);
  if (found === undefined) return 'text';
  const { tokens, at, offset } = found;
  const token = tokens[at];
  if (token?.kind === 'name') return 'name';
  const isPython = extension === 'py' || extension === 'pyi';
  if (token?.kind === 'literal') {
    if (!isPython) return 'text';
    if (isInterpolated(token, offset)) return 'name';
    return isListed(tokens, at, word) ? 'listed' : 'text';
  }
  const before = (text.lineText(position.line) ?? '').slice(0, position.column - 1);
  if (isPython) return isTypeComment(before) ? 'type comment' : 'text';
  return documentationTag.test(before) ? 'documentation' : 'text';
}

/** Tags of JSDoc that name something: `{@link Name}`, `@param {Name} x`, `@see Name`. */
const documentationTag =
  /\{@(?:link|linkcode|linkplain)\s+[\w$.#~]*$|@(?:see|throws|exception|extends|augments|implements|memberof|borrows)\s+\{?[\w$.#~]*$|@\w+\s*\{[^}]*$/;
