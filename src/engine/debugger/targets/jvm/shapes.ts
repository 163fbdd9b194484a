import { isObject, type JdwpValue, type ObjectValue } from '../../../../protocol/jdwp/packets.ts';
import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { ClassField, Classes } from './classes.ts';
import { isSynthetic } from './classes.ts';

/** What an object is to a person who reads it. Everything is read from its fields: nothing in the program is called for it. */
export type Shape =
  | { kind: 'text'; text: string }
  | { kind: 'list'; size: number; items(start: number, count: number): Promise<JdwpValue[]> }
  | { kind: 'map'; size: number; entries(count: number): Promise<[JdwpValue, JdwpValue][]> }
  | { kind: 'holder'; held: JdwpValue | undefined }
  | { kind: 'record'; fields: NamedValue[] }
  | { kind: 'enum'; name: string }
  | { kind: 'object'; fields: NamedValue[] };

interface NamedValue {
  name: string;
  value: JdwpValue;
  field: ClassField;
}

const nothing: ObjectValue = { tag: 'L', objectId: 0 };
/** A broken chain must not be followed for ever. */
const maxChain = 100_000;

/** Reads the insides of objects, and knows those of the platform's collections. */
export class Shapes {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;

  constructor(machine: JdwpMachine, classes: Classes) {
    this.#machine = machine;
    this.#classes = classes;
  }

  async of(object: ObjectValue, classId: number, className: string): Promise<Shape> {
    const fields = await this.fieldsOf(object, classId);
    const values = new Map(fields.map(({ name, value }) => [name, value]));
    const known = await this.#known(className, values);
    if (known !== undefined) return known;
    const kinds = await this.#classes.kinds(classId);
    if (kinds.has('java.lang.Enum')) return { kind: 'enum', name: await this.text(values.get('name')) };
    const own = fields.filter(({ field }) => !isSynthetic(field) || field.name.startsWith('val$'));
    return { kind: kinds.has('java.lang.Record') ? 'record' : 'object', fields: own };
  }

