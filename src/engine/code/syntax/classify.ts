import { isPythonFile, isScriptFile } from '../../../base/languages/byPath.ts';
import type { LineIndex, Position } from '../../../base/positions.ts';
import { scriptRules } from './languages/javascript.ts';
import { pythonRules } from './languages/python.ts';
import { tokenIndexAt, tokenize, type Token, type TokenRules } from './tokens.ts';

export const referenceKinds = ['declaration', 'import', 'call', 'write', 'read', 'type', 'inheritance', 'doc'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** What helps to tell a use from its surroundings. */
export interface ClassifyHints {
  /** The symbol can stand in type positions: a class, an interface, an enum, a type alias. */
  isType: boolean;
  /** It is nothing but a type, so a use is a type use unless it is an import or inheritance. */
  isOnlyType: boolean;
}

/** What the words of one language tell about the uses of names. */
export interface SyntaxRules extends TokenRules {
  /** How the token `at` uses its symbol. */
  classify(
    tokens: readonly Token[],
    at: number,
    hints: ClassifyHints,
    around: { text: LineIndex; position: Position },
  ): ReferenceKind;
  /** How a name in a comment does, told from its line up to there. */
  classifyComment(before: string): ReferenceKind;
}

/** How a reference uses its symbol, told from the tokens around it. Languages without rules get `read`. */
export function classifyReference(
  extension: string,
  text: LineIndex,
  position: Position,
  hints: ClassifyHints,
): ReferenceKind {
  const rules = rulesOf(extension);
  if (rules === undefined) return 'read';
  const { tokens, at } = tokensAround(text, position, rules);
  if (at === -1) return rules.classifyComment(text.lineText(position.line)?.slice(0, position.column - 1) ?? '');
  return rules.classify(tokens, at, hints, { text, position });
}

/** Whether files with this extension can be told code from comments and literals by their tokens. */
export function hasTokens(extension: string): boolean {
  return rulesOf(extension) !== undefined;
}

/** The tokens of a file, or of what is around a position of a long one, with the one that stands there; -1 in a comment. */
export function tokensAt(
  extension: string,
  text: LineIndex,
  position: Position,
): { tokens: readonly Token[]; at: number; offset: number } | undefined {
  const rules = rulesOf(extension);
  return rules === undefined ? undefined : tokensAround(text, position, rules);
}

/** Whether a name stands at a position, not the text of a comment or a literal. */
export function isNameAt(extension: string, text: LineIndex, position: Position): boolean {
  const rules = rulesOf(extension);
  if (rules === undefined) return false;
  const { tokens, at } = tokensAround(text, position, rules);
  return tokens[at]?.kind === 'name';
}

export type TextKind = 'code' | 'comment' | 'string';

/** What stands at an offset. Undefined where the language has no tokens here. */
export function textKindAt(extension: string, text: LineIndex, offset: number): TextKind | undefined {
  const rules = rulesOf(extension);
  if (rules === undefined) return undefined;
  const { tokens, at } = tokensAround(text, text.positionAt(offset), rules);
  const token = tokens[at];
  // Tokens leave out comments and white space, and a line's indentation is nobody's comment.
  if (token === undefined) return /\s/.test(text.text.charAt(offset)) ? 'code' : 'comment';
  return token.kind === 'literal' && /^[a-z]{0,2}["'`}]/i.test(token.text) ? 'string' : 'code';
}

function tokensAround(
  text: LineIndex,
  position: Position,
  rules: TokenRules,
): { tokens: readonly Token[]; at: number; offset: number } {
  const offset = text.offsetAt(position);
  const from = text.text.length > wholeFileChars ? windowStart(text.text, offset) : 0;
  const tokens = from === 0 ? tokensOf(text, rules) : tokenize(text.text.slice(from, offset + windowAfterChars), rules);
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

function rulesOf(extension: string): SyntaxRules | undefined {
  if (isScriptFile(extension)) return scriptRules;
  return isPythonFile(extension) ? pythonRules : undefined;
}

/** Token lists weigh many times their text, so only those of the last few files are kept. */
const recent = new Map<LineIndex, Token[]>();
const maxRecentTokens = 20_000;

function tokensOf(text: LineIndex, rules: TokenRules): Token[] {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const tokens = tokenize(text.text, rules);
  recent.set(text, tokens);
  let total = [...recent.values()].reduce((sum, list) => sum + list.length, 0);
  for (const [oldest, list] of recent) {
    if (total <= maxRecentTokens || oldest === text) break;
    recent.delete(oldest);
    total -= list.length;
  }
  return tokens;
}
