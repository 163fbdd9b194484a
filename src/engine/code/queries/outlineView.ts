import { comparePositions, type LineIndex } from '../../../base/positions.ts';
import type { OutlineSymbol } from '../model.ts';

/**
 * What of a file's symbols a reader wants to see. Servers also list locals, anonymous callbacks and the properties of every
 * object literal; here only named functions and types remain inside of code, and callbacks that carry a title (`describe`, routes).
 */
export function withoutLocals(symbols: readonly OutlineSymbol[], text: LineIndex): OutlineSymbol[] {
  const shown = (symbol: OutlineSymbol, isTopLevel: boolean): OutlineSymbol => ({
    ...symbol,
    children: symbol.children
      .filter((child) => isWorthShowing(symbol, child, isTopLevel, text))
      .sort((a, b) => comparePositions(a.range.start, b.range.start))
      .map((child) => shown(child, false)),
  });
  return symbols.filter((symbol) => isNamed(symbol, text) || isTitled(symbol)).map((symbol) => shown(symbol, true));
}

/** The lines of minified files are as long as the files. */
const maxLookBack = 300;

/** The line that declares a symbol, without its body. */
export function signatureOf(text: LineIndex, symbol: OutlineSymbol): string {
  if (!isNamed(symbol, text)) return symbol.name.replace(/ callback$/, '');
  const nameStart = text.offsetAt(symbol.nameRange.start);
  const lineStart = Math.max(text.offsetAt({ line: symbol.nameRange.start.line, column: 1 }), nameStart - maxLookBack);
  // Several statements can share a line.
  const statementStart = lineStart + text.text.slice(lineStart, nameStart).lastIndexOf(';') + 1;
  // So can properties and destructured names; then the text before the declaration belongs to another.
  const isAlone = /^(?:[\s\w@*#'"?&$]|<[^;{}()]*>|\[\])*$/.test(text.text.slice(statementStart, nameStart));
  const ownStart = Math.max(text.offsetAt(symbol.range.start), statementStart);
  const start = isAlone ? statementStart : Math.min(ownStart, nameStart);
  const end = Math.min(text.offsetAt(symbol.range.end), start + 400);
  const declaration = text.text.slice(start, end);
  const cut =
    symbol.kind === 'type'
      ? endOfType(declaration)
      : holdsValue(symbol)
        ? endOfLine(declaration)
        : endOfHeader(declaration);
  const header = declaration.slice(0, cut).replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/,? \)/g, ')').trim();
  return `${isAlone || start < nameStart ? '' : `${symbol.kind} `}${header.replace(/ ?[={([:,;]+$/, '')}`.slice(0, 160);
}

const typeKinds = new Set([
  'class',
  'interface',
  'enum',
  'struct',
  'module',
  'namespace',
  'package',
  'object',
  'trait',
]);

function isWorthShowing(parent: OutlineSymbol, child: OutlineSymbol, isTopLevel: boolean, text: LineIndex): boolean {
  if (typeKinds.has(parent.kind)) return true;
  if (isTitled(child)) return true;
  if (!isNamed(child, text)) return false;
  if (child.kind === 'property') return isTopLevel && holdsValue(parent);
  return typeKinds.has(child.kind) || child.kind === 'function' || child.kind === 'method';
}

function holdsValue(symbol: OutlineSymbol): boolean {
  return symbol.kind === 'variable' || symbol.kind === 'constant' || symbol.kind === 'property';
}

/** The name stands in the text as it is; `map() callback` does not. */
function isNamed(symbol: OutlineSymbol, text: LineIndex): boolean {
  if (!symbol.name.endsWith(' callback')) return true;
  const written = text.text.slice(text.offsetAt(symbol.nameRange.start), text.offsetAt(symbol.nameRange.end));
  return written === symbol.name;
}

/** `describe("orders") callback` and the like: the text tells what the code is for. */
function isTitled(symbol: OutlineSymbol): boolean {
  return /^[\w.]+\(["'`].*\) callback$/.test(symbol.name);
}

/** Up to the end of the line or the opening of an object: a value is not part of what declares it beyond that. */
function endOfLine(declaration: string): number {
  const end = declaration.search(/\n|;\s*$|=> *\{|\{ *$/m);
  return end === -1 ? declaration.length : end;
}

/** What a type alias stands for belongs to it, as far as its first line goes. */
function endOfType(declaration: string): number {
  const end = declaration.search(/;?\s*(\n|$)/);
  return end === -1 ? declaration.length : end;
}

/** Up to the opening of the body: a `{`, `=>` or Python's `:` outside of brackets, or the end of the line outside of them. */
function endOfHeader(declaration: string): number {
  let depth = 0;
  for (let i = 0; i < declaration.length; i++) {
    const character = declaration.charAt(i);
    // `<-` and `<=` open no list of types.
    if ('([<'.includes(character) && !(character === '<' && /[=-]/.test(declaration.charAt(i + 1)))) depth++;
    else if (
      ')]'.includes(character) ||
      (character === '>' && declaration.charAt(i - 1) !== '=' && declaration.charAt(i - 1) !== '-')
    )
      depth = Math.max(depth - 1, 0);
    if (depth > 0) continue;
    if (character === '{' || character === '\n' || character === ';') return i;
    if (declaration.startsWith('=>', i)) return i;
    if (character === ':' && /^\s*(#.*)?$/.test(declaration.slice(i + 1).split('\n', 1)[0] ?? '')) return i;
  }
  return declaration.length;
}
