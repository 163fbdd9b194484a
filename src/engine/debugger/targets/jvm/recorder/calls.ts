import { eventKinds, suspendPolicies, type JdwpEvent } from '../../../../../protocol/jdwp/events.ts';
import type { JdwpMachine, WireFrame } from '../../../../../protocol/jdwp/machine.ts';
import type { JdwpValue } from '../../../../../protocol/jdwp/packets.ts';
import type { RecordedValue } from '../../../ask/model.ts';
import type { EventLog } from '../../../ask/outside/eventLog.ts';
import type { Classes } from '../classes.ts';
import type { NotedMethod, NotedMethods } from './methods.ts';
import { hasIdentity, type RecordedValues } from './values.ts';

interface OpenCall {
  id: number;
  /** How many frames there were with it. */
  depth: number;
  method: NotedMethod;
  /** What it was given, by name, as it looked then. */
  given: readonly { name: string; value: JdwpValue; text: string }[];
  changed?: Record<string, RecordedValue>;
  since: number;
  /** Its end is not waited for any more. */
  isLeft?: boolean;
}

type Thrown = Extract<JdwpEvent, { kind: 'exception' }>;

/** Ends of calls that are not noted any more may still be met so often before they are not stopped at. */
const maxForeignReturns = 200;
/** Code with a breakpoint in it is never compiled: a call that goes on for longer is let go, sooner when it gives nothing back anyway. */
const patienceMs = { nothing: 1500, result: 8000 };
/** Deeper than this the way of an exception is not followed. */
const maxUnwound = 60;

/** The calls that each thread is in, as far as they are noted. */
export class OpenCalls {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #methods: NotedMethods;
  readonly #values: RecordedValues;
  readonly #log: EventLog;
  readonly #open = new Map<number, OpenCall[]>();
  readonly #leaving = new Map<number, OpenCall>();
  readonly #foreignReturns = new Map<NotedMethod, number>();
  readonly #tasks = new Map<number, Promise<string>>();

  constructor(machine: JdwpMachine, classes: Classes, methods: NotedMethods, values: RecordedValues, log: EventLog) {
    this.#machine = machine;
    this.#classes = classes;
    this.#methods = methods;
    this.#values = values;
    this.#log = log;
  }

  /** The innermost noted call of a thread. */
  innermost(threadId: number): number | undefined {
    return this.#open.get(threadId)?.at(-1)?.id;
  }

