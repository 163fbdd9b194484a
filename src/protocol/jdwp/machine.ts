import type { JdwpConnection } from './connection.ts';
import type { JdwpLocation, JdwpValue, ObjectValue, PacketReader, PacketWriter } from './packets.ts';

interface WireClass {
  typeTag: number;
  classId: number;
  signature: string;
  status: number;
}

export interface WireField {
  fieldId: number;
  name: string;
  signature: string;
  generic: string;
  modifiers: number;
}

export interface WireMethod {
  methodId: number;
  name: string;
  signature: string;
  generic: string;
  modifiers: number;
}

export interface WireLine {
  index: number;
  line: number;
}

export interface WireVariableSlot {
  start: number;
  length: number;
  name: string;
  signature: string;
  generic: string;
  slot: number;
}

export interface WireFrame {
  frameId: number;
  location: JdwpLocation;
}

export interface InvokeResult {
  value: JdwpValue;
  /** Its id is 0 when nothing was thrown. */
  exception: ObjectValue;
}

/** What an event is restricted to. */
export type EventFilter =
  | { kind: 'thread'; threadId: number }
  | { kind: 'class'; classId: number }
  | { kind: 'classMatch'; pattern: string }
  | { kind: 'classExclude'; pattern: string }
  | { kind: 'location'; location: JdwpLocation }
  | { kind: 'exception'; classId: number; caught: boolean; uncaught: boolean }
  | { kind: 'field'; classId: number; fieldId: number }
  | { kind: 'step'; threadId: number; depth: number }
  | { kind: 'instance'; objectId: number }
  | { kind: 'sourceName'; pattern: string };

const invokeSingleThreaded = 1;
const invokeNonvirtual = 2;

/** The commands of a Java virtual machine that are used, by name. Each is one packet and its reply. */
export class JdwpMachine {
  readonly connection: JdwpConnection;

  constructor(connection: JdwpConnection) {
    this.connection = connection;
  }

  async version(): Promise<{ description: string; version: string; name: string }> {
    const reader = await this.#ask(1, 1);
    const description = reader.string();
    reader.int();
    reader.int();
    return { description, version: reader.string(), name: reader.string() };
  }

  async classesBySignature(signature: string): Promise<WireClass[]> {
    const reader = await this.#ask(1, 2, (writer) => writer.string(signature));
    return reader.list(() => ({
      typeTag: reader.byte(),
      classId: reader.referenceType(),
      signature,
      status: reader.int(),
    }));
  }

  async allClasses(): Promise<WireClass[]> {
    const reader = await this.#ask(1, 3);
    return reader.list(() => ({
      typeTag: reader.byte(),
      classId: reader.referenceType(),
      signature: reader.string(),
      status: reader.int(),
    }));
  }

  async allThreads(): Promise<number[]> {
    const reader = await this.#ask(1, 4);
    return reader.list(() => reader.object());
  }

  async dispose(): Promise<void> {
    await this.#ask(1, 6);
  }

  async suspendAll(): Promise<void> {
    await this.#ask(1, 8);
  }

  async resumeAll(): Promise<void> {
    await this.#ask(1, 9);
  }

  async exit(code: number): Promise<void> {
    await this.#ask(1, 10, (writer) => writer.int(code));
  }

  async createString(text: string): Promise<ObjectValue> {
    const reader = await this.#ask(1, 11, (writer) => writer.string(text));
    return { tag: 's', objectId: reader.object() };
  }

  async classPaths(): Promise<string[]> {
    const reader = await this.#ask(1, 13);
    reader.string();
    return reader.list(() => reader.string());
  }

