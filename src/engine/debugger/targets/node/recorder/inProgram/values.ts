import { stripVTControlCharacters, types } from 'node:util';
import type { RecordedValue } from '../../../../ask/model.ts';
import { withoutInsertions } from './insertions.ts';

/** Kept from before the program could change them. */
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;
const { isArray } = Array;
const { stringify } = JSON;
/** A method as a function of its receiver, whatever the program does to the prototype later. */
function kept<Receiver extends object, Result>(method: unknown): (receiver: Receiver) => Result {
  const { apply } = Reflect;
  return (receiver) => apply(method as () => Result, receiver, []);
}

function getterOf(holder: object, name: string): unknown {
  return Reflect.get(getOwnPropertyDescriptor(holder, name) ?? {}, 'get');
}

const mapEntries = kept<Map<unknown, unknown>, Iterable<[unknown, unknown]>>(Reflect.get(Map.prototype, 'entries'));
const setValues = kept<Set<unknown>, Iterable<unknown>>(Reflect.get(Set.prototype, 'values'));
const dateText = kept<Date, string>(Reflect.get(Date.prototype, 'toISOString'));
const regExpText = kept<RegExp, string>(Reflect.get(RegExp.prototype, 'toString'));
const mapSize = kept<object, number>(getterOf(Map.prototype, 'size'));
const setSize = kept<object, number>(getterOf(Set.prototype, 'size'));

