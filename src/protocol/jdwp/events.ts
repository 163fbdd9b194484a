import type { JdwpLocation, JdwpValue, ObjectValue, PacketReader } from './packets.ts';

export const eventKinds = {
  singleStep: 1,
  breakpoint: 2,
  exception: 4,
  threadStart: 6,
  threadDeath: 7,
  classPrepare: 8,
  fieldAccess: 20,
  fieldModification: 21,
  methodEntry: 40,
  methodExit: 41,
  methodExitWithValue: 42,
  vmStart: 90,
  vmDeath: 99,
} as const;

export const suspendPolicies = { none: 0, thread: 1, all: 2 } as const;

export type JdwpEvent = { requestId: number } & (
  | { kind: 'vmStart' | 'threadStart' | 'threadDeath'; threadId: number }
  | { kind: 'singleStep' | 'breakpoint' | 'methodEntry' | 'methodExit'; threadId: number; location: JdwpLocation }
  | { kind: 'methodExitWithValue'; threadId: number; location: JdwpLocation; value: JdwpValue }
  /** `catchLocation` undefined: nobody catches it. */
  | {
      kind: 'exception';
      threadId: number;
      location: JdwpLocation;
      exception: ObjectValue;
      catchLocation: JdwpLocation | undefined;
    }
  | { kind: 'classPrepare'; threadId: number; typeTag: number; classId: number; signature: string }
  | {
      kind: 'fieldAccess' | 'fieldModification';
      threadId: number;
      location: JdwpLocation;
      classId: number;
      fieldId: number;
      object: ObjectValue;
      /** Of a modification: what it will be. */
      value?: JdwpValue;
    }
  | { kind: 'vmDeath' }
);

/** What happened at one moment. The machine has suspended what the policy says. */
export interface CompositeEvent {
  suspendPolicy: number;
  events: JdwpEvent[];
}

export function readComposite(reader: PacketReader): CompositeEvent {
  const suspendPolicy = reader.byte();
  return { suspendPolicy, events: reader.list(() => readEvent(reader)).filter((event) => event !== undefined) };
}

function readEvent(reader: PacketReader): JdwpEvent | undefined {
  const code = reader.byte();
  const requestId = reader.int();
  switch (code) {
    case eventKinds.vmStart:
      return { kind: 'vmStart', requestId, threadId: reader.object() };
    case eventKinds.threadStart:
      return { kind: 'threadStart', requestId, threadId: reader.object() };
    case eventKinds.threadDeath:
      return { kind: 'threadDeath', requestId, threadId: reader.object() };
    case eventKinds.singleStep:
      return { kind: 'singleStep', requestId, threadId: reader.object(), location: reader.location() };
    case eventKinds.breakpoint:
      return { kind: 'breakpoint', requestId, threadId: reader.object(), location: reader.location() };
    case eventKinds.methodEntry:
      return { kind: 'methodEntry', requestId, threadId: reader.object(), location: reader.location() };
    case eventKinds.methodExit:
      return { kind: 'methodExit', requestId, threadId: reader.object(), location: reader.location() };
    case eventKinds.methodExitWithValue:
      return {
        kind: 'methodExitWithValue',
        requestId,
        threadId: reader.object(),
        location: reader.location(),
        value: reader.value(),
      };
    case eventKinds.exception:
      return readException(reader, requestId);
    case eventKinds.classPrepare: {
      const [threadId, typeTag, classId] = [reader.object(), reader.byte(), reader.referenceType()];
      const signature = reader.string();
      reader.int();
      return { kind: 'classPrepare', requestId, threadId, typeTag, classId, signature };
    }
    case eventKinds.fieldAccess:
    case eventKinds.fieldModification:
      return readFieldEvent(reader, requestId, code);
    default:
      // Nothing else was asked for, and what follows an unknown one cannot be read.
      return { kind: 'vmDeath', requestId };
  }
}

function readException(reader: PacketReader, requestId: number): JdwpEvent {
  const [threadId, location, exception] = [reader.object(), reader.location(), reader.taggedObject()];
  const caught = reader.location();
  return {
    kind: 'exception',
    requestId,
    threadId,
    location,
    exception,
    catchLocation: caught.classId === 0 ? undefined : caught,
  };
}

function readFieldEvent(reader: PacketReader, requestId: number, code: number): JdwpEvent {
  const [threadId, location] = [reader.object(), reader.location()];
  reader.byte();
  const common = { requestId, threadId, location, classId: reader.referenceType(), fieldId: reader.field() };
  const object = reader.taggedObject();
  return code === eventKinds.fieldAccess
    ? { kind: 'fieldAccess', ...common, object }
    : { kind: 'fieldModification', ...common, object, value: reader.value() };
}
