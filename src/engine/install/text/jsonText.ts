import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';

/** The text is not what the agent could read either. The message says where. */
export class UnreadableConfig extends Error {
  override readonly name = 'UnreadableConfig';
}

/** The value at a way through objects; undefined when there is none. Throws `UnreadableConfig`. */
export function jsonValue(text: string, path: readonly string[]): unknown {
  const node = nodeAt(rootOf(text), path);
  return node === undefined ? undefined : valueOf(node);
}

/** Sets a value and leaves every other byte alone: comments, order, line ends, trailing commas. */
export function withJsonValue(text: string, path: readonly string[], value: unknown): string {
  if (isBlank(text)) return `${JSON.stringify(nested(path, value), undefined, 2)}\n`;
  const root = rootOf(text);
  const present = nodeAt(root, path);
  const style = styleOf(text, root);
  if (present !== undefined)
    return replaced(text, present.offset, present.offset + present.length, shown(value, text, present.offset, style));
  let depth = path.length - 1;
  let parent = nodeAt(root, path.slice(0, depth));
  while (parent === undefined) parent = nodeAt(root, path.slice(0, --depth));
  if (parent.type !== 'object')
    throw new UnreadableConfig(
      `"${path.slice(0, depth).join('.')}" is not an object (${placeOf(text, parent.offset)})`,
    );
  const [key = '', ...inner] = path.slice(depth);
  return withProperty(text, parent, key, inner.length === 0 ? value : nested(inner, value), style);
}

/** Takes a property out, with what `withJsonValue` put around it. */
export function withoutJsonValue(text: string, path: readonly string[]): string {
  if (isBlank(text)) return text;
  const node = nodeAt(rootOf(text), path);
  const property = node?.parent;
  const owner = property?.parent;
  if (property === undefined || owner?.children === undefined) return text;
  const index = owner.children.indexOf(property);
  const previous = owner.children[index - 1];
  const end = endOf(property);
  const isLast = index === owner.children.length - 1;
  const comma = commaAfter(text, end);
  const before = previous === undefined ? owner.offset + 1 : (commaAfter(text, endOf(previous)) ?? endOf(previous)) + 1;
  // Only blanks directly before it are its own; comments stay.
  const start = Math.max(before, blanksBefore(text, property.offset));
  if (isLast && previous === undefined && text.slice(end, endOf(owner) - 1).trim() === '')
    return replaced(text, start, start === owner.offset + 1 ? endOf(owner) - 1 : end, '');
  if (comma !== undefined) return replaced(text, start, comma + 1, '');
  if (previous === undefined) return replaced(text, start, end, '');
  // The comma that made room for it goes too.
  const previousComma = commaAfter(text, endOf(previous)) ?? endOf(previous);
  return replaced(replaced(text, start, end, ''), previousComma, previousComma + 1, '');
}

interface Style {
  eol: string;
  indent: string;
}

function withProperty(text: string, owner: Node, key: string, value: unknown, style: Style): string {
  const close = endOf(owner) - 1;
  const last = owner.children?.at(-1);
  const ownIndent = indentAt(text, owner.offset);
  if (last === undefined) {
    const inside = text.slice(owner.offset + 1, close).trimEnd();
    const line = `${style.eol}${ownIndent}${style.indent}${property(key, value, ownIndent + style.indent, style)}`;
    return replaced(text, owner.offset + 1 + inside.length, close, `${line}${style.eol}${ownIndent}`);
  }
  const isOneLine = !text.slice(owner.offset, close).includes('\n');
  const comma = commaAfter(text, endOf(last));
  if (isOneLine) {
    const added = `${comma === undefined ? ', ' : ' '}${JSON.stringify(key)}: ${compact(value)}`;
    return replaced(text, (comma ?? endOf(last) - 1) + 1, (comma ?? endOf(last) - 1) + 1, added);
  }
  const indent = indentAt(text, last.offset);
  const line = `${style.eol}${indent}${property(key, value, indent, style)}`;
  // A comment behind the last property belongs to it, so we come after the end of its line.
  const lineEnd = Math.min(endOfLine(text, comma ?? endOf(last)), blanksBefore(text, close));
  const lengthened = replaced(text, lineEnd, lineEnd, comma === undefined ? line : `${line},`);
  return comma === undefined ? replaced(lengthened, endOf(last), endOf(last), ',') : lengthened;
}

function property(key: string, value: unknown, indent: string, style: Style): string {
  return `${JSON.stringify(key)}: ${pretty(value, indent, style)}`;
}

function shown(value: unknown, text: string, offset: number, style: Style): string {
  return typeof value === 'object' ? pretty(value, indentAt(text, offset), style) : JSON.stringify(value);
}

function pretty(value: unknown, indent: string, { eol, indent: unit }: Style): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`);
}

/** On one line, with blanks as people write them. */
function compact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${compact(inner)}`)
    .join(', ')} }`;
}

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined)
    throw new UnreadableConfig(
      `it is not valid JSON: ${printParseErrorCode(error.error)} at ${placeOf(text, error.offset)}`,
    );
  if (root?.type !== 'object') throw new UnreadableConfig('it is not an object');
  return root;
}

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const key of path) {
    const found: Node | undefined = node?.children?.findLast((child) => child.children?.[0]?.value === key);
    node = node?.type === 'object' ? found?.children?.[1] : undefined;
  }
  return node;
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as unknown;
  return Object.fromEntries(
    (node.children ?? []).map(({ children: [key, value] = [] }) => [
      String(key?.value),
      value === undefined ? null : valueOf(value),
    ]),
  );
}

function styleOf(text: string, root: Node): Style {
  const first = root.children?.[0];
  const indent = first === undefined || !isFirstOnLine(text, first.offset) ? '' : indentAt(text, first.offset);
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', indent: indent === '' ? '  ' : indent };
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isFirstOnLine(text: string, offset: number): boolean {
  return /(^|\n)[ \t]*$/.test(text.slice(0, offset));
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** The comma behind a value, past blanks and comments. */
function commaAfter(text: string, offset: number): number | undefined {
  const [gap = ''] = /^(\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(offset)) ?? [];
  return text[offset + gap.length] === ',' ? offset + gap.length : undefined;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function blanksBefore(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
