import { isPythonFile, isScriptFile } from '../../../base/languages/byPath.ts';
import type { LineIndex, Position } from '../../../base/positions.ts';
import { classifyJavascript } from './classifyJavascript.ts';
import { classifyPython } from './classifyPython.ts';
import { isListed, isTypeComment } from './pythonMentions.ts';
import { tokenIndexAt, tokenize, type Token, type TokenLanguage } from './tokens.ts';

export const referenceKinds = ['declaration', 'import', 'call', 'write', 'read', 'type', 'inheritance', 'doc'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** What helps to tell a use from its surroundings. */
export interface ClassifyHints {
  /** The symbol can stand in type positions: a class, an interface, an enum, a type alias. */
  isType: boolean;
  /** It is nothing but a type, so a use is a type use unless it is an import or inheritance. */
  isOnlyType: boolean;
}

/** How a reference uses its symbol, told from the tokens around it. Languages without rules get `read`. */
export function classifyReference(
  extension: string,
  text: LineIndex,
  position: Position,
  hints: ClassifyHints,
): ReferenceKind {
  const language = languageOf(extension);
  if (language === undefined) return 'read';
  const { tokens, at } = tokensAround(text, position, language);
  // Only documentation comments can hold a reference outside of every token: `{@link name}`.
  if (at === -1)
    return language === 'python' && isTypeComment(text.lineText(position.line)?.slice(0, position.column - 1) ?? '')
      ? 'type'
      : 'doc';
  if (language === 'python' && tokens[at]?.kind === 'literal')
    return isListed(tokens, at, tokens[at].text.replace(/^[a-z]*["']|["']$/gi, ''))
      ? 'import'
      : inPythonLiteral(tokens[at].text, text, position, hints);
  return language === 'javascript' ? classifyJavascript(tokens, at, hints) : classifyPython(tokens, at, hints);
}

/** Names within a literal: those of an f-string are code, others are types that are written as strings. */
function inPythonLiteral(literal: string, text: LineIndex, position: Position, hints: ClassifyHints): ReferenceKind {
  if (!/^[a-z]*f/i.test(literal)) return hints.isType ? 'type' : 'read';
  const line = text.lineText(position.line) ?? '';
  return /^[\p{L}\d_]+\s*\(/u.test(line.slice(position.column - 1)) ? 'call' : 'read';
}

/** Whether files with this extension can be told code from comments and literals by their tokens. */
export function hasTokens(extension: string): boolean {
  return languageOf(extension) !== undefined;
}

/** The tokens of a file, or of what is around a position of a long one, with the one that stands there; -1 in a comment. */
export function tokensAt(
  extension: string,
  text: LineIndex,
  position: Position,
): { tokens: readonly Token[]; at: number; offset: number } | undefined {
  const language = languageOf(extension);
  return language === undefined ? undefined : tokensAround(text, position, language);
}

/** Whether a name stands at a position, not the text of a comment or a literal. */
export function isNameAt(extension: string, text: LineIndex, position: Position): boolean {
  const language = languageOf(extension);
  if (language === undefined) return false;
  const { tokens, at } = tokensAround(text, position, language);
  return tokens[at]?.kind === 'name';
}

export type TextKind = 'code' | 'comment' | 'string';

/** What stands at an offset. Undefined where the language has no tokens here. */
export function textKindAt(extension: string, text: LineIndex, offset: number): TextKind | undefined {
  const language = languageOf(extension);
  if (language === undefined) return undefined;
  const { tokens, at } = tokensAround(text, text.positionAt(offset), language);
  const token = tokens[at];
  // Tokens leave out comments and white space, and a line's indentation is nobody's comment.
  if (token === undefined) return /\s/.test(text.text.charAt(offset)) ? 'code' : 'comment';
  return token.kind === 'literal' && /^[a-z]{0,2}["'`}]/i.test(token.text) ? 'string' : 'code';
}

function tokensAround(
  text: LineIndex,
  position: Position,
  language: TokenLanguage,
): { tokens: readonly Token[]; at: number; offset: number } {
  const offset = text.offsetAt(position);
  const from = text.text.length > wholeFileChars ? windowStart(text.text, offset) : 0;
  const tokens =
    from === 0 ? tokensOf(text, language) : tokenize(text.text.slice(from, offset + windowAfterChars), language);
  return { tokens, at: tokenIndexAt(tokens, offset - from), offset: offset - from };
}

/** Files up to this size are scanned whole; of larger ones only the surroundings of the reference. */
const wholeFileChars = 60_000;
const windowBeforeChars = 6000;
const windowAfterChars = 4000;

/** A line that begins at the first column, some way before: there a statement begins, not the middle of one. */
function windowStart(text: string, offset: number): number {
  let at = text.lastIndexOf('\n', Math.max(offset - windowBeforeChars, 0));
  while (at > 0 && !/[\p{L}@]/u.test(text.charAt(at + 1))) at = text.lastIndexOf('\n', at - 1);
  return at <= 0 ? 0 : at + 1;
}

function languageOf(extension: string): TokenLanguage | undefined {
  if (isScriptFile(extension)) return 'javascript';
  return isPythonFile(extension) ? 'python' : undefined;
}

/** Token lists weigh many times their text, so only those of the last few files are kept. */
const recent = new Map<LineIndex, Token[]>();
const maxRecentTokens = 20_000;

function tokensOf(text: LineIndex, language: TokenLanguage): Token[] {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const tokens = tokenize(text.text, language);
  recent.set(text, tokens);
  let total = [...recent.values()].reduce((sum, list) => sum + list.length, 0);
  for (const [oldest, list] of recent) {
    if (total <= maxRecentTokens || oldest === text) break;
    recent.delete(oldest);
    total -= list.length;
  }
  return tokens;
}
