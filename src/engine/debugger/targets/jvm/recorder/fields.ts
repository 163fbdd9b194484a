import { eventKinds, suspendPolicies, type JdwpEvent } from '../../../../../protocol/jdwp/events.ts';
import type { JdwpMachine } from '../../../../../protocol/jdwp/machine.ts';
import type { Watch } from '../../../ask/model.ts';
import type { EventLog } from '../../../ask/outside/eventLog.ts';
import type { ClassField, Classes } from '../classes.ts';
import { shortName } from '../names.ts';
import type { JavaSources } from '../sources.ts';
import type { RecordedValues } from './values.ts';

type Modification = Extract<JdwpEvent, { kind: 'fieldAccess' | 'fieldModification' }>;

/** Fields of the project's classes whose writes the machine tells. */
export class FieldWrites {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #sources: JavaSources;
  readonly #values: RecordedValues;
  readonly #log: EventLog;
  readonly #requests = new Map<number, { watch: Watch; field: ClassField }>();

  constructor(machine: JdwpMachine, classes: Classes, sources: JavaSources, values: RecordedValues, log: EventLog) {
    this.#machine = machine;
    this.#classes = classes;
    this.#sources = sources;
    this.#values = values;
    this.#log = log;
  }

  async begin(classId: number, watch: Watch): Promise<void> {
    const name = /([\w$]+)$/.exec(watch.expression)?.[1];
    const owner = shortName(await this.#classes.nameOf(classId));
    const [, qualifier] = /^([A-Z][\w$]*)\.[\w$]+$/.exec(watch.expression) ?? [];
    // `Cart.count` means that of one class.
    if (qualifier !== undefined && owner !== qualifier && !owner.endsWith(`.${qualifier}`)) return;
    for (const field of await this.#classes.declaredFields(classId)) {
      if (field.name !== name) continue;
      const id = await this.#machine.setEvent(eventKinds.fieldModification, suspendPolicies.thread, [
        { kind: 'field', classId, fieldId: field.fieldId },
      ]);
      this.#requests.set(id, { watch, field });
    }
  }

  async written(event: Modification, call: number | undefined): Promise<void> {
    const request = this.#requests.get(event.requestId);
    if (request === undefined || event.value === undefined) return;
    const { watch, field } = request;
    const { object, location, classId, fieldId } = event;
    const file = await this.#sources.fileOf(location.classId);
    if (file === undefined || (watch.file !== undefined && watch.file !== file)) return;
    const isStatic = object.objectId === 0;
    const [was] = await (isStatic
      ? this.#machine.staticValues(classId, [fieldId])
      : this.#machine.values(object.objectId, [fieldId]));
    if (was === undefined) return;
    const [old, now] = await Promise.all([this.#values.of(was), this.#values.of(event.value)]);
    if (old.text === now.text && old.object === now.object) return;
    const owner = isStatic ? shortName(await this.#classes.nameOf(classId)) : 'this';
    const line = await this.#classes.lineAt(location.classId, location.methodId, location.index);
    const isWanted = this.#log.write({
      watch: watch.id,
      target: `${owner}.${field.name}`,
      old,
      new: now,
      kind: 'assign',
      file,
      line,
      ...(call === undefined ? {} : { call }),
      ...(isStatic ? {} : { holder: object.objectId }),
    });
    if (!isWanted) await this.#leave(event.requestId);
  }

  async leaveAll(): Promise<void> {
    for (const id of this.#requests.keys()) await this.#leave(id);
  }

  async #leave(id: number): Promise<void> {
    this.#requests.delete(id);
    await this.#machine.clearEvent(eventKinds.fieldModification, id);
  }
}
