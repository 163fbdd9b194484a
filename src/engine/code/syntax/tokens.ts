/** A piece of source text that means something: a name, a literal or a punctuator. Comments and white space are left out. */
export interface Token {
  kind: 'name' | 'literal' | 'punctuator' | 'newline';
  text: string;
  start: number;
}

/** How a language is cut into tokens. */
export interface TokenRules {
  /** What stands at a place, by the groups `skip`, `name`, `literal`, `newline` and `punctuator`. */
  readonly pattern: RegExp;
  /** Line ends are tokens, comments begin with `#`, and letters before a quote belong to the literal. */
  readonly hasLines: boolean;
  /** There are template literals, which are entered, and literals of regular expressions. */
  readonly hasTemplates: boolean;
}

/**
 * Cuts source text into tokens. It is a scanner, not a parser: in JavaScript it may take a regular expression for a division; names
 * inside template literals are found because templates are entered. What it gives decides how a reference is labelled, never whether it is one.
 */
export function tokenize(text: string, rules: TokenRules): Token[] {
  const tokens: Token[] = [];
  const { pattern, hasTemplates } = rules;
  /** Open braces of template substitutions: at which depth of braces each ends. */
  const templates: number[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const plainEnd = skipOrTakePlain(text, at, rules, tokens);
    if (plainEnd > at) {
      at = plainEnd;
      continue;
    }
    const character = text.charAt(at);
    if (hasTemplates && (character === '`' || (character === '}' && templates.at(-1) === depth))) {
      if (character === '}') templates.pop();
      const end = endOfTemplateText(text, at + 1);
      tokens.push({ kind: 'literal', text: text.slice(at, end), start: at });
      if (text.charAt(end - 1) === '{') templates.push(depth);
      at = end;
      continue;
    }
    if (hasTemplates && character === '/' && regexMayStart(tokens.at(-1))) {
      const regex = matchAt(/\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y, text, at);
      if (regex !== undefined) {
        tokens.push({ kind: 'literal', text: regex, start: at });
        at += regex.length;
        continue;
      }
    }
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null || match[0] === '') {
      at++;
      continue;
    }
    const groups = match.groups ?? {};
    if (groups['skip'] === undefined) {
      const kind =
        groups['name'] !== undefined
          ? 'name'
          : groups['literal'] !== undefined
            ? 'literal'
            : groups['newline'] !== undefined
              ? 'newline'
              : 'punctuator';
      if (match[0] === '{') depth++;
      else if (match[0] === '}') depth--;
      tokens.push({ kind, text: match[0], start: at });
    }
    at += match[0].length;
  }
  return tokens;
}

/**
 * Nine in ten characters of source text are blanks, comments, names of plain letters and brackets: they are told by their codes,
 * which is many times faster than the pattern. Gives the same position when there is none of these.
 */
function skipOrTakePlain(text: string, at: number, { hasLines }: TokenRules, tokens: Token[]): number {
  const code = text.charCodeAt(at);
  if (code === 32 || code === 9 || code === 13 || (code === 10 && !hasLines)) return at + 1;
  if (isPlainName[code] === 1 && !isDigit(code)) {
    let end = at + 1;
    while (isPlainName[text.charCodeAt(end)] === 1) end++;
    const next = text.charCodeAt(end);
    // A letter beyond ASCII goes on with the name, and a quote may make it the prefix of a literal.
    if (next > 127 || (hasLines && (next === 34 || next === 39))) return at;
    tokens.push({ kind: 'name', text: text.slice(at, end), start: at });
    return end;
  }
  if (code === 10) {
    tokens.push({ kind: 'newline', text: '\n', start: at });
    return at + 1;
  }
  const next = text.charCodeAt(at + 1);
  if (standsAlone(code, next)) {
    tokens.push({ kind: 'punctuator', text: text.charAt(at), start: at });
    return at + 1;
  }
  if (hasLines) return code === 35 ? endOr(text, text.indexOf('\n', at)) : at;
  if (code !== 47) return at;
  if (next === 47) return endOr(text, text.indexOf('\n', at));
  if (next !== 42) return at;
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? text.length : end + 2;
}

function endOr(text: string, end: number): number {
  return end === -1 ? text.length : end;
}

/** Brackets but braces, `,` and `;` always; `.`, `:` and `=` unless the next character may go on with them. */
function standsAlone(code: number, next: number): boolean {
  if (code === 40 || code === 41 || code === 91 || code === 93 || code === 44 || code === 59) return true;
  if (code === 46) return next !== 46;
  return (code === 58 || code === 61) && next !== 61 && next !== 62;
}

/** ASCII letters, digits, `_` and `$`. */
const isPlainName = Uint8Array.from({ length: 128 }, (_none, code) =>
  /[\w$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The index of the token that starts at or covers the offset; -1 when there is none. */
export function tokenIndexAt(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const token = tokens[middle];
    if (token === undefined) return -1;
    if (offset < token.start) high = middle - 1;
    else if (offset >= token.start + token.text.length) low = middle + 1;
    else return middle;
  }
  return -1;
}

function endOfTemplateText(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === '`') return at + 1;
    else if (character === '$' && text.charAt(at + 1) === '{') return at + 2;
  }
  return text.length;
}

function regexMayStart(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === 'literal') return false;
  if (previous.kind === 'name')
    return /^(return|typeof|case|in|of|delete|void|throw|new|await|yield)$/.test(previous.text);
  return !/^[)\]}]$/.test(previous.text) && previous.text !== '<';
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
