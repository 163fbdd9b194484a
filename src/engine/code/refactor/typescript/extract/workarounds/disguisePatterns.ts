import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../../../base/positions.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { type Change, textWith } from '../../syntax/textChange.ts';
import { indentAt, reindented } from '../../syntax/indentation.ts';
import { withLostWrites } from './returnDestructuredWrites.ts';
import type { Disguise } from './preparation.ts';

const mark = '__taken';

/**
 * The server hands back variables that the selection declares one by one, but none that a pattern declares (`const { a, b } = c`): it
 * calls them exported. So each pattern is shown to it as single variables, and put back into what it answers. Undefined when no
 * statement that is selected declares constants by a pattern.
 */
export function hidePatterns(path: string, before: LineIndex, range: Range, name: string): Disguise | undefined {
  const tsc = compiler();
  const source = parse(path, before.text);
  const [start, end] = [before.offsetAt(range.start), before.offsetAt(range.end)];
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const block = tsc.findAncestor(tokenAt(source, start), (node) => tsc.isBlock(node) && !isSelected(node));
  if (block === undefined || !tsc.isBlock(block)) return undefined;
  const hidden: { text: string; indent: string; count: number }[] = [];
  const edits: Change[] = [];
  for (const statement of block.statements.filter(isSelected)) {
    if (!tsc.isVariableStatement(statement) || (statement.declarationList.flags & tsc.NodeFlags.Const) === 0) continue;
    for (const one of statement.declarationList.declarations) {
      if (tsc.isIdentifier(one.name) || one.initializer === undefined) continue;
      const whole = `${mark}${hidden.length}`;
      const parts = partsOf(one.name, whole, source);
      if (parts === undefined) return undefined;
      const type = one.type === undefined ? '' : `: ${one.type.getText(source)}`;
      const text = [`${whole}${type} = ${one.initializer.getText(source)}`, ...parts].join(', ');
      hidden.push({ text: one.getText(source), indent: indentAt(one.getStart(source), source), count: parts.length });
      edits.push({ start: one.getStart(source), end: one.getEnd(), text });
    }
  }
  if (hidden.length === 0) return undefined;
  const text = textWith(before.text, edits);
  const reveal = (after: string): string | undefined => {
    const shown = showPatterns(path, after, hidden);
    return shown === undefined ? undefined : (withLostWrites(path, shown, name) ?? shown);
  };
  return { text, start, end: end + text.length - before.text.length, reveal };
}

/** `a = whole["a"]`, …: what a pattern takes; undefined when that depends on a value. */
function partsOf(pattern: ts.BindingPattern, whole: string, source: ts.SourceFile): string[] | undefined {
  const tsc = compiler();
  const found: string[] = [];
  for (const [index, one] of pattern.elements.entries()) {
    if (!tsc.isBindingElement(one)) continue;
    const key = one.propertyName ?? one.name;
    if (tsc.isComputedPropertyName(key)) return undefined;
    const member = tsc.isArrayBindingPattern(pattern)
      ? `[${index}]`
      : `[${tsc.isIdentifier(key) ? `'${key.text}'` : key.getText(source)}]`;
    const taken = one.dotDotDotToken === undefined ? `${whole}${member}` : whole;
    const value = one.initializer === undefined ? taken : `(${taken} ?? ${one.initializer.getText(source)})`;
    const parts = tsc.isIdentifier(one.name) ? [`${one.name.text} = ${value}`] : partsOf(one.name, value, source);
    if (parts === undefined) return undefined;
    found.push(...parts);
  }
  return found;
}

function showPatterns(
  path: string,
  text: string,
  hidden: readonly { text: string; indent: string; count: number }[],
): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const edits: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isVariableDeclarationList(node))
      for (const [index, one] of node.declarations.entries()) {
        const known = one.name.getText(source).startsWith(mark)
          ? hidden[Number(one.name.getText(source).slice(mark.length))]
          : undefined;
        const last = node.declarations[index + (known?.count ?? 0)];
        if (known === undefined || last === undefined) continue;
        const start = one.getStart(source);
        const shown = reindented(known.text, known.indent, indentAt(start, source));
        edits.push({ start, end: last.getEnd(), text: shown });
      }
    tsc.forEachChild(node, visit);
  };
  visit(source);
  const shown = textWith(text, edits);
  return edits.length === hidden.length && !shown.includes(mark) ? shown : undefined;
}
