import type { LineIndex } from '../../../../base/positions.ts';
import type { OutlineSymbol } from '../../model.ts';

/** What ty leaves out of a file's symbols: that a method is a property, and the attributes that methods set on `self`. */
export function repairPythonOutline(symbols: readonly OutlineSymbol[], text: LineIndex): OutlineSymbol[] {
  return symbols.map((symbol) => {
    const children = repairPythonOutline(symbol.children, text);
    if (symbol.kind === 'class') return { ...symbol, children: [...children, ...attributesOf(symbol, children, text)] };
    return { ...symbol, kind: isProperty(symbol, text) ? 'property' : symbol.kind, children };
  });
}

/** They come last, so that the method that sets one is found first around it. */
function attributesOf({ range }: OutlineSymbol, children: readonly OutlineSymbol[], text: LineIndex): OutlineSymbol[] {
  const inner = children.filter(({ kind }) => kind === 'class');
  const isInner = (line: number) =>
    inner.some((child) => child.range.start.line <= line && line <= child.range.end.line);
  const known = new Set(children.map(({ name }) => name));
  const attributes: OutlineSymbol[] = [];
  for (let line = range.start.line; line <= range.end.line; line++) {
    const content = text.lineText(line) ?? '';
    const found = /^(\s+self\.)([\p{L}_][\p{L}\d_]*)\s*(?::|=(?!=))/u.exec(content);
    const name = found?.[2];
    if (name === undefined || known.has(name) || isInner(line)) continue;
    known.add(name);
    const start = { line, column: (found?.[1] ?? '').length + 1 };
    attributes.push({
      name,
      kind: 'field',
      range: { start: { line, column: content.search(/\S/) + 1 }, end: { line, column: content.length + 1 } },
      nameRange: { start, end: { line, column: start.column + name.length } },
      children: [],
    });
  }
  return attributes;
}

function isProperty({ kind, nameRange }: OutlineSymbol, text: LineIndex): boolean {
  if (kind !== 'method') return false;
  for (let line = nameRange.start.line - 1; line > 0; line--) {
    const content = text.lineText(line)?.trim() ?? '';
    if (!content.startsWith('@')) return false;
    if (/^@([\w.]*\.)?(cached_)?property\b|^@\w+\.(setter|getter|deleter)\b/.test(content)) return true;
  }
  return false;
}
