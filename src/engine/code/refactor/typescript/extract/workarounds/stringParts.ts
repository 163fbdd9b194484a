import type ts from 'typescript-classic';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import type { PreparedText } from './preparation.ts';
import { refuse } from '../../../refusals/refuse.ts';

/**
 * A selection within a string or template: the server would take the whole of it. Here the string becomes a template in which the selected
 * part is a literal of its own. Undefined when the selection is none of this.
 */
export function partOfString(path: string, text: string, start: number, end: number): PreparedText | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const token = tokenAt(source, start);
  const whole =
    tsc.isTemplateLiteralToken(token) && !tsc.isNoSubstitutionTemplateLiteral(token) ? template(token) : token;
  if (!tsc.isStringLiteral(whole) && !tsc.isTemplateLiteral(whole)) return undefined;
  const [from, to] = [whole.getStart(source) + 1, whole.getEnd() - 1];
  if (start < from || end > to || start >= end) return undefined;
  if (start === from && end === to) return { text, start: from - 1, end: to + 1 };
  refuseFixed(whole);
  const raw = text.slice(start, end);
  if (tsc.isTemplateExpression(whole) && !isOfWholeSpans(whole, start, end)) return undefined;
  if (!isBoundary(text.slice(from, start)) || !isBoundary(raw)) throw refuse('cutsEscape');
  const isString = tsc.isStringLiteral(whole);
  const isAttribute = tsc.isJsxAttribute(whole.parent);
  if (isAttribute && /[&\\\n]/.test(whole.getText(source))) throw refuse('attributeHasEntities');
  const quote = isString ? text.charAt(from - 1) : quoteOf(source);
  const isPlain = isString || !/\$\{|\n/.test(raw);
  const part = !isPlain ? `\`${raw}\`` : quote + (isString ? raw : asString(raw, quote)) + quote;
  const around = (piece: string): string => (isString ? asTemplate(piece) : piece);
  const head = `${isAttribute ? '{' : ''}\`${around(text.slice(from, start))}\${`;
  const tail = `}${around(text.slice(end, to))}\`${isAttribute ? '}' : ''}`;
  const at = from - 1 + head.length;
  return { text: text.slice(0, from - 1) + head + part + tail + text.slice(to + 1), start: at, end: at + part.length };
}

function template(token: ts.Node): ts.Node {
  const tsc = compiler();
  return tsc.findAncestor(token, tsc.isTemplateExpression) ?? token;
}

/** Where a string must stand as it is written. */
function refuseFixed(whole: ts.Node): void {
  const tsc = compiler();
  const { parent } = whole;
  const isFixed =
    tsc.isTaggedTemplateExpression(parent) ||
    tsc.isLiteralTypeNode(parent) ||
    tsc.isImportDeclaration(parent) ||
    tsc.isExportDeclaration(parent) ||
    tsc.isExternalModuleReference(parent) ||
    tsc.isModuleDeclaration(parent) ||
    tsc.isExpressionStatement(parent) ||
    tsc.isEnumMember(parent) ||
    ('name' in parent && parent.name === whole);
  if (isFixed) throw refuse('stringMustBeWhole');
  if (tsc.isStringLiteral(whole) && /(?<!\\)(?:\\\\)*\\(?:[1-9]|0\d)/.test(whole.getText()))
    throw refuse('octalEscapes');
}

/** Whether a selection has whole `${…}` in it, and does not begin or end within one. */
function isOfWholeSpans({ templateSpans }: ts.TemplateExpression, start: number, end: number): boolean {
  return templateSpans.every((span) => {
    const [from, to] = [span.expression.getFullStart() - 2, span.literal.getStart() + 1];
    return end <= from || to <= start || (start <= from && to <= end);
  });
}

/** Whether a piece of a string is made of whole characters and escape sequences. */
function isBoundary(piece: string): boolean {
  const rest = piece.replace(/\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|\r\n|[^ux])/g, '');
  return !rest.includes('\\') && !/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(rest);
}

/** The inside of a string as the inside of a template. */
function asTemplate(raw: string): string {
  return raw.replace(/\\(['"])|\\[\s\S]|`|\$\{/g, (all, quote: string | undefined) =>
    quote !== undefined ? quote : all === '`' || all === '${' ? `\\${all}` : all,
  );
}

/** The inside of a template as the inside of a string. */
function asString(raw: string, quote: string): string {
  return raw.replace(/\\[`$]|\\[\s\S]|['"]/g, (all) =>
    all === '\\`' || all === '\\$' ? all.charAt(1) : all === quote ? `\\${all}` : all,
  );
}

function quoteOf(source: ts.SourceFile): string {
  const tsc = compiler();
  let found: string | undefined;
  const visit = (node: ts.Node): void => {
    if (tsc.isStringLiteral(node) && !tsc.isJsxAttribute(node.parent)) found ??= node.getText(source).charAt(0);
    if (found === undefined) tsc.forEachChild(node, visit);
  };
  visit(source);
  return found ?? '"';
}
