import { TransportError } from '../../base/errors.ts';

/** Sizes of the ids of a virtual machine, in bytes. */
export interface IdSizes {
  field: number;
  method: number;
  object: number;
  referenceType: number;
  frame: number;
}

export const usualIdSizes: IdSizes = { field: 8, method: 8, object: 8, referenceType: 8, frame: 8 };

/** A place in compiled code. `classId` 0 is no place. */
export interface JdwpLocation {
  typeTag: number;
  classId: number;
  methodId: number;
  index: number;
}

/**
 * A value as the machine holds it. `tag` is the letter of its kind: `I`, `J`, `Z`, ... for primitives, `L`, `s` (string), `[` (array),
 * `t`, `g`, `l`, `c` for objects, whose id is `objectId`; 0 is null.
 */
export type JdwpValue = PrimitiveValue | ObjectValue;

export interface PrimitiveValue {
  tag: 'B' | 'C' | 'D' | 'F' | 'I' | 'J' | 'S' | 'Z' | 'V';
  value: number | bigint | boolean;
}

export interface ObjectValue {
  tag: 'L' | 's' | '[' | 't' | 'g' | 'l' | 'c';
  objectId: number;
}

export function isObject(value: JdwpValue): value is ObjectValue {
  return 'objectId' in value;
}

const objectTags = 'Ls[tglc';

/** Reads one packet's data from its front to its end. */
export class PacketReader {
  readonly #data: Buffer;
  readonly #sizes: IdSizes;
  #at = 0;

  constructor(data: Buffer, sizes: IdSizes) {
    this.#data = data;
    this.#sizes = sizes;
  }

  byte(): number {
    return this.#data.readUInt8(this.#advance(1));
  }

  boolean(): boolean {
    return this.byte() !== 0;
  }

  int(): number {
    return this.#data.readInt32BE(this.#advance(4));
  }

  long(): bigint {
    return this.#data.readBigInt64BE(this.#advance(8));
  }

