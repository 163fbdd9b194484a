import type { LineIndex, Position } from '../../../../base/positions.ts';
import type { ClassifyHints, ReferenceKind, SyntaxRules } from '../classify.ts';
import { isListed, isTypeComment } from './pythonMentions.ts';
import type { Token } from '../tokens.ts';

export const pythonRules: SyntaxRules = {
  pattern:
    /(?<skip>#[^\n]*|\\\r?\n|[ \t\r\f]+)|(?<newline>\n)|(?<literal>[rRbBuUfFtT]{0,2}(?:"""(?:[^\\]|\\[\s\S])*?(?:"""|$)|'''(?:[^\\]|\\[\s\S])*?(?:'''|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?)|\d[\w.]*)|(?<name>[\p{ID_Start}_][\p{ID_Continue}]*)|(?<punctuator>->|:=|\*\*=?|\/\/=?|>>=?|<<=?|[-+*/%&|^<>=!@]=|[\s\S])/uy,
  hasLines: true,
  hasTemplates: false,
  classify: (tokens, at, hints, { text, position }) => {
    const token = tokens[at];
    if (token?.kind !== 'literal') return classify(tokens, at, hints);
    return isListed(tokens, at, token.text.replace(/^[a-z]*["']|["']$/gi, ''))
      ? 'import'
      : inLiteral(token.text, text, position, hints);
  },
  classifyComment: (before) => (isTypeComment(before) ? 'type' : 'doc'),
};

/** Names within a literal: those of an f-string are code, others are types that are written as strings. */
function inLiteral(literal: string, text: LineIndex, position: Position, hints: ClassifyHints): ReferenceKind {
  if (!/^[a-z]*f/i.test(literal)) return hints.isType ? 'type' : 'read';
  const line = text.lineText(position.line) ?? '';
  return /^[\p{L}\d_]+\s*\(/u.test(line.slice(position.column - 1)) ? 'call' : 'read';
}

/** How a name is used, told from its statement and the brackets it stands in. */
function classify(tokens: readonly Token[], at: number, hints: ClassifyHints): ReferenceKind {
  const text = (index: number) => tokens[index]?.text ?? '';
  const previous = text(at - 1);
  const next = text(at + 1);
  if (previous === 'def' || previous === 'class') return 'declaration';
  const { first, open } = statementOf(tokens, at);
  const start = text(first);
  const keyword = start === 'async' ? text(first + 1) : start;
  const inner = open.at(-1);
  if (keyword === 'import' || keyword === 'from') return 'import';
  if (keyword === 'type' && at === first + 1 && next === '=') return 'declaration';
  if (keyword === '@' && open.length === 0 && next !== '.') return 'call';
  if (keyword === 'class' && inner !== undefined && open.length > 0) return inClassHeader(tokens, at, open, first);
  if (keyword === 'def' && inner !== undefined && isParameter(tokens, at, inner, first)) return 'declaration';
  if (isLambdaParameter(tokens, at, first)) return 'declaration';
  if (isAnnotation(tokens, at, first, open)) return 'type';
  if (keyword === 'case' && open.length === 0) return 'read';
  if (next === '(') return 'call';
  if (next === ':=' || keyword === 'global' || keyword === 'nonlocal') return 'write';
  if (next === '=' && inner !== undefined && text(inner) === '(' && isCallBracket(tokens, inner)) return 'write';
  if (next !== '.' && next !== '[' && isTarget(tokens, at, first, open, keyword)) return 'write';
  return hints.isOnlyType ? 'type' : 'read';
}

interface Statement {
  /** Its first token. */
  first: number;
  /** The brackets around the name that open within it, outermost first. */
  open: number[];
}

/** Line ends inside brackets do not end a statement. */
function statementOf(tokens: readonly Token[], at: number): Statement {
  const open: number[] = [];
  let closed = 0;
  let first = at;
  for (let i = at - 1; i >= 0 && at - i < 3000; i--) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.kind === 'newline') {
      if (closed <= 0 && !opensBefore(tokens, i)) break;
      continue;
    }
    if (token.text === ';' && closed === 0) break;
    if (isCloser(token.text)) closed++;
    else if (isOpener(token.text)) {
      if (closed > 0) closed--;
      else open.unshift(i);
    }
    first = i;
  }
  return { first, open };
}

/** Whether a bracket is still open at this line end: looks back to the nearest line that starts a statement. */
function opensBefore(tokens: readonly Token[], newlineAt: number): boolean {
  let closed = 0;
  for (let i = newlineAt - 1; i >= 0 && newlineAt - i < 1500; i--) {
    const token = tokens[i];
    if (token === undefined) return false;
    if (isCloser(token.text)) closed++;
    else if (isOpener(token.text)) {
      if (closed === 0) return true;
      closed--;
    } else if (closed === 0 && token.kind === 'newline') {
      const following = tokens[i + 1];
      if (
        following !== undefined &&
        /^(def|class|import|from|return|if|for|while|with|try|else|elif|except|raise|assert|@)$/.test(following.text)
      )
        return false;
    }
  }
  return false;
}

/** `class A[T](Base[U], metaclass=M, **options)` */
function inClassHeader(tokens: readonly Token[], at: number, open: readonly number[], first: number): ReferenceKind {
  const [outer = 0, second] = open;
  const next = tokens[at + 1]?.text ?? '';
  if (tokens[outer]?.text === '[' && outer === first + 2) return 'declaration';
  if (second !== undefined) return tokens[second]?.text === '[' ? 'type' : next === '(' ? 'call' : 'read';
  if (next === '=') return 'write';
  for (let i = at - 1; i > outer; i--) {
    const text = tokens[i]?.text ?? '';
    if (text === ',') break;
    if (text === '=' || text === '**') return 'read';
  }
  if (next === '(') return 'call';
  return next === '.' ? 'read' : 'inheritance';
}

/** A name that a parameter list or a list of type parameters declares. */
function isParameter(tokens: readonly Token[], at: number, inner: number, first: number): boolean {
  const previous = beforeLineEnds(tokens, at);
  const name = tokens[first]?.text === 'async' ? first + 2 : first + 1;
  const isOwnBracket = inner === name + 1 || tokens[inner - 1]?.text === ']';
  return isOwnBracket && /^([([,*]|\*\*)$/.test(previous);
}

/** The token before, line ends passed over: parameters stand on lines of their own. */
function beforeLineEnds(tokens: readonly Token[], at: number): string {
  let i = at - 1;
  while (tokens[i]?.kind === 'newline') i--;
  return tokens[i]?.text ?? '';
}

function isLambdaParameter(tokens: readonly Token[], at: number, first: number): boolean {
  const previous = tokens[at - 1]?.text ?? '';
  if (previous === 'lambda') return true;
  if (previous !== ',' && previous !== '*' && previous !== '**') return false;
  for (let i = at - 1; i >= first; i--) {
    const token = tokens[i];
    if (token?.text === 'lambda') return true;
    if (token === undefined || (token.kind !== 'name' && !/^(,|\*|\*\*|=)$/.test(token.text))) return false;
  }
  return false;
}

function isAnnotation(tokens: readonly Token[], at: number, first: number, open: readonly number[]): boolean {
  const keyword = tokens[first]?.text === 'async' ? tokens[first + 1]?.text : tokens[first]?.text;
  let depth = open.length;
  for (let i = at - 1; i >= first; i--) {
    const text = tokens[i]?.text ?? '';
    const opensAround = open[depth - 1] === i;
    if (opensAround) {
      depth--;
      // Only subscripts keep a type a type: `dict[str, X]`, not `f(X)`.
      if (text !== '[') return false;
      continue;
    }
    if (depth < open.length && text === ':' && isInOpen(tokens, i, open, depth)) return false;
    if (isCloser(text)) i = openerOf(tokens, i);
    else if (text === '->') return true;
    else if (text === '=' || text === 'lambda') return false;
    else if (text === ':')
      return keyword === 'def' ? depth === 1 || depth === open.length : depth === 0 && isPlainTarget(tokens, first, i);
    else if (text === ',' && (depth === 0 || tokens[open[depth - 1] ?? -1]?.text !== '[')) return false;
  }
  return false;
}

function isInOpen(tokens: readonly Token[], at: number, open: readonly number[], depth: number): boolean {
  return (open[depth - 1] ?? -1) < at && tokens[open[depth - 1] ?? -1]?.text === '{';
}

/** `name:` or `self.name:` at the start of a statement: an annotated target. */
function isPlainTarget(tokens: readonly Token[], first: number, colonAt: number): boolean {
  for (let i = first; i < colonAt; i++) if (tokens[i]?.kind !== 'name' && tokens[i]?.text !== '.') return false;
  return !/^(if|else|elif|for|while|with|try|except|finally|lambda|match|case)$/.test(tokens[first]?.text ?? '');
}

/** Whether a value is bound to the name here: by an assignment, `for`, `as` or `del`, also through tuples and lists. */
function isTarget(
  tokens: readonly Token[],
  at: number,
  first: number,
  open: readonly number[],
  keyword: string,
): boolean {
  if (keyword === 'del') return open.every((bracket) => !isCallBracket(tokens, bracket));
  const binder = binderBefore(tokens, at, first);
  if (binder === 'as' || binder === 'for') return true;
  if (open.some((bracket) => isCallBracket(tokens, bracket) || tokens[bracket]?.text === '{')) return false;
  const next = tokens[at + 1]?.text ?? '';
  if (open.length === 0 && /^([-+*/%&|^@]=|\/\/=|\*\*=|>>=|<<=)$/.test(next)) return true;
  if (open.length === 0 && next === ':' && at === first) return true;
  let depth = open.length;
  for (let i = at + 1; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || token.kind === 'newline') return false;
    if (token.text === '=' && depth === 0) return true;
    if (isOpener(token.text)) depth++;
    else if (isCloser(token.text)) depth--;
    else if (token.kind === 'name' ? isWordOperator(token.text) : !/^[,.*]$/.test(token.text) && depth === 0)
      return false;
    if (depth < 0) return false;
  }
  return false;
}

/** The `for` or `as` whose target the name is part of. */
function binderBefore(tokens: readonly Token[], at: number, first: number): string {
  for (let i = at - 1; i >= first; i--) {
    const token = tokens[i];
    if (token?.text === 'for' || token?.text === 'as') return token.text;
    const isPart = token?.kind === 'name' ? !isWordOperator(token.text) : /^[,.*([]$/.test(token?.text ?? '');
    if (!isPart) return '';
  }
  return '';
}

function isWordOperator(text: string): boolean {
  return /^(in|if|else|and|or|not|is|lambda|await|yield|return|for|from|as|with|while|assert|raise|print)$/.test(text);
}

/** A call or a subscript, against a tuple or a list. */
function isCallBracket(tokens: readonly Token[], bracket: number): boolean {
  const before = tokens[bracket - 1];
  if (before === undefined || before.kind === 'newline') return false;
  return (before.kind === 'name' && !isWordOperator(before.text) && before.text !== 'del') || isCloser(before.text);
}

function openerOf(tokens: readonly Token[], closer: number): number {
  let depth = 0;
  for (let i = closer; i >= 0; i--) {
    const text = tokens[i]?.text ?? '';
    if (isCloser(text)) depth++;
    else if (isOpener(text) && --depth === 0) return i;
  }
  return 0;
}

function isOpener(text: string): boolean {
  return text === '(' || text === '[' || text === '{';
}

function isCloser(text: string): boolean {
  return text === ')' || text === ']' || text === '}';
}