/** Draws values as the debugger does, without calling anything of the program, and numbers objects. */
export class ValueDrawer {
  readonly #maxChars: number;
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;
  #left = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  value(value: unknown): RecordedValue {
    const text = this.text(value);
    return isObject(value) ? { text, object: this.numberOf(value) } : { text };
  }

  text(value: unknown): string {
    this.#left = this.#maxChars;
    try {
      const text = this.#draw(value, 3);
      return text.length <= this.#maxChars + 20 ? text : `${text.slice(0, this.#maxChars)}…`;
    } catch {
      return '<unreadable>';
    }
  }

  numberOf(value: object): number {
    let number = this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = ++this.#last));
    return number;
  }

  #draw(value: unknown, depth: number): string {
    const text = this.#drawn(value, depth);
    this.#left -= text.length;
    return text;
  }

  #drawn(value: unknown, depth: number): string {
    if (typeof value === 'string') {
      const room = depth === 3 ? this.#maxChars : 60;
      return value.length <= room ? stringify(value) : `${stringify(value.slice(0, room))}… (${value.length} chars)`;
    }
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return types.isProxy(value) ? 'Proxy' : `ƒ ${dataText(value, 'name') ?? ''}()`;
    if (typeof value === 'symbol') return String(value);
    if (!isObject(value)) return Object.is(value, -0) ? '-0' : String(value);
    if (types.isProxy(value)) return 'Proxy';
    return this.#special(value) ?? this.#collection(value, depth);
  }

  #special(value: object): string | undefined {
    if (types.isNativeError(value)) {
      const message = dataText(value, 'message') ?? '';
      const name = nameOf(value);
      const said = stripVTControlCharacters(message)
        .split(/\s*\n\s*/)
        .filter((line) => line !== '');
      return message === '' ? name : `${name}: ${said.slice(0, 4).join(' ').slice(0, this.#maxChars)}`;
    }
    if (types.isPromise(value)) return 'Promise';
    if (types.isDate(value)) return Number.isNaN(+value) ? 'Invalid Date' : `Date ${dateText(value)}`;
    if (types.isRegExp(value)) return regExpText(value);
    if (types.isBoxedPrimitive(value)) return nameOf(value);
    // The insides of these say nothing about the program.
    const name = nameOf(value);
    if (/^(Timeout|Immediate|Socket|Server|ChildProcess|Worker|Hash|AbortSignal)$/.test(name)) return name;
    return undefined;
  }

  #collection(value: object, depth: number): string {
    const name = nameOf(value);
    const isList = isArray(value) || types.isTypedArray(value);
    const isMap = types.isMap(value);
    const size: number = isList ? value.length : isMap ? mapSize(value) : types.isSet(value) ? setSize(value) : -1;
    if (depth <= 0 || this.#left <= 0)
      return isList
        ? size === 0
          ? '[]'
          : `Array(${size})`
        : size >= 0
          ? `${name}(${size})`
          : name === 'Object'
            ? '{…}'
            : `${name} {…}`;
    const parts = isList
      ? this.#items(value, depth)
      : size >= 0
        ? this.#entries(value, depth)
        : this.#fields(value, depth);
    const total = size >= 0 ? size : ownKeys(value).length;
    if (total > parts.length) parts.push(`… +${total - parts.length}`);
    const inside = parts.join(', ');
    if (isList) return `${name === 'Array' ? '' : `${name}(${size}) `}[${inside}]`;
    return `${size >= 0 ? `${name}(${size}) ` : name === 'Object' ? '' : `${name} `}{${inside}}`;
  }

  #items(value: object & { length: number }, depth: number): string[] {
    const parts: string[] = [];
    for (let index = 0; index < value.length && index < 12 && this.#left > 0; index++)
      parts.push(this.#field(getOwnPropertyDescriptor(value, index), depth));
    if (value.length <= parts.length && isArray(value)) parts.push(...this.#fields(value, depth, isNamedKey));
    return parts;
  }

  #entries(value: object, depth: number): string[] {
    const parts: string[] = [];
    const isFull = () => parts.length >= 8 || this.#left <= 0;
    if (types.isMap(value))
      for (const [key, held] of mapEntries(value)) {
        if (isFull()) break;
        parts.push(`${this.#draw(key, depth - 1)} => ${this.#draw(held, depth - 1)}`);
      }
    else if (types.isSet(value))
      for (const held of setValues(value)) {
        if (isFull()) break;
        parts.push(this.#draw(held, depth - 1));
      }
    return parts;
  }

  #fields(value: object, depth: number, isShown: (key: string | symbol) => boolean = () => true): string[] {
    const parts: string[] = [];
    for (const key of ownKeys(value)) {
      if (!isShown(key)) continue;
      if (parts.length >= 12 || this.#left <= 0) break;
      const name = typeof key === 'symbol' ? String(key) : /^[A-Za-z_$][\w$]*$|^\d+$/.test(key) ? key : stringify(key);
      this.#left -= name.length + 2;
      parts.push(`${name}: ${this.#field(getOwnPropertyDescriptor(value, key), depth)}`);
    }
    return parts;
  }

  #field(property: PropertyDescriptor | undefined, depth: number): string {
    if (property === undefined) return '<empty>';
    return 'value' in property ? this.#draw(property.value, depth - 1) : '[getter]';
  }
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** The class of an object, told from its prototypes. */
export function nameOf(value: object): string {
  for (let proto = getPrototypeOf(value); proto !== null; proto = getPrototypeOf(proto)) {
    if (types.isProxy(proto)) return 'Object';
    const maker: unknown = getOwnPropertyDescriptor(proto, 'constructor')?.value;
    if (typeof maker === 'function' && !types.isProxy(maker)) return dataText(maker, 'name') || 'Object';
  }
  return 'Object';
}

/** A text that is a plain property of the object or of what it inherits from. */
export function dataText(value: object, key: string): string | undefined {
  for (let holder: object | null = value; holder !== null; holder = getPrototypeOf(holder)) {
    const property = getOwnPropertyDescriptor(holder, key);
    if (property !== undefined)
      return typeof property.value === 'string' ? withoutInsertions(property.value) : undefined;
  }
  return undefined;
}

/** A key of an array that is no element. */
function isNamedKey(key: string | symbol): boolean {
  return typeof key === 'string' && key !== 'length' && !/^\d+$/.test(key);
}
