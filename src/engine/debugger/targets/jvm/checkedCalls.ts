import { readFile } from 'node:fs/promises';
import { eventKinds, suspendPolicies, type JdwpEvent } from '../../../../protocol/jdwp/events.ts';
import type { JdwpMachine, WireFrame } from '../../../../protocol/jdwp/machine.ts';
import type { JdwpValue } from '../../../../protocol/jdwp/packets.ts';
import { defaultValueLimits, type Variable } from '../../model.ts';
import { type ClassMethod, type Classes, isSynthetic } from './classes.ts';
import type { Drawing } from './drawing.ts';
import type { Frames } from './frames.ts';
import { type JavaSources, platformPatterns } from './sources.ts';

/** Of a whole run only so many passes are looked at, and none for long: the machine compiles no code meanwhile. */
const maxPasses = 400;
const maxCallMs = 500;
const maxTold = 40;
/** How deep a step goes in the protocol: to the caller. */
const out = 2;
const limits = { ...defaultValueLimits, maxValueChars: 120, maxStringChars: 100, depth: 2 };

interface Entry {
  method: ClassMethod;
  requestId: number;
}

interface OpenCall {
  entry: Entry;
  text: string;
  exitId: number;
  stepId: number;
  timer: NodeJS.Timeout;
  /** What the method gave back last: of a recursion the outermost comes last. */
  value?: JdwpValue;
}

/**
 * What the calls returned that a main class makes which checks by assertions: one without a message says nothing by itself, and the
 * values are gone when it is thrown. They are noted when the calls return; nothing is run a second time.
 */
export class CheckedCalls {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #drawing: Drawing;
  readonly #frames: Frames;
  readonly #sources: JavaSources;
  #mainClass: string | undefined;
  #mainId: number | undefined;
  #called: ReadonlySet<string> = new Set();
  #passes = 0;
  readonly #entries = new Map<number, Entry>();
  readonly #open = new Map<number, OpenCall>();
  readonly #returned = new Map<number, Variable[]>();

  constructor(machine: JdwpMachine, classes: Classes, drawing: Drawing, frames: Frames, sources: JavaSources) {
    this.#machine = machine;
    this.#classes = classes;
    this.#drawing = drawing;
    this.#frames = frames;
    this.#sources = sources;
  }

  async begin(mainClass: string): Promise<void> {
    this.#mainClass = mainClass;
    await this.#watch({ kind: 'classMatch', pattern: mainClass });
  }