  async redefineClasses(classes: readonly { classId: number; bytes: Buffer }[]): Promise<void> {
    await this.#ask(1, 18, (writer) => {
      writer.int(classes.length);
      for (const { classId, bytes } of classes) writer.referenceType(classId).bytes(bytes);
    });
  }

  async signature(classId: number): Promise<string> {
    return (await this.#ask(2, 1, (writer) => writer.referenceType(classId))).string();
  }

  async classLoader(classId: number): Promise<number> {
    return (await this.#ask(2, 2, (writer) => writer.referenceType(classId))).object();
  }

  async modifiers(classId: number): Promise<number> {
    return (await this.#ask(2, 3, (writer) => writer.referenceType(classId))).int();
  }

  async staticValues(classId: number, fieldIds: readonly number[]): Promise<JdwpValue[]> {
    const reader = await this.#ask(2, 6, (writer) => {
      writer.referenceType(classId).int(fieldIds.length);
      for (const id of fieldIds) writer.field(id);
    });
    return reader.list(() => reader.value());
  }

  async sourceFile(classId: number): Promise<string> {
    return (await this.#ask(2, 7, (writer) => writer.referenceType(classId))).string();
  }

  async interfaces(classId: number): Promise<number[]> {
    const reader = await this.#ask(2, 10, (writer) => writer.referenceType(classId));
    return reader.list(() => reader.referenceType());
  }

  async classObject(classId: number): Promise<ObjectValue> {
    const reader = await this.#ask(2, 11, (writer) => writer.referenceType(classId));
    return { tag: 'c', objectId: reader.object() };
  }

  async fields(classId: number): Promise<WireField[]> {
    const reader = await this.#ask(2, 14, (writer) => writer.referenceType(classId));
    return reader.list(() => ({ fieldId: reader.field(), ...readMember(reader) }));
  }

  async methods(classId: number): Promise<WireMethod[]> {
    const reader = await this.#ask(2, 15, (writer) => writer.referenceType(classId));
    return reader.list(() => ({ methodId: reader.method(), ...readMember(reader) }));
  }

  /** What the code of a class refers to, in the format of class files. */
  async constantPool(classId: number): Promise<Buffer> {
    const reader = await this.#ask(2, 18, (writer) => writer.referenceType(classId));
    reader.int();
    return reader.bytes();
  }

  /** 0 for Object. */
  async superclass(classId: number): Promise<number> {
    return (await this.#ask(3, 1, (writer) => writer.referenceType(classId))).referenceType();
  }

  async setStatic(classId: number, fieldId: number, value: JdwpValue): Promise<void> {
    await this.#ask(3, 2, (writer) => writer.referenceType(classId).int(1).field(fieldId).untagged(value));
  }

  async invokeStatic(
    classId: number,
    threadId: number,
    methodId: number,
    args: readonly JdwpValue[],
    isInterface = false,
  ): Promise<InvokeResult> {
    const reader = await this.#ask(isInterface ? 5 : 3, isInterface ? 1 : 3, (writer) => {
      writer.referenceType(classId).object(threadId).method(methodId);
      writeArguments(writer, args, invokeSingleThreaded);
    });
    return { value: reader.value(), exception: reader.taggedObject() };
  }

  async newInstance(
    classId: number,
    threadId: number,
    methodId: number,
    args: readonly JdwpValue[],
  ): Promise<InvokeResult> {
    const reader = await this.#ask(3, 4, (writer) => {
      writer.referenceType(classId).object(threadId).method(methodId);
      writeArguments(writer, args, invokeSingleThreaded);
    });
    return { value: reader.taggedObject(), exception: reader.taggedObject() };
  }

  async newArray(arrayClassId: number, length: number): Promise<ObjectValue> {
    const reader = await this.#ask(4, 1, (writer) => writer.referenceType(arrayClassId).int(length));
    return reader.taggedObject();
  }

  async lineTable(classId: number, methodId: number): Promise<{ start: number; end: number; lines: WireLine[] }> {
    const reader = await this.#ask(6, 1, (writer) => writer.referenceType(classId).method(methodId));
    const [start, end] = [Number(reader.long()), Number(reader.long())];
    return { start, end, lines: reader.list(() => ({ index: Number(reader.long()), line: reader.int() })) };
  }

  /** Whether the method was replaced while a call of it was under way. */
  async isObsolete(classId: number, methodId: number): Promise<boolean> {
    return (await this.#ask(6, 4, (writer) => writer.referenceType(classId).method(methodId))).boolean();
  }

  async variableTable(classId: number, methodId: number): Promise<WireVariableSlot[]> {
    const reader = await this.#ask(6, 5, (writer) => writer.referenceType(classId).method(methodId));
    reader.int();
    return reader.list(() => ({
      start: Number(reader.long()),
      name: reader.string(),
      signature: reader.string(),
      generic: reader.string(),
      length: reader.int(),
      slot: reader.int(),
    }));
  }

  /** The compiled code of a method. */
  async bytecodes(classId: number, methodId: number): Promise<Buffer> {
    return (await this.#ask(6, 3, (writer) => writer.referenceType(classId).method(methodId))).bytes();
  }

  async classOf(objectId: number): Promise<{ typeTag: number; classId: number }> {
    const reader = await this.#ask(9, 1, (writer) => writer.object(objectId));
    return { typeTag: reader.byte(), classId: reader.referenceType() };
  }

  async values(objectId: number, fieldIds: readonly number[]): Promise<JdwpValue[]> {
    const reader = await this.#ask(9, 2, (writer) => {
      writer.object(objectId).int(fieldIds.length);
      for (const id of fieldIds) writer.field(id);
    });
    return reader.list(() => reader.value());
  }

  async setField(objectId: number, fieldId: number, value: JdwpValue): Promise<void> {
    await this.#ask(9, 3, (writer) => writer.object(objectId).int(1).field(fieldId).untagged(value));
  }

  /** The thread that holds the lock of an object, 0 when nobody does. */
  async monitorOwner(objectId: number): Promise<number> {
    return (await this.#ask(9, 5, (writer) => writer.object(objectId))).object();
  }

  async invoke(
    objectId: number,
    threadId: number,
    classId: number,
    methodId: number,
    args: readonly JdwpValue[],
    isVirtual = true,
  ): Promise<InvokeResult> {
    const reader = await this.#ask(9, 6, (writer) => {
      writer.object(objectId).object(threadId).referenceType(classId).method(methodId);
      writeArguments(writer, args, invokeSingleThreaded | (isVirtual ? 0 : invokeNonvirtual));
    });
    return { value: reader.value(), exception: reader.taggedObject() };
  }

  async keep(objectId: number): Promise<void> {
    await this.#ask(9, 7, (writer) => writer.object(objectId));
  }

  async stringValue(objectId: number): Promise<string> {
    return (await this.#ask(10, 1, (writer) => writer.object(objectId))).string();
  }

  async threadName(threadId: number): Promise<string> {
    return (await this.#ask(11, 1, (writer) => writer.object(threadId))).string();
  }

  async suspendThread(threadId: number): Promise<void> {
    await this.#ask(11, 2, (writer) => writer.object(threadId));
  }

  async resumeThread(threadId: number): Promise<void> {
    await this.#ask(11, 3, (writer) => writer.object(threadId));
  }

  /** 0 over, 1 running, 2 sleeping, 3 waits for a lock, 4 waits. */
  async threadStatus(threadId: number): Promise<{ status: number; isSuspended: boolean }> {
    const reader = await this.#ask(11, 4, (writer) => writer.object(threadId));
    return { status: reader.int(), isSuspended: (reader.int() & 1) !== 0 };
  }

  async threadGroup(threadId: number): Promise<string> {
    const group = (await this.#ask(11, 5, (writer) => writer.object(threadId))).object();
    return group === 0 ? '' : (await this.#ask(12, 1, (writer) => writer.object(group))).string();
  }

  /** `count` -1: all that are left. */
  async frames(threadId: number, start: number, count: number): Promise<WireFrame[]> {
    const reader = await this.#ask(11, 6, (writer) => writer.object(threadId).int(start).int(count));
    return reader.list(() => ({ frameId: reader.frame(), location: reader.location() }));
  }

  async frameCount(threadId: number): Promise<number> {
    return (await this.#ask(11, 7, (writer) => writer.object(threadId))).int();
  }

  async contendedMonitor(threadId: number): Promise<number> {
    return (await this.#ask(11, 9, (writer) => writer.object(threadId))).taggedObject().objectId;
  }

  async arrayLength(arrayId: number): Promise<number> {
    return (await this.#ask(13, 1, (writer) => writer.object(arrayId))).int();
  }

  async arrayValues(arrayId: number, start: number, count: number): Promise<JdwpValue[]> {
    const reader = await this.#ask(13, 2, (writer) => writer.object(arrayId).int(start).int(count));
    const tag = String.fromCharCode(reader.byte());
    // Elements of arrays of objects carry their own kind.
    return 'BCDFIJSZ'.includes(tag) ? reader.list(() => reader.untagged(tag)) : reader.list(() => reader.value());
  }

  async setElement(arrayId: number, index: number, value: JdwpValue): Promise<void> {
    await this.#ask(13, 3, (writer) => writer.object(arrayId).int(index).int(1).untagged(value));
  }

  async setEvent(kind: number, suspendPolicy: number, filters: readonly EventFilter[]): Promise<number> {
    const reader = await this.#ask(15, 1, (writer) => {
      writer.byte(kind).byte(suspendPolicy).int(filters.length);
      for (const filter of filters) writeFilter(writer, filter);
    });
    return reader.int();
  }

  async clearEvent(kind: number, requestId: number): Promise<void> {
    await this.#ask(15, 2, (writer) => writer.byte(kind).int(requestId));
  }

  async frameValues(
    threadId: number,
    frameId: number,
    slots: readonly { slot: number; tag: string }[],
  ): Promise<JdwpValue[]> {
    const reader = await this.#ask(16, 1, (writer) => {
      writer.object(threadId).frame(frameId).int(slots.length);
      for (const { slot, tag } of slots) writer.int(slot).byte(tag.charCodeAt(0));
    });
    return reader.list(() => reader.value());
  }

  async setFrameValue(threadId: number, frameId: number, slot: number, value: JdwpValue): Promise<void> {
    await this.#ask(16, 2, (writer) => writer.object(threadId).frame(frameId).int(1).int(slot).value(value));
  }

  async thisObject(threadId: number, frameId: number): Promise<ObjectValue> {
    return (await this.#ask(16, 3, (writer) => writer.object(threadId).frame(frameId))).taggedObject();
  }

  /** Throws away the frames above and including this one; the call of it stands before its execution. */
  async popFrames(threadId: number, frameId: number): Promise<void> {
    await this.#ask(16, 4, (writer) => writer.object(threadId).frame(frameId));
  }

  async reflectedType(classObjectId: number): Promise<number> {
    const reader = await this.#ask(17, 1, (writer) => writer.object(classObjectId));
    reader.byte();
    return reader.referenceType();
  }

  #ask(
    set: number,
    command: number,
    write: (writer: PacketWriter) => unknown = () => undefined,
  ): Promise<PacketReader> {
    return this.connection.request(set, command, write);
  }
}

function readMember(reader: PacketReader): { name: string; signature: string; generic: string; modifiers: number } {
  return { name: reader.string(), signature: reader.string(), generic: reader.string(), modifiers: reader.int() };
}

function writeArguments(writer: PacketWriter, args: readonly JdwpValue[], options: number): void {
  writer.int(args.length);
  for (const arg of args) writer.value(arg);
  writer.int(options);
}

function writeFilter(writer: PacketWriter, filter: EventFilter): void {
  switch (filter.kind) {
    case 'thread':
      writer.byte(3).object(filter.threadId);
      break;
    case 'class':
      writer.byte(4).referenceType(filter.classId);
      break;
    case 'classMatch':
      writer.byte(5).string(filter.pattern);
      break;
    case 'classExclude':
      writer.byte(6).string(filter.pattern);
      break;
    case 'location':
      writer.byte(7).location(filter.location);
      break;
    case 'exception':
      writer.byte(8).referenceType(filter.classId).boolean(filter.caught).boolean(filter.uncaught);
      break;
    case 'field':
      writer.byte(9).referenceType(filter.classId).field(filter.fieldId);
      break;
    case 'step':
      // By line, not by instruction.
      writer.byte(10).object(filter.threadId).int(1).int(filter.depth);
      break;
    case 'instance':
      writer.byte(11).object(filter.objectId);
      break;
    case 'sourceName':
      writer.byte(12).string(filter.pattern);
      break;
  }
}
