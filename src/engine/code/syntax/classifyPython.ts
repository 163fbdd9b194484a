import type { ClassifyHints, ReferenceKind } from './classify.ts';
import type { Token } from './tokens.ts';

export function classifyPython(tokens: readonly Token[], at: number, hints: ClassifyHints): ReferenceKind {
  const text = (index: number) => tokens[index]?.text ?? '';
  const previous = text(at - 1);
  const next = text(at + 1);
  if (previous === 'def' || previous === 'class') return 'declaration';
  const line = logicalLine(tokens, at);
  const first = text(line.first);
  if (first === 'import' || first === 'from') return 'import';
  if (line.decorated && line.first === at - 1) return 'call';
  if (first === 'class' && line.depth > 0)
    return next === '=' ? 'read' : isSubscripted(tokens, at, line.first) ? 'type' : 'inheritance';
  if (isAnnotation(tokens, at, line)) return 'type';
  if (next === '(') return 'call';
  if (line.depth === 0 && (/^(=|[-+*/%&|^@]=|\/\/=|\*\*=|:=)$/.test(next) || (next === ':' && at === line.first)))
    return 'write';
  if (next === ':=') return 'write';
  if (line.depth === 0 && isTupleTarget(tokens, at, line.first)) return 'write';
  if (previous === 'as' || first === 'del' || first === 'global' || first === 'nonlocal') return 'write';
  if (previous === 'for' || (first === 'for' && isBeforeIn(tokens, at, line.first))) return 'write';
  if (hints.isOnlyType) return 'type';
  return 'read';
}

interface LogicalLine {
  first: number;
  /** Brackets open at the token, within its logical line. */
  depth: number;
  decorated: boolean;
}

/** Line ends inside brackets do not end a statement. */
function logicalLine(tokens: readonly Token[], at: number): LogicalLine {
  let balance = 0;
  let lowest = 0;
  let first = at;
  for (let i = at - 1; i >= 0 && at - i < 3000; i--) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.kind === 'newline') {
      // Unbalanced closers mean we are still inside a bracket that opened further up; only a balanced line end can end it.
      if (balance <= 0 && !opensBefore(tokens, i)) break;
      continue;
    }
    if (token.text === ';' && balance === 0) break;
    if (/^[)\]}]$/.test(token.text)) balance++;
    else if (/^[([{]$/.test(token.text)) {
      balance--;
      lowest = Math.min(lowest, balance);
    }
    first = i;
  }
  return { first, depth: -lowest, decorated: tokens[first]?.text === '@' };
}

/** Whether a bracket is still open at this line end: looks back to the nearest line that starts a statement. */
function opensBefore(tokens: readonly Token[], newlineAt: number): boolean {
  let balance = 0;
  for (let i = newlineAt - 1; i >= 0 && newlineAt - i < 1500; i--) {
    const token = tokens[i];
    if (token === undefined) return false;
    if (/^[)\]}]$/.test(token.text)) balance++;
    else if (/^[([{]$/.test(token.text)) {
      if (balance === 0) return true;
      balance--;
    } else if (balance === 0 && token.kind === 'newline') {
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

function isAnnotation(tokens: readonly Token[], at: number, line: LogicalLine): boolean {
  const first = tokens[line.first]?.text ?? '';
  const isDef = first === 'def' || first === 'async';
  let depth = 0;
  for (let i = at - 1; i >= line.first; i--) {
    const text = tokens[i]?.text ?? '';
    if (text === ']') depth++;
    else if (text === '[') depth = Math.max(depth - 1, 0);
    if (depth > 0) continue;
    if (text === '->') return true;
    if (text === '=' || text === '{' || text === 'lambda') return false;
    if (text === ':')
      return (
        isDef ||
        (line.depth === 0 && isPlainTarget(tokens, line.first, i)) ||
        (line.depth <= depthOfBrackets(tokens, i, at) && isPlainTarget(tokens, line.first, i))
      );
    if (text === '(' || (text === ',' && !isInsideSquare(tokens, i, line.first))) return false;
  }
  return false;
}

function depthOfBrackets(tokens: readonly Token[], from: number, to: number): number {
  let depth = 0;
  for (let i = from; i < to; i++) {
    if (tokens[i]?.text === '[') depth++;
    else if (tokens[i]?.text === ']') depth--;
  }
  return depth;
}

/** `name:` or `self.name:` at the start of a statement: an annotated target. */
function isPlainTarget(tokens: readonly Token[], first: number, colonAt: number): boolean {
  for (let i = first; i < colonAt; i++) if (tokens[i]?.kind !== 'name' && tokens[i]?.text !== '.') return false;
  return !/^(if|else|elif|for|while|with|try|except|finally|lambda|match|case)$/.test(tokens[first]?.text ?? '');
}

function isInsideSquare(tokens: readonly Token[], at: number, first: number): boolean {
  let depth = 0;
  for (let i = at - 1; i >= first; i--) {
    const text = tokens[i]?.text ?? '';
    if (/^[)\]}]$/.test(text)) depth++;
    else if (/^[([{]$/.test(text)) {
      if (depth === 0) return text === '[';
      depth--;
    }
  }
  return false;
}

/** `class A(Base[T])`: T is a type argument. */
function isSubscripted(tokens: readonly Token[], at: number, first: number): boolean {
  return isInsideSquare(tokens, at, first);
}

/** `a, b = 1, 2` */
function isTupleTarget(tokens: readonly Token[], at: number, first: number): boolean {
  for (let i = first; i < at; i++)
    if (tokens[i]?.kind !== 'name' && !/^[,.*]$/.test(tokens[i]?.text ?? '')) return false;
  if (tokens[at - 1]?.text !== ',' && tokens[at + 1]?.text !== ',') return false;
  for (let i = at + 1; i < tokens.length; i++) {
    const token = tokens[i];
    if (token?.text === '=') return true;
    if (token === undefined || (token.kind !== 'name' && !/^[,.*]$/.test(token.text))) return false;
  }
  return false;
}

function isBeforeIn(tokens: readonly Token[], at: number, first: number): boolean {
  for (let i = first; i < at; i++) if (tokens[i]?.text === 'in') return false;
  return tokens[at - 1]?.text !== '.';
}
