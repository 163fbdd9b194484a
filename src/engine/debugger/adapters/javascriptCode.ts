import { parse, type Token } from 'acorn';

/**
 * A JavaScript expression as the engine reads it, for rules about code: comments, strings and regular expressions are gone, the code inside
 * templates is there, escaped letters in names are letters. What does not parse is given as it is.
 */
export function javascriptCode(expression: string): string {
  for (const [before, after] of [
    ['', ''],
    ['(', '\n)'],
  ] as const) {
    const tokens = tokensOf(`${before}${expression}${after}`);
    if (tokens !== undefined) return textOf(tokens, `${before}${expression}${after}`);
  }
  return expression;
}

function tokensOf(source: string): Token[] | undefined {
  const tokens: Token[] = [];
  try {
    parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowSuperOutsideMethod: true,
      allowImportExportEverywhere: true,
      onToken: tokens,
    });
    return tokens;
  } catch {
    return undefined;
  }
}

function textOf(tokens: readonly Token[], source: string): string {
  let text = '';
  let end = 0;
  for (const [index, token] of tokens.entries()) {
    const gap = source.slice(end, token.start);
    text += gap.trim() === '' ? gap : ' ';
    text += tokenText(token, tokens[index - 1], tokens[index + 1], source);
    end = token.end;
  }
  return text;
}

function tokenText(token: Token, previous: Token | undefined, next: Token | undefined, source: string): string {
  const label = token.type.label;
  // Acorn's tokens have a value that its types leave out.
  const value: unknown = 'value' in token ? token.value : undefined;
  if (label === 'string') return '""';
  if (label === 'template') return ' ';
  if (label === 'regexp') return '/ /';
  // `a?.b`, `a?.(b)` and `a?.[b]` are `a.b`, `a(b)` and `a[b]` to every rule; a template after a name calls it.
  if (label === '?.') return next?.type.label === '(' || next?.type.label === '[' ? '' : '.';
  if (label === '`') return isCallable(previous) ? '(' : '`';
  if (label === 'name' || label === 'privateId' || token.type.keyword !== undefined) return String(value);
  return source.slice(token.start, token.end);
}

function isCallable(token: Token | undefined): boolean {
  return token !== undefined && ['name', ')', ']', '`'].includes(token.type.label);
}