  string(): string {
    const length = this.int();
    const start = this.#advance(length);
    return fromModifiedUtf8(this.#data.subarray(start, start + length));
  }

  bytes(): Buffer {
    const length = this.int();
    const start = this.#advance(length);
    return this.#data.subarray(start, start + length);
  }

  object(): number {
    return this.#id(this.#sizes.object);
  }

  referenceType(): number {
    return this.#id(this.#sizes.referenceType);
  }

  method(): number {
    return this.#id(this.#sizes.method);
  }

  field(): number {
    return this.#id(this.#sizes.field);
  }

  frame(): number {
    return this.#id(this.#sizes.frame);
  }

  location(): JdwpLocation {
    const typeTag = this.byte();
    return { typeTag, classId: this.referenceType(), methodId: this.method(), index: Number(this.long()) };
  }

  taggedObject(): ObjectValue {
    // The protocol promises an object here.
    return this.value() as ObjectValue;
  }

  value(): JdwpValue {
    return this.untagged(String.fromCharCode(this.byte()));
  }

  /** A value whose kind was told before it. */
  untagged(tag: string): JdwpValue {
    switch (tag) {
      case 'B':
        return { tag, value: this.#data.readInt8(this.#advance(1)) };
      case 'Z':
        return { tag, value: this.boolean() };
      case 'C':
        return { tag, value: this.#data.readUInt16BE(this.#advance(2)) };
      case 'S':
        return { tag, value: this.#data.readInt16BE(this.#advance(2)) };
      case 'I':
        return { tag, value: this.int() };
      case 'F':
        return { tag, value: this.#data.readFloatBE(this.#advance(4)) };
      case 'D':
        return { tag, value: this.#data.readDoubleBE(this.#advance(8)) };
      case 'J':
        return { tag, value: this.long() };
      case 'V':
        return { tag, value: 0 };
      default:
        if (!objectTags.includes(tag))
          throw new TransportError('java', `The virtual machine sent a value of kind '${tag}'.`);
        return { tag: tag as ObjectValue['tag'], objectId: this.object() };
    }
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.int() }, read);
  }

  #id(size: number): number {
    const at = this.#advance(size);
    if (size === 4) return this.#data.readUInt32BE(at);
    const id = this.#data.readBigUInt64BE(at);
    if (id > BigInt(Number.MAX_SAFE_INTEGER))
      throw new TransportError('java', 'The virtual machine uses ids beyond 53 bits.');
    return Number(id);
  }

  #advance(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    if (this.#at > this.#data.length)
      throw new TransportError('java', 'The virtual machine sent a packet that is too short.');
    return at;
  }
}

/** Writes the data of one packet. */
export class PacketWriter {
  readonly #parts: Buffer[] = [];
  readonly #sizes: IdSizes;

  constructor(sizes: IdSizes) {
    this.#sizes = sizes;
  }

  get data(): Buffer {
    return Buffer.concat(this.#parts);
  }

  byte(value: number): this {
    return this.#put(1, (buffer) => buffer.writeUInt8(value & 0xff));
  }

  boolean(value: boolean): this {
    return this.byte(value ? 1 : 0);
  }

  int(value: number): this {
    return this.#put(4, (buffer) => buffer.writeInt32BE(value | 0));
  }

  long(value: bigint): this {
    return this.#put(8, (buffer) => buffer.writeBigInt64BE(BigInt.asIntN(64, value)));
  }

  string(text: string): this {
    const bytes = toModifiedUtf8(text);
    this.int(bytes.length);
    this.#parts.push(bytes);
    return this;
  }

  bytes(bytes: Buffer): this {
    this.int(bytes.length);
    this.#parts.push(bytes);
    return this;
  }

  object(id: number): this {
    return this.#id(id, this.#sizes.object);
  }

  referenceType(id: number): this {
    return this.#id(id, this.#sizes.referenceType);
  }

  method(id: number): this {
    return this.#id(id, this.#sizes.method);
  }

  field(id: number): this {
    return this.#id(id, this.#sizes.field);
  }

  frame(id: number): this {
    return this.#id(id, this.#sizes.frame);
  }

  location(location: JdwpLocation): this {
    return this.byte(location.typeTag)
      .referenceType(location.classId)
      .method(location.methodId)
      .long(BigInt(location.index));
  }

  value(value: JdwpValue): this {
    return this.byte(value.tag.charCodeAt(0)).untagged(value);
  }

  untagged(value: JdwpValue): this {
    if (isObject(value)) return this.object(value.objectId);
    const plain = value.value;
    switch (value.tag) {
      case 'B':
        return this.byte(Number(plain));
      case 'Z':
        return this.boolean(Boolean(plain));
      case 'C':
        return this.#put(2, (buffer) => buffer.writeUInt16BE(Number(plain)));
      case 'S':
        return this.#put(2, (buffer) => buffer.writeInt16BE(Number(plain)));
      case 'I':
        return this.int(Number(plain));
      case 'F':
        return this.#put(4, (buffer) => buffer.writeFloatBE(Number(plain)));
      case 'D':
        return this.#put(8, (buffer) => buffer.writeDoubleBE(Number(plain)));
      case 'J':
        return this.long(BigInt(plain));
      case 'V':
        return this;
    }
  }

  #id(id: number, size: number): this {
    return size === 4
      ? this.#put(4, (buffer) => buffer.writeUInt32BE(id))
      : this.#put(8, (buffer) => buffer.writeBigUInt64BE(BigInt(id)));
  }

  #put(bytes: number, write: (buffer: Buffer) => void): this {
    const buffer = Buffer.alloc(bytes);
    write(buffer);
    this.#parts.push(buffer);
    return this;
  }
}

/** Java writes NUL as two bytes and characters beyond the basic plane as two surrogates of three bytes each. */
function fromModifiedUtf8(bytes: Buffer): string {
  const plain = bytes.toString('utf8');
  if (!plain.includes('\uFFFD')) return plain;
  const units: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const [second, third] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
    if (first < 0x80) units.push(first);
    else if (first < 0xe0) units.push(((first & 0x1f) << 6) | (second & 0x3f));
    else if (first < 0xf0) units.push(((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f));
    else {
      const code =
        ((first & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | ((bytes[at + 3] ?? 0) & 0x3f);
      units.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
    at += first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  }
  return units.map((unit) => String.fromCharCode(unit)).join('');
}

function toModifiedUtf8(text: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0 && unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  return Buffer.from(bytes);
}