  async fieldsOf(object: ObjectValue, classId: number): Promise<NamedValue[]> {
    const fields = await this.#classes.instanceFields(classId);
    if (fields.length === 0) return [];
    const values = await this.#machine.values(
      object.objectId,
      fields.map(({ fieldId }) => fieldId),
    );
    return fields.map((field, index) => ({ name: field.name, value: values[index] ?? nothing, field }));
  }

  /** A field of an object by its name. */
  async field(value: JdwpValue | undefined, name: string): Promise<JdwpValue | undefined> {
    if (value === undefined || !isObject(value) || value.objectId === 0) return undefined;
    const { classId } = await this.#machine.classOf(value.objectId);
    const field = (await this.#classes.instanceFields(classId)).findLast((each) => each.name === name);
    return field === undefined ? undefined : (await this.#machine.values(value.objectId, [field.fieldId]))[0];
  }

  async text(value: JdwpValue | undefined): Promise<string> {
    return value !== undefined && isObject(value) && value.tag === 's' && value.objectId !== 0
      ? this.#machine.stringValue(value.objectId)
      : '';
  }

  // eslint-disable-next-line complexity -- one line for each kind of collection
  async #known(className: string, values: ReadonlyMap<string, JdwpValue>): Promise<Shape | undefined> {
    const get = (name: string) => values.get(name);
    switch (className) {
      case 'java.util.ArrayList':
      case 'java.util.Vector':
      case 'java.util.Stack':
        return this.#array(get('elementData'), number(get('size') ?? get('elementCount')));
      case 'java.util.PriorityQueue':
        return this.#array(get('queue'), number(get('size')));
      case 'java.util.Arrays$ArrayList':
        return this.#array(get('a'));
      case 'java.util.concurrent.CopyOnWriteArrayList':
        return this.#array(get('array'));
      case 'java.util.ImmutableCollections$ListN':
      case 'java.util.ImmutableCollections$SetN':
        return this.#array(get('elements'), undefined, className.endsWith('SetN'));
      case 'java.util.ImmutableCollections$List12':
      case 'java.util.ImmutableCollections$Set12':
        return this.#pair(get('e0'), get('e1'));
      case 'java.util.ArrayList$SubList':
      case 'java.util.AbstractList$SubList':
      case 'java.util.AbstractList$RandomAccessSubList':
      case 'java.util.ImmutableCollections$SubList':
        return this.#part(get('root'), number(get('offset')), number(get('size')));
      case 'java.util.ImmutableCollections$MapN':
        return this.#flatMap(get('table'));
      case 'java.util.ImmutableCollections$Map1':
        return oneEntry(get('k0') ?? nothing, get('v0') ?? nothing);
      case 'java.util.LinkedList':
        return this.#chain(get('first'), 'next', 'item', number(get('size')));
      case 'java.util.ArrayDeque':
        return this.#deque(get('elements'), number(get('head')), number(get('tail')));
      case 'java.util.HashMap':
      case 'java.util.LinkedHashMap':
      case 'java.util.TreeMap':
      case 'java.util.concurrent.ConcurrentHashMap':
      case 'java.util.Hashtable':
        return this.#map(className, values);
      case 'java.util.HashSet':
      case 'java.util.LinkedHashSet':
        return this.#keysOf(get('map'));
      case 'java.util.TreeSet':
        return this.#keysOf(get('m'));
      case 'java.util.Optional':
        return { kind: 'holder', held: isNull(get('value')) ? undefined : get('value') };
      case 'java.util.concurrent.atomic.AtomicInteger':
      case 'java.util.concurrent.atomic.AtomicLong':
      case 'java.util.concurrent.atomic.AtomicReference':
        return { kind: 'holder', held: get('value') };
      case 'java.lang.StringBuilder':
      case 'java.lang.StringBuffer':
        return { kind: 'text', text: JSON.stringify(await this.#built(values)) };
      case 'java.math.BigInteger':
        return { kind: 'text', text: String(await this.#bigInteger(values)) };
      case 'java.math.BigDecimal':
        return { kind: 'text', text: await this.#bigDecimal(values) };
      default:
        return this.#wrapped(className, values);
    }
  }

  /** Views that only pass on: unmodifiable and synchronized ones. */
  async #wrapped(className: string, values: ReadonlyMap<string, JdwpValue>): Promise<Shape | undefined> {
    if (!/^java\.util\.Collections\$(Unmodifiable|Synchronized)/.test(className)) return undefined;
    const inner = values.get('list') ?? values.get('c') ?? values.get('m');
    if (inner === undefined || !isObject(inner) || inner.objectId === 0) return undefined;
    const { classId } = await this.#machine.classOf(inner.objectId);
    return this.of(inner, classId, await this.#classes.nameOf(classId));
  }

  async #part(root: JdwpValue | undefined, offset: number, size: number): Promise<Shape | undefined> {
    if (root === undefined || !isObject(root) || root.objectId === 0) return undefined;
    const { classId } = await this.#machine.classOf(root.objectId);
    const whole = await this.of(root, classId, await this.#classes.nameOf(classId));
    if (whole.kind !== 'list') return undefined;
    return { kind: 'list', size, items: (start, count) => whole.items(offset + start, Math.min(count, size - start)) };
  }

  async #array(array: JdwpValue | undefined, size?: number, skipNull = false): Promise<Shape | undefined> {
    if (array === undefined || !isObject(array) || array.objectId === 0) return undefined;
    const { objectId } = array;
    const length = size ?? (await this.#machine.arrayLength(objectId));
    if (!skipNull)
      return { kind: 'list', size: length, items: (start, count) => this.items(objectId, length, start, count) };
    const all = (await this.items(objectId, length, 0, length)).filter((value) => !isNull(value));
    return listOf(all);
  }

  async items(arrayId: number, length: number, start: number, count: number): Promise<JdwpValue[]> {
    const wanted = Math.min(count, length - start);
    return wanted <= 0 ? [] : this.#machine.arrayValues(arrayId, start, wanted);
  }

  async #pair(first: JdwpValue | undefined, second: JdwpValue | undefined): Promise<Shape> {
    const all = [first ?? nothing, second ?? nothing];
    // The absent second is marked by an object of no class of its own.
    const isMark =
      second !== undefined && isObject(second) && second.objectId !== 0 && (await this.#isPlainObject(second));
    return listOf(isMark || isNull(second) ? all.slice(0, 1) : all);
  }

  async #isPlainObject(value: ObjectValue): Promise<boolean> {
    const { classId } = await this.#machine.classOf(value.objectId);
    return (await this.#classes.nameOf(classId)) === 'java.lang.Object';
  }

  async #flatMap(table: JdwpValue | undefined): Promise<Shape | undefined> {
    if (table === undefined || !isObject(table) || table.objectId === 0) return undefined;
    const all = await this.#machine.arrayValues(table.objectId, 0, await this.#machine.arrayLength(table.objectId));
    const entries: [JdwpValue, JdwpValue][] = [];
    for (let at = 0; at + 1 < all.length; at += 2)
      if (!isNull(all[at])) entries.push([all[at] ?? nothing, all[at + 1] ?? nothing]);
    return { kind: 'map', size: entries.length, entries: (count) => Promise.resolve(entries.slice(0, count)) };
  }

  #chain(first: JdwpValue | undefined, next: string, item: string, size: number): Shape {
    return {
      kind: 'list',
      size,
      items: async (start, count) => {
        const found: JdwpValue[] = [];
        let node = first;
        for (let index = 0; !isNull(node) && index < Math.min(start + count, maxChain); index++) {
          if (index >= start) found.push((await this.field(node, item)) ?? nothing);
          node = await this.field(node, next);
        }
        return found;
      },
    };
  }

  async #deque(array: JdwpValue | undefined, head: number, tail: number): Promise<Shape | undefined> {
    if (array === undefined || !isObject(array) || array.objectId === 0) return undefined;
    const length = await this.#machine.arrayLength(array.objectId);
    const size = (tail - head + length) % length;
    return {
      kind: 'list',
      size,
      items: async (start, count) => {
        const all = await this.#machine.arrayValues(array.objectId, 0, length);
        const wanted = Math.min(count, size - start);
        return Array.from({ length: Math.max(wanted, 0) }, (_, at) => all[(head + start + at) % length] ?? nothing);
      },
    };
  }

  #map(className: string, values: ReadonlyMap<string, JdwpValue>): Shape {
    const isTree = className === 'java.util.TreeMap';
    const size = number(values.get('size') ?? values.get('count') ?? values.get('baseCount'));
    return {
      kind: 'map',
      size,
      entries: (count) =>
        isTree
          ? this.#treeEntries(values.get('root'), count)
          : values.has('head')
            ? this.#linkedEntries(values.get('head'), count)
            : this.#tableEntries(values.get('table'), count),
    };
  }

  async #tableEntries(table: JdwpValue | undefined, count: number): Promise<[JdwpValue, JdwpValue][]> {
    if (table === undefined || !isObject(table) || table.objectId === 0) return [];
    const buckets = await this.#machine.arrayValues(table.objectId, 0, await this.#machine.arrayLength(table.objectId));
    const found: [JdwpValue, JdwpValue][] = [];
    for (const bucket of buckets) {
      for (let node: JdwpValue | undefined = bucket; !isNull(node); node = await this.field(node, 'next')) {
        if (found.length >= count) return found;
        found.push(await this.#entry(node));
      }
    }
    return found;
  }

  async #linkedEntries(head: JdwpValue | undefined, count: number): Promise<[JdwpValue, JdwpValue][]> {
    const found: [JdwpValue, JdwpValue][] = [];
    for (let node = head; !isNull(node) && found.length < count; node = await this.field(node, 'after'))
      found.push(await this.#entry(node));
    return found;
  }

  /** In the order of the keys. */
  async #treeEntries(root: JdwpValue | undefined, count: number): Promise<[JdwpValue, JdwpValue][]> {
    const found: [JdwpValue, JdwpValue][] = [];
    const path: JdwpValue[] = [];
    let node = root;
    while ((!isNull(node) || path.length > 0) && found.length < count) {
      while (node !== undefined && !isNull(node) && path.length < maxChain) {
        path.push(node);
        node = await this.field(node, 'left');
      }
      const next = path.pop();
      found.push(await this.#entry(next));
      node = await this.field(next, 'right');
    }
    return found;
  }

  async #entry(node: JdwpValue | undefined): Promise<[JdwpValue, JdwpValue]> {
    const [key, value] = await Promise.all([this.field(node, 'key'), this.field(node, 'value')]);
    return [key ?? nothing, value ?? (await this.field(node, 'val')) ?? nothing];
  }

  async #keysOf(map: JdwpValue | undefined): Promise<Shape | undefined> {
    if (map === undefined || !isObject(map) || map.objectId === 0) return undefined;
    const { classId } = await this.#machine.classOf(map.objectId);
    const shape = await this.of(map, classId, await this.#classes.nameOf(classId));
    if (shape.kind !== 'map') return undefined;
    return {
      kind: 'list',
      size: shape.size,
      items: async (start, count) => (await shape.entries(start + count)).slice(start).map(([key]) => key),
    };
  }

  async #built(values: ReadonlyMap<string, JdwpValue>): Promise<string> {
    const array = values.get('value');
    const count = number(values.get('count'));
    if (array === undefined || !isObject(array) || array.objectId === 0 || count === 0) return '';
    const isWide = number(values.get('coder')) === 1;
    const bytes = await this.#machine.arrayValues(array.objectId, 0, isWide ? count * 2 : count);
    const buffer = Buffer.from(bytes.map((byte) => number(byte) & 0xff));
    return isWide ? buffer.toString('utf16le') : buffer.toString('latin1');
  }

  async #bigInteger(values: ReadonlyMap<string, JdwpValue>): Promise<bigint> {
    const array = values.get('mag');
    const length = array !== undefined && isObject(array) ? await this.#machine.arrayLength(array.objectId) : 0;
    const parts =
      array !== undefined && isObject(array) && length > 0
        ? await this.#machine.arrayValues(array.objectId, 0, length)
        : [];
    const size = parts.reduce((sum, part) => (sum << 32n) | BigInt(number(part) >>> 0), 0n);
    return size * BigInt(number(values.get('signum')));
  }

  async #bigDecimal(values: ReadonlyMap<string, JdwpValue>): Promise<string> {
    const compact = values.get('intCompact');
    const isInflated = compact === undefined || isObject(compact) || compact.value === -(2n ** 63n);
    const inner = values.get('intVal');
    let unscaled = compact === undefined || isObject(compact) ? 0n : BigInt(compact.value);
    if (isInflated && inner !== undefined && isObject(inner) && inner.objectId !== 0) {
      const { classId } = await this.#machine.classOf(inner.objectId);
      const fields = await this.fieldsOf(inner, classId);
      unscaled = await this.#bigInteger(new Map(fields.map(({ name, value }) => [name, value])));
    }
    const scale = number(values.get('scale'));
    const sign = unscaled < 0n ? '-' : '';
    const digits = String(unscaled < 0n ? -unscaled : unscaled);
    if (scale <= 0) return scale === 0 ? `${sign}${digits}` : `${sign}${digits}E+${-scale}`;
    const padded = digits.padStart(scale + 1, '0');
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  }
}

function listOf(all: readonly JdwpValue[]): Shape {
  return { kind: 'list', size: all.length, items: (start, count) => Promise.resolve(all.slice(start, start + count)) };
}

function oneEntry(key: JdwpValue, value: JdwpValue): Shape {
  return { kind: 'map', size: 1, entries: (count) => Promise.resolve(count > 0 ? [[key, value]] : []) };
}

export function isNull(value: JdwpValue | undefined): boolean {
  return value === undefined || (isObject(value) && value.objectId === 0);
}

function number(value: JdwpValue | undefined): number {
  return value === undefined || isObject(value) ? 0 : Number(value.value);
}
