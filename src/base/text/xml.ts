/**
 * Reads the XML that build files and editors write: elements, attributes, text, comments, CDATA and the five entities with
 * numeric ones. A document type that only names itself, as reports have it, is passed over and never fetched; one that declares
 * anything is refused rather than half understood: no entity is ever defined, so none can explode.
 */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** All text directly inside, trimmed. */
  text: string;
}

export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Deeper files are not written by people or editors; they are attacks on the reader's stack. */
const maxDepth = 200;

export function parseXml(source: string): XmlElement {
  const open: Mutable[] = [];
  let root: Mutable | undefined;
  let at = 0;
  while (at < source.length) {
    const next = source.indexOf('<', at);
    addText(open.at(-1), source.slice(at, next === -1 ? source.length : next));
    if (next === -1) break;
    if (source.startsWith('<!--', next)) {
      at = after(source, '-->', next + 4);
    } else if (source.startsWith('<![CDATA[', next)) {
      at = after(source, ']]>', next);
      const top = open.at(-1);
      if (top !== undefined) top.text += source.slice(next + 9, at - 3);
    } else if (source.startsWith('<?', next)) {
      at = after(source, '?>', next);
    } else if (source.startsWith('<!', next)) {
      at = root === undefined ? afterPlainDocumentType(source, next) : next;
      if (at === next) throw new XmlError('Document types are not read.');
    } else if (source.startsWith('</', next)) {
      at = after(source, '>', next);
      const name = source.slice(next + 2, at - 1).trim();
      const top = open.pop();
      if (top?.name !== name) throw new XmlError(`</${name}> closes <${top?.name ?? 'nothing'}>.`);
    } else {
      const tag = readTag(source, next);
      at = tag.end;
      const parent = open.at(-1);
      if (parent !== undefined) parent.children.push(tag.element);
      else if (root === undefined) root = tag.element;
      else throw new XmlError('There is more than one root element.');
      if (!tag.isEmpty) open.push(tag.element);
      if (open.length > maxDepth) throw new XmlError('The elements are nested too deeply.');
    }
  }
  if (open.length > 0) throw new XmlError(`<${open.at(-1)?.name}> is not closed.`);
  if (root === undefined) throw new XmlError('There is no element.');
  return trimmed(root);
}

/** The first child of that name. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((each) => each.name === name);
}

export function childrenNamed(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((each) => each.name === name) ?? [];
}

interface Mutable {
  name: string;
  attributes: Record<string, string>;
  children: Mutable[];
  text: string;
}

const plainDocumentType = /<!DOCTYPE\s(?:[^<>[\]"']|"[^"<]*"|'[^'<]*')*>/y;

/** Where it ends; where it begins when it declares something. */
function afterPlainDocumentType(source: string, start: number): number {
  plainDocumentType.lastIndex = start;
  return plainDocumentType.test(source) ? plainDocumentType.lastIndex : start;
}

const tagName = /<([A-Za-z_:][\w:.-]*)/y;
const attribute = /\s+([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const tagEnd = /\s*(\/?)>/y;

function readTag(source: string, start: number): { element: Mutable; end: number; isEmpty: boolean } {
  tagName.lastIndex = start;
  const name = tagName.exec(source)?.[1];
  if (name === undefined) throw new XmlError(`"<" at ${start} begins no element.`);
  // Without a prototype: an attribute called __proto__ is an attribute.
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  let at = tagName.lastIndex;
  for (;;) {
    attribute.lastIndex = at;
    const match = attribute.exec(source);
    if (match === null) break;
    attributes[match[1] ?? ''] = decode(match[2] ?? match[3] ?? '');
    at = attribute.lastIndex;
  }
  tagEnd.lastIndex = at;
  const end = tagEnd.exec(source);
  if (end === null) throw new XmlError(`<${name}> at ${start} is malformed.`);
  return { element: { name, attributes, children: [], text: '' }, end: tagEnd.lastIndex, isEmpty: end[1] === '/' };
}

function addText(element: Mutable | undefined, text: string): void {
  if (element !== undefined) element.text += decode(text);
  else if (text.replace(/^\uFEFF/, '').trim() !== '') throw new XmlError('There is text outside the root element.');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-fA-F]+|#\d+|\w+);/g, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  if (found === -1) throw new XmlError(`"${mark}" is missing.`);
  return found + mark.length;
}

function trimmed(element: Mutable): XmlElement {
  return { ...element, text: element.text.trim(), children: element.children.map(trimmed) };
}
