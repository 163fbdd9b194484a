import type { JdwpMachine, WireVariableSlot } from '../../../../../protocol/jdwp/machine.ts';
import { isObject, type JdwpLocation, type JdwpValue } from '../../../../../protocol/jdwp/packets.ts';
import type { RecordedValue, Watch } from '../../../ask/model.ts';
import type { EventLog } from '../../../ask/outside/eventLog.ts';
import type { Classes } from '../classes.ts';
import type { NotedMethod, NotedMethods } from './methods.ts';
import type { RecordedValues } from './values.ts';

interface Seen {
  value: JdwpValue;
  drawn: RecordedValue;
  line: number;
  /** Where in the code the variable begins: another one of the name begins elsewhere. */
  start: number;
}

/** More lines of one method than this are not looked at. */
const maxLooks = 4000;

/** A virtual machine does not tell writes to local variables: they are looked at before each line, and what is different was changed by the line before. */
export class LocalWatches {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #methods: NotedMethods;
  readonly #values: RecordedValues;
  readonly #log: EventLog;
  readonly #watched = new Map<NotedMethod, { watch: Watch; variables: readonly WireVariableSlot[] }[]>();
  readonly #seen = new Map<string, Seen>();
  readonly #looks = new Map<NotedMethod, number>();

  constructor(machine: JdwpMachine, classes: Classes, methods: NotedMethods, values: RecordedValues, log: EventLog) {
    this.#machine = machine;
    this.#classes = classes;
    this.#methods = methods;
    this.#values = values;
    this.#log = log;
  }

  async begin(method: NotedMethod, watch: Watch): Promise<void> {
    if (watch.file !== undefined && watch.file !== method.file) return;
    const { classId, methodId } = method;
    const variables = ((await this.#classes.variables(classId, methodId)) ?? []).filter(
      ({ name }) => name === watch.expression,
    );
    if (variables.length === 0) return;
    const known = this.#watched.get(method) ?? [];
    this.#watched.set(method, [...known, { watch, variables }]);
    if (known.length > 0) return;
    for (const { index } of await this.#classes.lines(classId, methodId))
      await this.#methods.stopAt(method, 'line', index);
  }

  /** The code of a place is about to run. */
  async look(method: NotedMethod, threadId: number, location: JdwpLocation, call: number | undefined): Promise<void> {
    const watched = this.#watched.get(method);
    if (watched === undefined) return;
    const looks = (this.#looks.get(method) ?? 0) + 1;
    this.#looks.set(method, looks);
    if (looks > maxLooks) return this.#methods.leave(method, ['line']);
    const [[frame], depth] = await Promise.all([
      this.#machine.frames(threadId, 0, 1),
      this.#machine.frameCount(threadId),
    ]);
    if (frame === undefined) return;
    const line = await this.#classes.lineAt(location.classId, location.methodId, location.index);
    for (const { watch, variables } of watched) {
      const key = `${watch.id} ${threadId}/${depth}/${method.fn}`;
      const live = variables.find(({ start, length }) => location.index >= start && location.index < start + length);
      if (live === undefined || location.index === 0) this.#seen.delete(key);
      if (live === undefined) continue;
      const [value] = await this.#machine.frameValues(threadId, frame.frameId, [
        { slot: live.slot, tag: live.signature.charAt(0) },
      ]);
      if (value === undefined) continue;
      const now = { value, drawn: await this.#values.of(value), line, start: live.start };
      const before = this.#seen.get(key);
      this.#seen.set(key, now);
      await this.#note({ watch, method, call, before: before?.start === live.start ? before : undefined, now });
    }
  }

  async #note(change: {
    watch: Watch;
    method: NotedMethod;
    call: number | undefined;
    before: Seen | undefined;
    now: Seen;
  }): Promise<void> {
    const { watch, method, call, before, now } = change;
    // What it was called with is no write.
    if (before === undefined && now.start === 0) return;
    if (before !== undefined && before.drawn.text === now.drawn.text && idOf(before.value) === idOf(now.value)) return;
    const { classId, methodId, file } = method;
    const isInPlace = before !== undefined && idOf(now.value) !== undefined && idOf(before.value) === idOf(now.value);
    this.#log.write({
      watch: watch.id,
      target: watch.expression,
      ...(before === undefined ? {} : { old: before.drawn }),
      new: now.drawn,
      kind: isInPlace ? 'change' : 'assign',
      file,
      line: before?.line ?? (await this.#classes.lineAt(classId, methodId, now.start - 1)),
      ...(call === undefined ? {} : { call }),
    });
  }
}

function idOf(value: JdwpValue): number | undefined {
  return isObject(value) ? value.objectId : undefined;
}
