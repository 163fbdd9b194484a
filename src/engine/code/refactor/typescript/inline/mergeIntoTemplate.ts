import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { indentAt, reindented } from '../syntax/indentation.ts';
import { expressionOf } from '../syntax/placement.ts';

/**
 * A value that is written into what is around its place: a literal into a template, an element into another one. Undefined where the
 * value stands by itself.
 */
export function absorbed(node: ts.Node, text: string): { start: number; end: number; text: string } | undefined {
  const tsc = compiler();
  const { parent } = node;
  const source = node.getSourceFile();
  const value = unwrapped(expressionOf(text));
  if (value === undefined) return undefined;
  if (tsc.isTemplateSpan(parent) && !tsc.isTaggedTemplateExpression(parent.parent.parent)) {
    const [start, end] = [parent.pos, parent.literal.getStart(source)];
    const isBare = source.text.slice(start, end).trim() === node.getText(source);
    const written = isBare ? asTemplateText(value) : undefined;
    return written === undefined ? undefined : { start: start - '${'.length, end: end + '}'.length, text: written };
  }
  const isElement = tsc.isJsxElement(value) || tsc.isJsxSelfClosingElement(value) || tsc.isJsxFragment(value);
  const isChild = tsc.isJsxExpression(parent) && (tsc.isJsxElement(parent.parent) || tsc.isJsxFragment(parent.parent));
  if (!isElement || !isChild || !/^\{\s*[\w$]+\s*\}$/.test(parent.getText(source))) return undefined;
  // In parentheses an element begins on a line of its own, as a rule further inside.
  const isOnOwnLine = text.slice(0, text.indexOf(value.getText())).includes('\n');
  const from = indentAt(value.getStart(), value.getSourceFile());
  const written = isOnOwnLine
    ? reindented(value.getText(), from, indentAt(parent.getStart(source), source))
    : value.getText();
  return { start: parent.getStart(source), end: parent.getEnd(), text: written };
}

function unwrapped(value: ts.Expression | undefined): ts.Expression | undefined {
  return value !== undefined && compiler().isParenthesizedExpression(value) ? unwrapped(value.expression) : value;
}

function asTemplateText(value: ts.Expression): string | undefined {
  const tsc = compiler();
  const text = value.getText();
  if (tsc.isNumericLiteral(value)) return /^(?:0|[1-9]\d{0,14})$/.test(text) ? text : undefined;
  if (tsc.isNoSubstitutionTemplateLiteral(value)) return text.slice(1, -1);
  // Escapes of characters by octal numbers, and line ends that are left out, are better left alone.
  if (!tsc.isStringLiteral(value) || /\\[0-9\r\n]/.test(text)) return undefined;
  return text
    .slice(1, -1)
    .replace(/\\(["'])/g, '$1')
    .replace(/`|\$\{/g, '\\$&');
}
