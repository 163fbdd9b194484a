import type { ReferenceKind } from '../classify.ts';
import type { Token } from '../tokens.ts';

/** Words that may stand before the name of a member or parameter that is declared. */
export const modifiers = new Set([
  'public',
  'private',
  'protected',
  'static',
  'readonly',
  'abstract',
  'async',
  'override',
  'declare',
  'accessor',
  'export',
  'default',
  '*',
]);

/** The part that a name plays in a JSX tag: the element itself, or an attribute of it. */
export function jsxRole(tokens: readonly Token[], at: number): ReferenceKind | undefined {
  let i = at - 1;
  while (tokens[i]?.text === '.' && tokens[i - 1]?.kind === 'name') i -= 2;
  if (tokens[i]?.text === '/' && tokens[i - 1]?.text === '<') return 'call';
  if (tokens[i]?.text === '<') return isTagStart(tokens, i) ? 'call' : undefined;
  const next = tokens[at + 1];
  const mayBeAttribute = next?.kind === 'name' || /^(=|\/|>|\{)$/.test(next?.text ?? '');
  return i === at - 1 && mayBeAttribute && isInTag(tokens, at) ? 'write' : undefined;
}

/** Back over the attributes before to the `<` of the tag. */
function isInTag(tokens: readonly Token[], at: number): boolean {
  for (let i = at - 1; i >= 0 && at - i < 300; i--) {
    const token = tokens[i];
    if (token === undefined) return false;
    if (token.text === '}') i = openerOf(tokens, i);
    else if (token.text === '<') return tokens[i + 1]?.kind === 'name' && isTagStart(tokens, i);
    else if (token.kind === 'punctuator' && !/^[=.:-]$/.test(token.text)) return false;
    else if (token.kind === 'name' && /^(const|let|var|return|if|of|in)$/.test(token.text)) return false;
  }
  return false;
}

/** A `<` that opens a tag, against one that compares or opens type arguments. */
function isTagStart(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined) return true;
  return before.kind === 'punctuator' ? !/^[)\]]$/.test(before.text) : before.text === 'return';
}

/** What a name is in a destructuring pattern; undefined when it stands in none. */
export function inPattern(tokens: readonly Token[], at: number): ReferenceKind | undefined {
  const open: number[] = [];
  for (let opener = bracketAround(tokens, at); opener !== undefined; opener = bracketAround(tokens, opener)) {
    if (tokens[opener]?.text === '(' || !isPatternPart(tokens, opener, open[0] ?? at)) break;
    open.unshift(opener);
  }
  const [outer] = open;
  if (outer === undefined) return undefined;
  const closer = closerOf(tokens, outer);
  const after = tokens[closer + 1]?.text ?? '';
  const before = tokens[outer - 1]?.text ?? '';
  const isKey = tokens[at + 1]?.text === ':';
  const isDefault = tokens[at - 1]?.text === '=';
  if (/^(const|let|var)$/.test(before)) {
    if (isKey || isDefault) return 'read';
    return after === '=' && tokens[closer + 2]?.text === 'require' ? 'import' : 'declaration';
  }
  const paren = bracketAround(tokens, outer);
  if (paren !== undefined && tokens[paren]?.text === '(' && isParameterList(tokens, paren))
    return isKey || isDefault ? 'read' : 'declaration';
  return after === '=' ? (isKey || isDefault ? 'read' : 'write') : undefined;
}

/** Inside a pattern only `key:`, a comma, a rest or a bracket comes before a name. */
function isPatternPart(tokens: readonly Token[], opener: number, inside: number): boolean {
  const before = tokens[inside - 1]?.text ?? '';
  if (tokens[opener]?.text === '{' && tokens[opener - 1]?.text === ')') return false;
  return inside - 1 === opener || /^(,|:|\.\.\.|=)$/.test(before);
}

/** The parentheses of a function, method, arrow function or `catch`. */
function isParameterList(tokens: readonly Token[], paren: number): boolean {
  const before = tokens[paren - 1]?.text ?? '';
  if (before === 'catch' || before === 'function') return true;
  if (/^(if|while|for|switch|with)$/.test(before)) return false;
  const after = tokens[closerOf(tokens, paren) + 1]?.text ?? '';
  return after === '=>' || after === '{' || (after === ':' && tokens[paren - 1]?.kind !== 'punctuator');
}

/** Parameters, and fields of classes, interfaces and enums. */
export function isDeclaredHere(tokens: readonly Token[], at: number): boolean {
  const previous = tokens[at - 1]?.text ?? '';
  const next = tokens[at + 1]?.text ?? '';
  if (next === '=>') return true;
  if (previous === '(' && tokens[at - 2]?.text === 'catch') return true;
  const opener = bracketAround(tokens, at);
  if (opener === undefined) return false;
  const isTyped = next === ':' || (next === '?' && tokens[at + 2]?.text === ':');
  if (tokens[opener]?.text === '(')
    return (previous === '(' || previous === ',' || previous === '...' || modifiers.has(previous)) && isTyped;
  if (tokens[opener]?.text !== '{' || !isTypeBody(tokens, opener)) return false;
  const isMemberStart = tokens[at - 1]?.kind !== 'punctuator' || /^[{};,)\]*]$/.test(previous);
  return isMemberStart && (isTyped || /^[=;,}!?(]$/.test(next));
}

/** The `{` of a class, interface or enum. */
function isTypeBody(tokens: readonly Token[], opener: number): boolean {
  for (let i = opener - 1; i >= 0 && opener - i < 120; i--) {
    const text = tokens[i]?.text ?? '';
    if (text === 'class' || text === 'interface' || text === 'enum') return tokens[i - 1]?.text !== '.';
    if (/^[;{}=]$/.test(text)) return false;
  }
  return false;
}

/** The bracket that is open at a token. */
function bracketAround(tokens: readonly Token[], at: number): number | undefined {
  let closed = 0;
  for (let i = at - 1; i >= 0 && at - i < 4000; i--) {
    const text = tokens[i]?.text ?? '';
    if (/^[)\]}]$/.test(text)) closed++;
    else if (/^[([{]$/.test(text)) {
      if (closed === 0) return i;
      closed--;
    }
  }
  return undefined;
}

function closerOf(tokens: readonly Token[], opener: number): number {
  let depth = 0;
  for (let i = opener; i < tokens.length; i++) {
    const text = tokens[i]?.text ?? '';
    if (/^[([{]$/.test(text)) depth++;
    else if (/^[)\]}]$/.test(text) && --depth === 0) return i;
  }
  return tokens.length;
}

function openerOf(tokens: readonly Token[], closer: number): number {
  let depth = 0;
  for (let i = closer; i >= 0; i--) {
    const text = tokens[i]?.text ?? '';
    if (/^[)\]}]$/.test(text)) depth++;
    else if (/^[([{]$/.test(text) && --depth === 0) return i;
  }
  return 0;
}