  /** In the order of their return. */
  of(threadId: number): Variable[] {
    return [...(this.#returned.get(threadId) ?? [])];
  }

  async prepared(classId: number): Promise<void> {
    if (this.#mainClass === undefined) return;
    if (this.#mainId === undefined && (await this.#classes.nameOf(classId)) === this.#mainClass)
      await this.#readMain(classId);
    if (this.#called.size === 0 || !(await this.#sources.isOwn(classId))) return;
    for (const method of await this.#classes.methods(classId))
      if (this.#called.has(method.name) && method.name !== 'main' && !isSynthetic(method)) await this.#await(method);
  }

  async hear(event: JdwpEvent, threadId: number): Promise<void> {
    const open = this.#open.get(threadId);
    if (event.kind === 'breakpoint') {
      const entry = this.#entries.get(event.requestId);
      if (entry !== undefined) await this.#entered(entry, threadId);
    } else if (event.kind === 'methodExitWithValue' && open?.exitId === event.requestId) {
      if (event.location.methodId === open.entry.method.methodId) open.value = event.value;
    } else if (event.kind === 'singleStep' && open?.stepId === event.requestId) await this.#left(open, threadId);
  }

  /** The program stands, or the call takes long: others want to step, and code is to be compiled again. */
  async letGo(threadId: number): Promise<void> {
    const open = this.#open.get(threadId);
    if (open === undefined) return;
    this.#open.delete(threadId);
    clearTimeout(open.timer);
    await this.#machine.clearEvent(eventKinds.methodExitWithValue, open.exitId);
    await this.#machine.clearEvent(eventKinds.singleStep, open.stepId);
    if (this.#passes <= maxPasses) await this.#await(open.entry.method);
  }

  async #readMain(classId: number): Promise<void> {
    const file = await this.#sources.fileOf(classId);
    const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
    if (!/\bthrow\s+new\s+AssertionError\b|^\s*assert\b/m.test(text)) return;
    this.#mainId = classId;
    this.#called = new Set([...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name = '']) => name));
    await this.#watch(...platformPatterns.map((pattern) => ({ kind: 'classExclude' as const, pattern })));
  }

  async #watch(...filters: Parameters<JdwpMachine['setEvent']>[2]): Promise<void> {
    await this.#machine.setEvent(eventKinds.classPrepare, suspendPolicies.thread, filters);
  }

  async #await(method: ClassMethod): Promise<void> {
    const { classId, methodId } = method;
    const indexes = (await this.#classes.lines(classId, methodId)).map(({ index }) => index);
    if (indexes.length === 0 || [...this.#entries.values()].some((each) => each.method === method)) return;
    const location = { typeTag: 1, classId, methodId, index: Math.min(...indexes) };
    const filter = { kind: 'location' as const, location };
    const requestId = await this.#machine.setEvent(eventKinds.breakpoint, suspendPolicies.thread, [filter]);
    this.#entries.set(requestId, { method, requestId });
  }

  async #entered(entry: Entry, threadId: number): Promise<void> {
    if (++this.#passes > maxPasses) return this.#give();
    const [frame, caller] = await this.#machine.frames(threadId, 0, 2);
    if (frame === undefined || caller === undefined || caller.location.classId !== this.#mainId) return;
    await this.letGo(threadId);
    const { location: from } = caller;
    const line = await this.#classes.lineAt(from.classId, from.methodId, from.index);
    const text = `line ${line}: ${entry.method.name}(${await this.#given(threadId, frame)})`;
    // A thread takes one step at a time: where somebody steps already, nothing is noted.
    const stepId = await this.#machine
      .setEvent(eventKinds.singleStep, suspendPolicies.thread, [{ kind: 'step', threadId, depth: out }])
      .catch(() => undefined);
    if (stepId === undefined) return;
    const exitId = await this.#machine.setEvent(eventKinds.methodExitWithValue, suspendPolicies.none, [
      { kind: 'thread', threadId },
      { kind: 'class', classId: entry.method.classId },
    ]);
    // What it calls itself, and that again, is of no interest.
    this.#entries.delete(entry.requestId);
    await this.#machine.clearEvent(eventKinds.breakpoint, entry.requestId);
    const timer = setTimeout(() => void this.letGo(threadId).catch(() => undefined), maxCallMs).unref();
    this.#open.set(threadId, { entry, text, exitId, stepId, timer });
  }

  /** It has returned, and its caller has the value in hand. */
  async #left(open: OpenCall, threadId: number): Promise<void> {
    await this.letGo(threadId);
    if (open.value === undefined) return;
    const told = { name: open.text, value: await this.#shown(open.value), type: '' };
    this.#returned.set(threadId, [...(this.#returned.get(threadId) ?? []), told].slice(-maxTold));
  }

  async #given(threadId: number, frame: WireFrame): Promise<string> {
    const locals = (await this.#frames.locals({ ...frame, threadId, index: 0 })) ?? [];
    const given = locals.filter(({ isArgument }) => isArgument);
    return (await Promise.all(given.map(({ value }) => this.#shown(value)))).join(', ');
  }

  /** Without the classes of collections: there are many calls, and their code says which. */
  async #shown(value: JdwpValue): Promise<string> {
    return (await this.#drawing.text(value, limits)).replaceAll(/\b[\w$]+\(\d+\) (?=[[{])/g, '');
  }

  /** Too many passes: what was noted is not what the failure was about. */
  async #give(): Promise<void> {
    this.#returned.clear();
    this.#called = new Set();
    const entries = [...this.#entries.keys()];
    this.#entries.clear();
    for (const threadId of this.#open.keys()) await this.letGo(threadId);
    for (const id of entries) await this.#machine.clearEvent(eventKinds.breakpoint, id);
  }
}