  async entered(method: NotedMethod, threadId: number): Promise<void> {
    const depth = await this.#machine.frameCount(threadId);
    const open = this.#closedTo(threadId, depth);
    // A loop at its very beginning comes by here again.
    if (open.at(-1)?.depth === depth && open.at(-1)?.method === method) return;
    if (open.at(-1)?.depth === depth) this.#lose(open);
    const frames = await this.#machine.frames(
      threadId,
      0,
      Math.min(depth, depth - (open.at(-1)?.depth ?? depth - 1) + 1),
    );
    await this.#begin(method, threadId, depth, frames);
    if (this.#log.isSpent(method.fn)) {
      this.#log.stopCounting();
      await this.#methods.leave(method, ['entry']);
    }
  }

  async #begin(
    method: NotedMethod,
    threadId: number,
    depth: number,
    frames: readonly WireFrame[],
    throws = false,
  ): Promise<void> {
    const open = this.#openOf(threadId);
    const parent = open.at(-1);
    const [frame] = frames;
    const caller = parent === undefined ? undefined : frames.at(depth - parent.depth);
    if (frame === undefined) return;
    const given = await this.#given(method, threadId, frame);
    const texts = await Promise.all(given.map(({ value }) => this.#values.of(value)));
    const hasSelf = given[0]?.name === 'this';
    const task = await this.#task(threadId);
    const from = caller === undefined ? undefined : await this.#lineOf(caller);
    const id = this.#log.call(
      {
        fn: method.fn,
        ...(parent === undefined ? {} : { parent: parent.id }),
        ...(from === undefined || from === 0 ? {} : { from }),
        args: hasSelf ? texts.slice(1) : texts,
        ...(hasSelf && texts[0] !== undefined ? { self: texts[0] } : {}),
        ...(task === 'main' ? {} : { task: `thread ${task}` }),
      },
      throws,
    );
    if (id === undefined) return;
    const drawn = given.map((each, index) => ({ ...each, text: texts[index]?.text ?? '' }));
    open.push({ id, depth, method, given: drawn, since: performance.now() });
  }

  /** A `return` is about to be run. What it gives is told when it is. */
  async leaving(method: NotedMethod, threadId: number): Promise<void> {
    const depth = await this.#machine.frameCount(threadId);
    const call = this.#closedTo(threadId, depth).at(-1);
    if (call?.depth !== depth || call.method !== method) return this.#foreign(method);
    call.changed = await this.#changes(call);
    if (method.returnsNothing) return this.#end(threadId, call, { text: 'void' });
    const id = await this.#machine.setEvent(eventKinds.methodExitWithValue, suspendPolicies.thread, [
      { kind: 'thread', threadId },
      { kind: 'class', classId: method.classId },
    ]);
    this.#leaving.set(id, call);
  }

  async left(requestId: number, threadId: number, value: JdwpValue): Promise<void> {
    const call = this.#leaving.get(requestId);
    this.#leaving.delete(requestId);
    await this.#machine.clearEvent(eventKinds.methodExitWithValue, requestId);
    if (call !== undefined) await this.#end(threadId, call, await this.#values.of(value));
  }

  /** Everything that an exception passes through on its way to whoever catches it ends by it. */
  async thrown({ threadId, exception, catchLocation }: Thrown): Promise<void> {
    const total = await this.#machine.frameCount(threadId);
    const open = this.#closedTo(threadId, total);
    const frames = await this.#machine.frames(threadId, 0, Math.min(total, maxUnwound));
    const caughtAt = frames.findIndex(
      ({ location }) => location.classId === catchLocation?.classId && location.methodId === catchLocation.methodId,
    );
    const unwound = caughtAt === -1 ? frames : frames.slice(0, caughtAt);
    if (caughtAt === -1 && catchLocation !== undefined && total > maxUnwound) return;
    const isOurs = unwound.some(({ location }) => this.#methods.of(location.classId, location.methodId) !== undefined);
    if (!isOurs) return;
    for (const [index, { location }] of [...unwound.entries()].toReversed()) {
      const depth = total - index;
      const method = this.#methods.of(location.classId, location.methodId);
      // One that was not noted any more is the one that matters.
      if (
        method !== undefined &&
        !open.some((call) => call.depth === depth) &&
        open.every((call) => call.depth < depth)
      )
        await this.#begin(method, threadId, depth, frames.slice(index), true);
    }
    const threw = await this.#values.of(exception);
    for (const [index, frame] of unwound.entries()) {
      const call = open.at(-1);
      if (call?.depth !== total - index) continue;
      open.pop();
      this.#log.returned({ id: call.id, threw: { text: threw.text }, line: await this.#lineOf(frame) });
    }
  }

  /** Calls that go on and on run as fast as they would alone; their ends are not seen then. */
  async leaveLong(): Promise<void> {
    for (const calls of this.#open.values())
      for (const call of calls) {
        const { method, since, isLeft } = call;
        const patience = method.returnsNothing ? patienceMs.nothing : patienceMs.result;
        if (isLeft === true || performance.now() - since < patience) continue;
        for (const each of calls) if (each.method === method) each.isLeft = true;
        this.#log.stopCounting();
        await this.#methods.leave(method, ['entry', 'return']);
      }
  }

  /** The program is over: what it was in when nobody waited for the end any more may have ended. */
  finish(): void {
    for (const open of this.#open.values())
      for (let call = open.pop(); call?.isLeft === true; call = open.pop())
        this.#log.returned({ id: call.id, value: { text: '(end not noted)' } });
  }

  async #end(threadId: number, call: OpenCall, value: RecordedValue): Promise<void> {
    const open = this.#openOf(threadId);
    const at = open.indexOf(call);
    if (at !== -1) open.splice(at);
    const { id, changed = {}, method } = call;
    this.#log.returned({ id, value, ...(Object.keys(changed).length === 0 ? {} : { changed }) });
    const isInside = [...this.#open.values()].some((calls) => calls.some((each) => each.method === method));
    if (this.#log.isSpent(method.fn) && !isInside) await this.#methods.leave(method, ['return']);
  }

  async #foreign(method: NotedMethod): Promise<void> {
    const count = (this.#foreignReturns.get(method) ?? 0) + 1;
    this.#foreignReturns.set(method, count);
    if (count > maxForeignReturns) await this.#methods.leave(method, ['return']);
  }

  async #changes({ given }: OpenCall): Promise<Record<string, RecordedValue>> {
    const changed: Record<string, RecordedValue> = {};
    for (const { name, value, text } of given) {
      if (!hasIdentity(value)) continue;
      const now = await this.#values.of(value);
      if (now.text !== text) changed[name] = now;
    }
    return changed;
  }

  async #given(
    { params, isStatic, isConstructor }: NotedMethod,
    threadId: number,
    { frameId }: WireFrame,
  ): Promise<{ name: string; value: JdwpValue }[]> {
    const slots = params.map(({ slot, signature }) => ({ slot, tag: signature.charAt(0) }));
    const [values, self] = await Promise.all([
      slots.length === 0 ? [] : this.#machine.frameValues(threadId, frameId, slots),
      isStatic || isConstructor ? undefined : this.#machine.thisObject(threadId, frameId),
    ]);
    const named = values.map((value, index) => ({ name: params[index]?.name ?? '', value }));
    return self === undefined ? named : [{ name: 'this', value: self }, ...named];
  }

  #lineOf({ location }: WireFrame): Promise<number> {
    return this.#classes.lineAt(location.classId, location.methodId, location.index);
  }

  #task(threadId: number): Promise<string> {
    const known = this.#tasks.get(threadId) ?? this.#machine.threadName(threadId);
    this.#tasks.set(threadId, known);
    return known;
  }

  #openOf(threadId: number): OpenCall[] {
    const open = this.#open.get(threadId) ?? [];
    this.#open.set(threadId, open);
    return open;
  }

  /** Calls deeper than that are over, though nobody saw their ends. */
  #closedTo(threadId: number, depth: number): OpenCall[] {
    const open = this.#openOf(threadId);
    while ((open.at(-1)?.depth ?? 0) > depth) this.#lose(open);
    return open;
  }

  #lose(open: OpenCall[]): void {
    const call = open.pop();
    if (call === undefined) return;
    const text = call.method.returnsNothing ? 'void' : '(result not noted)';
    this.#log.returned({ id: call.id, value: { text } });
  }
}
