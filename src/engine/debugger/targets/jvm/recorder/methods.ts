import { eventKinds, suspendPolicies } from '../../../../../protocol/jdwp/events.ts';
import type { JdwpMachine, WireVariableSlot } from '../../../../../protocol/jdwp/machine.ts';
import type { Focus } from '../../../ask/model.ts';
import type { EventLog } from '../../../ask/outside/eventLog.ts';
import { type Classes, type ClassMethod, isSynthetic } from '../classes.ts';
import { partsOfMethod, shortName, shownMethod } from '../names.ts';
import { returnPlaces } from './instructions.ts';

/** A method whose calls are noted. */
export interface NotedMethod {
  fn: number;
  classId: number;
  methodId: number;
  isStatic: boolean;
  isConstructor: boolean;
  returnsNothing: boolean;
  file: string;
  params: readonly WireVariableSlot[];
}

/** What a breakpoint of ours means. */
type Place = { kind: 'entry' | 'return' | 'line'; method: NotedMethod };

/** Puts breakpoints at the beginning and the ends of methods, and takes them away when enough was seen. */
export class NotedMethods {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #log: EventLog;
  readonly #focus: Focus;
  readonly #known = new Map<string, NotedMethod>();
  readonly #places = new Map<number, Place>();

  constructor(machine: JdwpMachine, classes: Classes, log: EventLog, focus: Focus) {
    this.#machine = machine;
    this.#classes = classes;
    this.#log = log;
    this.#focus = focus;
  }

  at(requestId: number): Place | undefined {
    return this.#places.get(requestId);
  }

  of(classId: number, methodId: number): NotedMethod | undefined {
    return this.#known.get(`${classId}/${methodId}`);
  }

  /** Answers the methods of a class that are noted from now on. */
  async begin(classId: number, file: string): Promise<NotedMethod[]> {
    const noted: NotedMethod[] = [];
    for (const method of await this.#classes.methods(classId)) {
      const found = await this.#describe(method, file);
      if (found === undefined) continue;
      this.#known.set(`${classId}/${found.methodId}`, found);
      noted.push(found);
      await this.stopAt(found, 'entry', 0);
      const code = await this.#machine.bytecodes(classId, found.methodId);
      await Promise.all(returnPlaces(code).map((index) => this.stopAt(found, 'return', index)));
    }
    return noted;
  }

  async stopAt(method: NotedMethod, kind: Place['kind'], index: number): Promise<void> {
    const { classId, methodId } = method;
    const location = { typeTag: 1, classId, methodId, index };
    const id = await this.#machine.setEvent(eventKinds.breakpoint, suspendPolicies.thread, [
      { kind: 'location', location },
    ]);
    this.#places.set(id, { kind, method });
  }

  async leave(method: NotedMethod, kinds: readonly Place['kind'][]): Promise<void> {
    for (const [id, place] of this.#places) {
      if (place.method !== method || !kinds.includes(place.kind)) continue;
      this.#places.delete(id);
      await this.#machine.clearEvent(eventKinds.breakpoint, id);
    }
  }

  async leaveAll(): Promise<void> {
    for (const method of this.#known.values()) await this.leave(method, ['entry', 'return', 'line']);
  }

  async #describe(method: ClassMethod, file: string): Promise<NotedMethod | undefined> {
    const { classId, methodId, name, signature, isStatic } = method;
    const isMadeUp = isSynthetic(method) && !name.startsWith('lambda$');
    if (isMadeUp || name === '<clinit>') return undefined;
    const lines = (await this.#classes.lines(classId, methodId)).map(({ line }) => line);
    // Native and abstract ones have none.
    if (lines.length === 0) return undefined;
    const owner = shortName(await this.#classes.nameOf(classId));
    const shown = `${owner}.${shownMethod(name)}`;
    if (!isWanted(shown, this.#focus.functions)) return undefined;
    const { parameters, result } = partsOfMethod(signature);
    const variables = (await this.#classes.variables(classId, methodId)) ?? [];
    const params = variables
      .filter((each) => each.start === 0 && each.name !== 'this')
      .toSorted((a, b) => a.slot - b.slot)
      .slice(0, parameters.length);
    const fn = this.#log.functionId({
      name: shown,
      file,
      line: Math.min(...lines),
      endLine: Math.max(...lines),
      params: params.map((each) => each.name),
    });
    const returnsNothing = result === 'V';
    return { fn, classId, methodId, isStatic, isConstructor: name === '<init>', returnsNothing, file, params };
  }
}

function isWanted(name: string, functions: readonly string[]): boolean {
  return functions.length === 0 || functions.some((wanted) => name === wanted || name.endsWith(`.${wanted}`));
}
