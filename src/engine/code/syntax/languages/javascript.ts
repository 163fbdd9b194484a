import type { ClassifyHints, ReferenceKind, SyntaxRules } from '../classify.ts';
import { inPattern, isDeclaredHere, jsxRole, modifiers } from './javascriptPlaces.ts';
import type { Token } from '../tokens.ts';

const declaring = new Set([
  'function',
  'class',
  'interface',
  'enum',
  'type',
  'namespace',
  'module',
  'const',
  'let',
  'var',
  'get',
  'set',
]);
const assignment = /^(=|[-+*/%&|^]=|\*\*=|<<=|>>>?=|&&=|\|\|=|\?\?=)$/;

/** TypeScript and JavaScript. */
export const scriptRules: SyntaxRules = {
  pattern:
    /(?<skip>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s+)|(?<name>#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)|(?<literal>\d[\w.]*|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?)|(?<punctuator>=>|\?\.|\.\.\.|[-+*/%&|^<>=!?]=+|\*\*=?|\+\+|--|&&=?|\|\|=?|\?\?=?|[\s\S])/uy,
  hasLines: false,
  hasTemplates: true,
  classify,
  // Only documentation can hold a reference there: `{@link name}`.
  classifyComment: () => 'doc',
};

function classify(tokens: readonly Token[], at: number, hints: ClassifyHints): ReferenceKind {
  const text = (index: number) => tokens[index]?.text ?? '';
  const previous = text(at - 1);
  const next = text(at + 1);
  if (isInImportOrExport(tokens, at)) return 'import';
  const heritage = heritageOf(tokens, at);
  if (heritage === 'inheritance') return 'inheritance';
  const isMember = previous === '.' || previous === '?.';
  if (!isMember && declaring.has(previous) && !(previous === 'type' && !startsStatement(text(at - 2))))
    return previous === 'get' || previous === 'set' ? (next === '(' ? 'declaration' : 'read') : 'declaration';
  if (hints.isOnlyType || heritage === 'constraint') return 'type';
  if (previous === '@') return 'call';
  const jsx = jsxRole(tokens, at);
  if (jsx !== undefined) return jsx;
  if (isCall(tokens, at)) return isMethodDeclaration(tokens, at) ? 'declaration' : 'call';
  if (hints.isType && isTypePosition(tokens, at)) return 'type';
  if (previous === 'typeof' && /^[:<|&]$|^as$/.test(text(at - 2)) && !/^[=!]==?$/.test(next)) return 'type';
  if (isMember) return memberKind(tokens, at, next);
  const pattern = inPattern(tokens, at);
  if (pattern !== undefined) return pattern;
  if (isDeclaredHere(tokens, at)) return 'declaration';
  if (assignment.test(next)) return modifiers.has(previous) ? 'declaration' : 'write';
  if (/^(\+\+|--)$/.test(next) || /^(\+\+|--)$/.test(previous)) return 'write';
  if (previous === '(' && text(at - 2) === 'for' && /^(of|in)$/.test(next)) return 'write';
  if (next === ':' && (previous === '{' || previous === ',')) return 'write';
  return 'read';
}

function memberKind(tokens: readonly Token[], at: number, next: string): ReferenceKind {
  if (assignment.test(next) || next === '++' || next === '--') return 'write';
  const before = tokens[startOfChain(tokens, at) - 1]?.text ?? '';
  return before === 'delete' || before === '++' || before === '--' ? 'write' : 'read';
}

/** Where `a.b?.c` begins that ends with the name. */
function startOfChain(tokens: readonly Token[], at: number): number {
  let i = at;
  while (/^\??\.$/.test(tokens[i - 1]?.text ?? '') && tokens[i - 2]?.kind === 'name') i -= 2;
  return i;
}

/** `import { x } from`, `import x`, `export { x }`, `export { x } from`: back over what can stand between the keyword and the name. */
function isInImportOrExport(tokens: readonly Token[], at: number): boolean {
  let sawBrace = false;
  for (let i = at - 1; i >= 0 && at - i < 4000; i--) {
    const token = tokens[i];
    if (token === undefined) return false;
    if (token.text === 'import')
      return tokens[i + 1]?.text !== '(' && tokens[i + 1]?.text !== '.' && tokens[i - 1]?.text !== '.';
    if (token.text === 'export') {
      const after = tokens[i + 1]?.text ?? '';
      return after === '*' || (sawBrace && (after === '{' || (after === 'type' && tokens[i + 2]?.text === '{')));
    }
    if (token.text === '{') {
      if (sawBrace) return false;
      sawBrace = true;
    } else if (token.kind === 'literal') {
      // `import { "string name" as x }`: the only literal that can stand here.
      if (tokens[i + 1]?.text !== 'as') return false;
    } else if (token.kind !== 'name' && token.text !== ',' && token.text !== '*') return false;
    else if (
      token.kind === 'name' &&
      !sawBrace &&
      /^(const|let|var|function|class|return|from|of|in)$/.test(token.text)
    )
      return false;
  }
  return false;
}

/** `extends X` and `implements A, X` of a class or interface, against `<T extends X>` and `A extends X ? …`. */
function heritageOf(tokens: readonly Token[], at: number): 'inheritance' | 'constraint' | undefined {
  let angles = 0;
  for (let i = at - 1; i >= 0 && at - i < 200; i--) {
    const token = tokens[i];
    if (token === undefined) return undefined;
    const { text } = token;
    if (text === '>') angles++;
    else if (text === '>>') angles += 2;
    else if (text === '<') angles--;
    // Inside the type arguments of a base: a type use, not a base.
    if (angles < 0) return undefined;
    if (angles > 0) continue;
    if (text === 'implements') return 'inheritance';
    if (text === 'extends') return classHeaderBefore(tokens, i) ? 'inheritance' : 'constraint';
    if (token.kind !== 'name' && text !== '.' && text !== ',' && text !== '>' && text !== '<') return undefined;
    if (/^(const|let|var|return|new|typeof|case|export|import|function)$/.test(text)) return undefined;
  }
  return undefined;
}

function classHeaderBefore(tokens: readonly Token[], extendsAt: number): boolean {
  let angles = 0;
  for (let i = extendsAt - 1; i >= 0 && extendsAt - i < 200; i--) {
    const text = tokens[i]?.text ?? '';
    if (text === '>') angles++;
    else if (text === '>>') angles += 2;
    else if (text === '<') angles--;
    if (angles < 0) return false;
    if (angles > 0) continue;
    if (text === 'class' || text === 'interface') return true;
    if (tokens[i]?.kind !== 'name' && text !== '<') return false;
  }
  return false;
}

/** `name(`, `name<T>(`, `` name`…` ``, `new Name`. */
function isCall(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.text ?? '';
  if (next === '(' || next.startsWith('`')) return true;
  if (next === '?.' && tokens[at + 2]?.text === '(') return true;
  if (next === '!' && tokens[at + 2]?.text === '(') return true;
  if (isNewTarget(tokens, at)) return true;
  if (next !== '<') return false;
  let angles = 0;
  for (let i = at + 1; i < tokens.length && i - at < 100; i++) {
    const text = tokens[i]?.text ?? '';
    if (text === '<') angles++;
    else if (text === '>') angles--;
    else if (text === '>>') angles -= 2;
    else if (/^(;|=>|&&|\|\|)$/.test(text)) return false;
    if (angles <= 0) return tokens[i + 1]?.text === '(';
  }
  return false;
}

function isNewTarget(tokens: readonly Token[], at: number): boolean {
  return tokens[startOfChain(tokens, at) - 1]?.text === 'new' && tokens[at + 1]?.text !== '.';
}

/** `name(…) {` and `name(…): T {` inside a class, object or interface, where the same tokens would be a call in a statement. */
function isMethodDeclaration(tokens: readonly Token[], at: number): boolean {
  const previous = tokens[at - 1]?.text ?? '';
  if (previous === '.' || previous === '?.' || previous === 'new' || previous === '@') return false;
  const before = tokens[at - 1];
  if (before?.kind === 'name' && !modifiers.has(previous)) return false;
  let depth = 0;
  for (let i = at + 1; i < tokens.length && i - at < 2000; i++) {
    const text = tokens[i]?.text ?? '';
    if (text === '(' || text === '[' || text === '{') depth++;
    else if (text === ')' || text === ']' || text === '}') depth--;
    if (depth > 0 || text !== ')') continue;
    const after = tokens[i + 1]?.text ?? '';
    if (after === '{') return true;
    if (after === ':')
      return (
        previous !== '?' && previous !== '=' && previous !== '(' && previous !== '=>' && !/^[&|?]{2}$/.test(previous)
      );
    return modifiers.has(previous) && previous !== 'default';
  }
  return false;
}

function startsStatement(text: string): boolean {
  return text === '' || /^[;{}]$/.test(text) || modifiers.has(text) || text === ')' || /^['"`]/.test(text);
}

function isTypePosition(tokens: readonly Token[], at: number): boolean {
  let i = startOfChain(tokens, at) - 1;
  // `import("x").Name`
  if (tokens[i]?.text === '.' && tokens[i - 1]?.text === ')' && tokens[i - 4]?.text === 'import') i -= 5;
  const previous = tokens[i]?.text ?? '';
  const next = tokens[at + 1]?.text ?? '';
  if (/^(as|satisfies|keyof|is|infer|unique)$/.test(previous)) return true;
  if (previous === '<') return true;
  if ((previous === '|' || previous === '&') && !/^\d/.test(tokens[i - 1]?.text ?? '')) return true;
  if (previous === ':') return tokens[i - 2]?.text !== 'case' && next !== '.' && !isConditionalColon(tokens, i);
  if (next === '[' && tokens[at + 2]?.text === ']') return true;
  if (previous === '=>' || previous === '=')
    return next === '|' || next === '&' || (previous === '=' && tokens[i - 2]?.text === 'type');
  if (previous === ',' || previous === '(') return next === '>' || (previous === ',' && isInsideAngles(tokens, i));
  return false;
}

function isConditionalColon(tokens: readonly Token[], colonAt: number): boolean {
  let depth = 0;
  for (let i = colonAt - 1; i >= 0 && colonAt - i < 60; i--) {
    const text = tokens[i]?.text ?? '';
    if (/^[)\]}]$/.test(text)) depth++;
    else if (/^[([{]$/.test(text)) depth--;
    if (depth < 0 || text === ';') return false;
    if (depth === 0 && text === '?') return i !== colonAt - 1;
  }
  return false;
}

function isInsideAngles(tokens: readonly Token[], from: number): boolean {
  for (let i = from; i >= 0 && from - i < 60; i--) {
    const text = tokens[i]?.text ?? '';
    if (text === '<') return true;
    if (/^[;(){}]$/.test(text)) return false;
  }
  return false;
}
