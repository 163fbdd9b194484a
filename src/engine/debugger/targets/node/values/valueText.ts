import { clip } from '../../../../../base/text/textBudget.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ValueLimits } from '../../../model.ts';

/** How V8's values read, from what came over the wire with them; nothing more is asked for. */
type RemoteObject = Protocol.Runtime.RemoteObject;

export function typeName(object: RemoteObject): string {
  if (object.subtype === 'null') return 'null';
  if (object.type === 'object') {
    const description = object.description ?? object.className ?? 'object';
    return object.subtype === 'error' || description.length > 80
      ? (object.className ?? 'Error')
      : (description.split('\n')[0] ?? 'object');
  }
  return object.type;
}

export function isExpandable(object: RemoteObject): boolean {
  return (
    object.objectId !== undefined &&
    (object.type === 'object' || object.type === 'function') &&
    object.subtype !== 'null'
  );
}

/** An instance of some class; V8 tells private fields only when asked for all properties. */
export function mayHavePrivateFields(object: RemoteObject): boolean {
  return object.type === 'object' && object.subtype === undefined && object.className !== 'Object';
}

/** Elements of an array, typed array, Map or Set, as V8 says in the description: `Array(3)`. */
export function indexedCount(object: RemoteObject): number | undefined {
  if (!['array', 'typedarray', 'map', 'set'].includes(object.subtype ?? '')) return undefined;
  const count = /\((\d+)\)$/.exec(object.description ?? '')?.[1];
  return count === undefined ? undefined : Number(count);
}

export function isList(object: RemoteObject): boolean {
  return object.subtype === 'array' || object.subtype === 'typedarray';
}

export function primitive(object: RemoteObject, limits: ValueLimits): string {
  if (object.subtype === 'null') return 'null';
  if (object.type === 'string') {
    const value: unknown = object.value;
    return quote(typeof value === 'string' ? value : '', limits.maxStringChars);
  }
  if (object.type === 'undefined') return 'undefined';
  if (object.type === 'function') return describeFunction(object.description ?? '');
  return object.description ?? object.unserializableValue ?? String(object.value);
}

function quote(text: string, maxChars: number): string {
  if (text.length <= maxChars) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, maxChars))}… (${text.length} chars)`;
}

export function describeFunction(source: string): string {
  const head = source.split('\n')[0] ?? '';
  if (head.startsWith('class ')) return clip(head.replace(/\s*\{.*$/, ''), 60);
  const named = /^(async\s+)?(?:function\s*)?(\*?\s*[\w$#]*)\s*\(([^)]*)\)?/.exec(head);
  if (named === null) return `ƒ ${clip(head, 40)}`;
  return `${named[1] ?? ''}ƒ ${clip(`${named[2] ?? ''}(${named[3] ?? ''})`, 60)}`;
}

/** Values whose description says it all. */
export function describeSpecial(object: RemoteObject, limits: ValueLimits): string | undefined {
  const description = object.description ?? '';
  const subtype = object.subtype ?? '';
  if (subtype === 'error') return clip(description.split('\n    at ')[0] ?? description, limits.maxStringChars);
  return selfDescribing.has(subtype) ? description : undefined;
}

const selfDescribing = new Set([
  'regexp',
  'date',
  'weakmap',
  'weakset',
  'arraybuffer',
  'dataview',
  'webassemblymemory',
]);

export function shallow(object: RemoteObject): string {
  const count = indexedCount(object);
  if (object.subtype === 'array') return count === 0 ? '[]' : `Array(${count ?? '?'})`;
  const name = object.description ?? object.className ?? 'Object';
  return name === 'Object' ? '{…}' : count === undefined ? `${name} {…}` : name;
}

export function wrap(object: RemoteObject, inside: string): string {
  const description = object.description ?? 'Object';
  if (object.subtype === 'array') return `${description.startsWith('Array(') ? '' : `${description} `}[${inside}]`;
  if (object.subtype === 'typedarray') return `${description} [${inside}]`;
  return `${description === 'Object' ? '' : `${description} `}{${inside}}`;
}

export function hasNestedObjects(preview: Protocol.Runtime.ObjectPreview): boolean {
  return preview.properties.some(
    (property) =>
      (property.type === 'object' && property.subtype !== 'null') ||
      (property.type === 'string' && (property.value?.length ?? 0) >= 100),
  );
}

export function renderPreview(
  object: RemoteObject,
  preview: Protocol.Runtime.ObjectPreview,
  limits: ValueLimits,
): string {
  const isElements = isList(object);
  if (preview.entries !== undefined) {
    const shown = preview.entries.slice(0, limits.maxItems);
    const parts = shown.map((entry) =>
      entry.key === undefined
        ? previewValue(entry.value)
        : `${previewValue(entry.key)} => ${previewValue(entry.value)}`,
    );
    const more = (indexedCount(object) ?? shown.length) - shown.length;
    if (more > 0) parts.push(`… +${more}`);
    return `${object.description ?? 'Map'} {${parts.join(', ')}}`;
  }
  const shown = preview.properties.slice(0, limits.maxItems);
  const parts = shown.map((property) =>
    isElements && /^\d+$/.test(property.name)
      ? previewProperty(property)
      : `${keyText(property.name)}: ${previewProperty(property)}`,
  );
  const total = indexedCount(object);
  const more = (total ?? preview.properties.length) - shown.length;
  if (more > 0) parts.push(`… +${more}`);
  else if (preview.overflow) parts.push('…');
  return wrap(object, parts.join(', '));
}

function previewProperty(property: Protocol.Runtime.PropertyPreview): string {
  if (property.type === 'accessor') return '[getter]';
  if (property.type === 'string') return JSON.stringify(property.value ?? '');
  if (property.type === 'function') return 'ƒ';
  if (property.type === 'object' && property.subtype !== 'null')
    return property.value === 'Object' ? '{…}' : (property.value ?? '{…}');
  return property.value ?? 'undefined';
}

function previewValue(preview: Protocol.Runtime.ObjectPreview): string {
  if (preview.type === 'string') return JSON.stringify(preview.description ?? '');
  if (preview.type !== 'object' || preview.subtype === 'null') return preview.description ?? 'undefined';
  const isList = preview.subtype === 'array';
  const parts = preview.properties.map((property) =>
    isList ? previewProperty(property) : `${keyText(property.name)}: ${previewProperty(property)}`,
  );
  if (preview.overflow) parts.push('…');
  const name = preview.description === 'Object' || isList ? '' : `${preview.description ?? ''} `;
  return isList ? `[${parts.join(', ')}]` : `${name}{${parts.join(', ')}}`;
}

export function keyText(name: string): string {
  return /^[A-Za-z_$#][\w$]*$|^\d+$|^Symbol\(/.test(name) ? name : JSON.stringify(name);
}

export function childPath(parent: string | undefined, name: string): string | undefined {
  if (parent === undefined || name.startsWith('[[') || name.startsWith('Symbol(')) return undefined;
  if (/^\d+$/.test(name)) return `${parent}[${name}]`;
  return /^[A-Za-z_$#][\w$]*$/.test(name) ? `${parent}.${name}` : `${parent}[${JSON.stringify(name)}]`;
}
