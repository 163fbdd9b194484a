import type ts from 'typescript-classic';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import type { PreparedText } from './workarounds/preparation.ts';
import { refuse } from '../../refusals/refuse.ts';

/** A name as it stands where a node stood: among the children of an element, or as the value of an attribute, in braces. */
export function standIn(node: ts.Node, name: string): string {
  const tsc = compiler();
  const { parent } = node;
  return tsc.isJsxElement(parent) || tsc.isJsxFragment(parent) || tsc.isJsxAttribute(parent) ? `{${name}}` : name;
}

/**
 * A selection within an element that is no expression of its own: `{…}` with its braces, several children, a piece of text, an attribute
 * whose string says something else in code. Undefined when the selection is none of this.
 */
export function partOfJsx(path: string, text: string, start: number, end: number): PreparedText | undefined {
  const tsc = compiler();
  if (!/\.[jt]sx$/.test(path) && !path.endsWith('.js')) return undefined;
  const source = parse(path, text);
  const replaced = (from: number, to: number, [before, part, behind]: [string, string, string]): PreparedText => ({
    text: text.slice(0, from) + before + part + behind + text.slice(to),
    start: from + before.length,
    end: from + before.length + part.length,
  });
  const token = tokenAt(source, start);
  const isWhole = (node: ts.Node): boolean => node.getStart(source) === start && node.getEnd() === end;
  if (tsc.isStringLiteral(token) && tsc.isJsxAttribute(token.parent) && isWhole(token)) {
    const raw = text.slice(start + 1, end - 1);
    return /[&\\\n]/.test(raw) ? replaced(start, end, ['{', JSON.stringify(decoded(raw)), '}']) : undefined;
  }
  const holder = tsc.findAncestor(
    token,
    (node): node is ts.JsxElement | ts.JsxFragment =>
      (tsc.isJsxElement(node) || tsc.isJsxFragment(node)) && node.getStart(source) < start && end < node.getEnd(),
  );
  if (holder === undefined) return undefined;
  const children = holder.children.filter((one) => one.pos < end && start < one.end && !isBlank(one));
  const [first, last] = [children[0], children.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (first === last) {
    if (tsc.isJsxExpression(first) && first.expression !== undefined && isWhole(first))
      return { text, start: first.expression.getStart(source), end: first.expression.getEnd() };
    if (!tsc.isJsxText(first)) return undefined;
    refuseAcrossLines(text.slice(first.pos, start), text.slice(end, first.end), text.slice(start, end));
    return replaced(start, end, ['{', JSON.stringify(decoded(text.slice(start, end))), '}']);
  }
  if (startOf(first, source) !== start || endOf(last) !== end) return undefined;
  return replaced(start, end, ['', `<>${text.slice(start, end)}</>`, '']);
}

function isBlank(node: ts.Node): boolean {
  return compiler().isJsxText(node) && node.text.trim() === '';
}

function startOf(child: ts.Node, source: ts.SourceFile): number {
  return compiler().isJsxText(child) ? child.pos + child.text.search(/\S/) : child.getStart(source);
}

function endOf(child: ts.Node): number {
  return compiler().isJsxText(child) ? child.pos + child.text.trimEnd().length : child.getEnd();
}

/** Where text goes on over the end of a line, the line end is a blank, which it is no more beside braces. */
function refuseAcrossLines(before: string, behind: string, selected: string): void {
  const isParted = /\S\s*\n\s*$/.test(before) || /^\s*\n\s*\S/.test(behind) || selected.includes('\n');
  if (isParted) throw refuse('textOverLineEnd');
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

function decoded(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    const known = entities.get(name ?? '');
    if (known === undefined) throw refuse('unknownEntity', { entity: all });
    return known;
  });
}
