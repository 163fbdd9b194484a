import { eventKinds, suspendPolicies, type JdwpEvent } from '../../../../../protocol/jdwp/events.ts';
import type { JdwpMachine } from '../../../../../protocol/jdwp/machine.ts';
import type { Watch } from '../../../ask/model.ts';
import type { EventLog } from '../../../ask/outside/eventLog.ts';
import type { ClassField, Classes } from '../classes.ts';
import { shortName } from '../names.ts';
import type { JavaSources } from '../sources.ts';
import { fieldNumbers } from './constants.ts';
import { writePlaces } from './instructions.ts';
import type { RecordedValues } from './values.ts';

type Modification = Extract<JdwpEvent, { kind: 'fieldAccess' | 'fieldModification' }>;

interface Watched {
  watch: Watch;
  field: ClassField;
}

/**
 * Writes to fields of the project's classes. The machine tells them, but as long as it is asked to, it compiles nothing. So it is stopped at the
 * instructions that write such a field, and asked for this one write.
 */
export class FieldWrites {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #sources: JavaSources;
  readonly #values: RecordedValues;
  readonly #log: EventLog;
  readonly #fields: Watched[] = [];
  readonly #places = new Map<number, Watch>();
  /** What each thread is about to write. */
  readonly #asked = new Map<number, Map<number, Watched>>();

  constructor(machine: JdwpMachine, classes: Classes, sources: JavaSources, values: RecordedValues, log: EventLog) {
    this.#machine = machine;
    this.#classes = classes;
    this.#sources = sources;
    this.#values = values;
    this.#log = log;
  }

  /** A class of the project is there now: its fields, and its code that writes fields. */
  async begin(classId: number, file: string, watch: Watch): Promise<void> {
    const name = /([\w$]+)$/.exec(watch.expression)?.[1] ?? '';
    const owner = shortName(await this.#classes.nameOf(classId));
    const [, qualifier] = /^([A-Z][\w$]*)\.[\w$]+$/.exec(watch.expression) ?? [];
    // `Cart.count` means that of one class.
    if (qualifier === undefined || owner === qualifier || owner.endsWith(`.${qualifier}`))
      for (const field of await this.#classes.declaredFields(classId))
        if (field.name === name) this.#fields.push({ watch, field });
    if (watch.file !== undefined && watch.file !== file) return;
    const numbers = fieldNumbers(await this.#machine.constantPool(classId), name);
    if (numbers.size === 0) return;
    for (const { methodId } of await this.#classes.methods(classId)) {
      if ((await this.#classes.lines(classId, methodId)).length === 0) continue;
      for (const index of writePlaces(await this.#machine.bytecodes(classId, methodId), numbers))
        await this.#stopAt(classId, methodId, index, watch);
    }
  }

  async #stopAt(classId: number, methodId: number, index: number, watch: Watch): Promise<void> {
    const location = { typeTag: 1, classId, methodId, index };
    const id = await this.#machine.setEvent(eventKinds.breakpoint, suspendPolicies.thread, [
      { kind: 'location', location },
    ]);
    this.#places.set(id, watch);
  }

  /** A write is about to be made. */
  async writing(requestId: number, threadId: number): Promise<void> {
    const watch = this.#places.get(requestId);
    if (watch === undefined) return;
    await this.#forget(threadId);
    const asked = new Map<number, Watched>();
    for (const each of this.#fields) {
      if (each.watch !== watch) continue;
      const { classId, fieldId } = each.field;
      const id = await this.#machine.setEvent(eventKinds.fieldModification, suspendPolicies.thread, [
        { kind: 'thread', threadId },
        { kind: 'field', classId, fieldId },
      ]);
      asked.set(id, each);
    }
    this.#asked.set(threadId, asked);
  }

  async written(event: Modification, call: number | undefined): Promise<void> {
    const { threadId, requestId, value, object, location, classId, fieldId } = event;
    const asked = this.#asked.get(threadId)?.get(requestId);
    await this.#forget(threadId);
    const file = await this.#sources.fileOf(location.classId);
    if (asked === undefined || value === undefined || file === undefined) return;
    const isStatic = object.objectId === 0;
    const [was] = await (isStatic
      ? this.#machine.staticValues(classId, [fieldId])
      : this.#machine.values(object.objectId, [fieldId]));
    if (was === undefined) return;
    const [old, now] = await Promise.all([this.#values.of(was), this.#values.of(value)]);
    if (old.text === now.text && old.object === now.object) return;
    const owner = isStatic ? shortName(await this.#classes.nameOf(classId)) : 'this';
    const line = await this.#classes.lineAt(location.classId, location.methodId, location.index);
    this.#log.write({
      watch: asked.watch.id,
      target: `${owner}.${asked.field.name}`,
      old,
      new: now,
      kind: 'assign',
      file,
      line,
      ...(call === undefined ? {} : { call }),
      ...(isStatic ? {} : { holder: object.objectId }),
    });
  }

  async leaveAll(): Promise<void> {
    for (const threadId of this.#asked.keys()) await this.#forget(threadId);
    for (const id of this.#places.keys()) await this.#machine.clearEvent(eventKinds.breakpoint, id);
    this.#places.clear();
  }

  async #forget(threadId: number): Promise<void> {
    for (const id of this.#asked.get(threadId)?.keys() ?? [])
      await this.#machine.clearEvent(eventKinds.fieldModification, id);
    this.#asked.delete(threadId);
  }
}
