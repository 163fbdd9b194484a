import { basename } from 'node:path';
import { eventKinds, suspendPolicies } from '../../../../protocol/jdwp/events.ts';
import type { EventFilter, JdwpMachine, WireLine } from '../../../../protocol/jdwp/machine.ts';
import type {
  BreakpointBinding,
  BreakpointStatistics,
  DataBreakpointSpec,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
} from '../../model.ts';
import type { ClassMethod, Classes } from './classes.ts';
import { isSynthetic } from './classes.ts';
import { shortName } from './names.ts';
import type { JavaSources } from './sources.ts';
import { isPlatform, platformPatterns } from './sources.ts';

export type CodeBreakpoint = LineBreakpointSpec | FunctionBreakpointSpec | DataBreakpointSpec;

/** A breakpoint as it stands in the machine: one for each place in compiled code that it means. */
export interface Placed {
  spec: CodeBreakpoint;
  /** Set for the stop at the first line of a program. */
  isEntry?: boolean;
  /** Set where a field is watched instead of a place. */
  field?: { name: string };
  /** One object's field, of which only changes count. */
  isWatched?: boolean;
}

interface Request {
  kind: number;
  id: number;
}

/** Where the line or the first code of a method is, in one class. */
interface Spot {
  classId: number;
  methodId: number;
  index: number;
  line: number;
}

const entryId = 'entry';

/** Line, method and field breakpoints of one virtual machine: put where their classes are, and where they come to be. */
export class JvmBreakpoints {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #sources: JavaSources;
  readonly #onBound: (binding: BreakpointBinding) => void;
  readonly #lines = new Map<string, readonly LineBreakpointSpec[]>();
  #functions: readonly FunctionBreakpointSpec[] = [];
  #entryClass: string | undefined;
  readonly #placed = new Map<number, Placed>();
  /** What stands for each breakpoint, by its id. */
  readonly #requests = new Map<string, Request[]>();
  readonly #bindings = new Map<string, BreakpointBinding>();
  readonly #statistics = new Map<string, BreakpointStatistics>();
  /** Requests to be told of new classes, by what they look for. */
  readonly #watches = new Map<string, Promise<number>>();

  constructor(
    machine: JdwpMachine,
    classes: Classes,
    sources: JavaSources,
    onBound: (binding: BreakpointBinding) => void,
  ) {
    this.#machine = machine;
    this.#classes = classes;
    this.#sources = sources;
    this.#onBound = onBound;
  }

  async setLines(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    for (const old of this.#lines.get(file) ?? []) await this.#clear(old.id);
    if (specs.length === 0) this.#lines.delete(file);
    else this.#lines.set(file, specs);
    if (specs.length === 0) return [];
    await this.#watch({ kind: 'sourceName', pattern: basename(file) });
    for (const spec of specs) this.#begin(spec.id);
    const source = basename(file);
    for (const classId of await this.#loadedClasses()) {
      if ((await this.#classes.sourceName(classId)) !== source) continue;
      if ((await this.#sources.fileOf(classId)) === file) await this.#bindLines(classId, specs);
    }
    return specs.map(({ id }) => this.#bindings.get(id) ?? pending(id));
  }

  async setFunctions(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    for (const old of this.#functions) await this.#clear(old.id);
    this.#functions = specs;
    for (const spec of specs) {
      this.#begin(spec.id);
      const { owner } = memberOf(spec.functionName);
      await this.#watch(
        ...(owner === undefined
          ? platformPatterns.map((pattern): EventFilter => ({ kind: 'classExclude', pattern }))
          : [{ kind: 'classMatch', pattern: `*${lastPart(owner)}` } as const]),
      );
    }
    if (specs.length > 0) for (const classId of await this.#loadedClasses()) await this.#bindFunctions(classId, specs);
    return specs.map(({ id }) => this.#bindings.get(id) ?? pending(id));
  }

  async setAgain(): Promise<void> {
    for (const [file, specs] of [...this.#lines]) await this.setLines(file, specs);
    await this.setFunctions(this.#functions);
  }

  /** Stops at the first line of a class's `main`. */
  async stopAtEntry(className: string): Promise<void> {
    this.#entryClass = className;
    await this.#watch({ kind: 'classMatch', pattern: className });
  }

  /** A class has come to be; its code has not run yet. */
  async prepared(classId: number): Promise<void> {
    const info = await this.#classes.info(classId);
    if (info.name === this.#entryClass) await this.#bindEntry(classId);
    const source = await this.#classes.sourceName(classId);
    for (const [file, specs] of this.#lines)
      if (basename(file) === source && (await this.#sources.fileOf(classId)) === file)
        await this.#bindLines(classId, specs);
    await this.#bindFunctions(classId, this.#functions);
  }

  placed(requestId: number): Placed | undefined {
    return this.#placed.get(requestId);
  }

  statistics(): BreakpointStatistics[] {
    return [...this.#statistics.values()].map((each) => ({ ...each }));
  }

  statisticsOf(id: string): BreakpointStatistics {
    const known = this.#statistics.get(id) ?? {
      breakpointId: id,
      hits: 0,
      conditionFalse: 0,
      conditionErrors: 0,
      fileLoaded: false,
    };
    this.#statistics.set(id, known);
    return known;
  }

  #begin(id: string): void {
    this.statisticsOf(id);
    this.#bindings.set(id, pending(id));
  }

  async #bindLines(classId: number, specs: readonly LineBreakpointSpec[]): Promise<void> {
    const methods = (await this.#classes.methods(classId)).filter((method) => !isBridge(method));
    const tables = await Promise.all(
      methods.map(async ({ methodId }) => ({ methodId, lines: await this.#classes.lines(classId, methodId) })),
    );
    for (const spec of specs) {
      this.statisticsOf(spec.id).fileLoaded = true;
      const spots = spotsAt(classId, tables, spec.line);
      for (const spot of spots) await this.#place(spec, spot);
      if (spots.length > 0)
        this.#bound(spec.id, { verified: true, location: { file: spec.file, line: spots[0]?.line ?? spec.line } });
      else if (this.#bindings.get(spec.id)?.verified !== true)
        this.#unbound(
          spec,
          tables.flatMap(({ lines }) => lines),
        );
    }
  }

  /** The class holds no code there; another one of the same file may. */
  #unbound(spec: LineBreakpointSpec, lines: readonly WireLine[]): void {
    const known = this.#bindings.get(spec.id)?.nearestLines ?? [];
    const near = [...new Set([...known, ...lines.map(({ line }) => line)])]
      .sort((a, b) => Math.abs(a - spec.line) - Math.abs(b - spec.line))
      .slice(0, 4)
      .sort((a, b) => a - b);
    this.#bound(spec.id, { verified: false, message: 'there is no code on this line', nearestLines: near });
  }

  async #bindFunctions(classId: number, specs: readonly FunctionBreakpointSpec[]): Promise<void> {
    if (specs.length === 0) return;
    const { name } = await this.#classes.info(classId);
    for (const spec of specs) {
      const { owner, member } = memberOf(spec.functionName);
      if (owner === undefined ? isPlatform(name) || !(await this.#sources.isOwn(classId)) : !isNamed(name, owner))
        continue;
      this.statisticsOf(spec.id).fileLoaded = true;
      const file = await this.#sources.fileOf(classId);
      const methods = (await this.#classes.methods(classId)).filter(
        (each) => means(each, member, name) && !isBridge(each),
      );
      let first: Spot | undefined;
      for (const method of methods) {
        const [start] = [...(await this.#classes.lines(classId, method.methodId))].sort((a, b) => a.index - b.index);
        if (start === undefined) continue;
        const spot = { classId, methodId: method.methodId, ...start };
        await this.#place(spec, spot);
        first ??= spot;
      }
      if (first !== undefined)
        this.#bound(spec.id, {
          verified: true,
          ...(file === undefined ? {} : { location: { file, line: first.line } }),
        });
      else if (owner !== undefined) await this.#bindField(spec, classId, member, file);
    }
  }

  /** A field of that name: it stops where its value is about to change. */
  async #bindField(
    spec: FunctionBreakpointSpec,
    classId: number,
    member: string,
    file: string | undefined,
  ): Promise<void> {
    const field = (await this.#classes.declaredFields(classId)).find((each) => each.name === member);
    if (field === undefined) {
      const names = (await this.#classes.methods(classId))
        .filter((each) => !isSynthetic(each))
        .map((each) => each.name);
      const told = [...new Set(names)].slice(0, 8).join(', ');
      this.#bound(spec.id, {
        verified: false,
        message: `the class has no method or field '${member}' with code; it has ${told}`,
      });
      return;
    }
    const policy = policyOf(spec);
    const id = await this.#machine.setEvent(eventKinds.fieldModification, policy, [
      { kind: 'field', classId, fieldId: field.fieldId },
    ]);
    this.#remember(spec, { kind: eventKinds.fieldModification, id }, { spec, field: { name: member } });
    this.#bound(spec.id, {
      verified: true,
      message: `stops where the field ${member} is written`,
      ...(file === undefined ? {} : { location: { file, line: 1 } }),
    });
  }

  async #bindEntry(classId: number): Promise<void> {
    const main = (await this.#classes.methods(classId)).find(({ name }) => name === 'main');
    if (main === undefined) return;
    const [start] = [...(await this.#classes.lines(classId, main.methodId))].sort((a, b) => a.index - b.index);
    if (start === undefined) return;
    const spec: FunctionBreakpointSpec = { id: entryId, functionName: 'main', suspendPolicy: 'all' };
    await this.#place(spec, { classId, methodId: main.methodId, ...start }, true);
  }

  async #place(spec: CodeBreakpoint, spot: Spot, isEntry = false): Promise<void> {
    const { classId, methodId, index } = spot;
    const id = await this.#machine.setEvent(eventKinds.breakpoint, policyOf(spec), [
      { kind: 'location', location: { typeTag: 1, classId, methodId, index } },
    ]);
    this.#remember(spec, { kind: eventKinds.breakpoint, id }, { spec, isEntry });
  }

  #remember(spec: CodeBreakpoint, request: Request, placed: Placed): void {
    this.#placed.set(request.id, placed);
    this.#requests.set(spec.id, [...(this.#requests.get(spec.id) ?? []), request]);
  }

  async #clear(id: string): Promise<void> {
    for (const request of this.#requests.get(id) ?? []) {
      this.#placed.delete(request.id);
      await this.#machine.clearEvent(request.kind, request.id);
    }
    this.#requests.delete(id);
    this.#bindings.delete(id);
  }

  async #watch(...filters: EventFilter[]): Promise<void> {
    const key = JSON.stringify(filters);
    const known =
      this.#watches.get(key) ?? this.#machine.setEvent(eventKinds.classPrepare, suspendPolicies.thread, filters);
    this.#watches.set(key, known);
    await known;
  }

  async #loadedClasses(): Promise<number[]> {
    const all = await this.#machine.allClasses();
    // Prepared ones only: others have no code to look at yet.
    return all
      .filter(
        ({ status, signature }) => (status & 2) !== 0 && /^L(?!java\/|javax\/|jdk\/|sun\/|com\/sun\/)/.test(signature),
      )
      .map(({ classId }) => classId);
  }

  #bound(id: string, binding: Omit<BreakpointBinding, 'breakpointId'>): void {
    const fresh = { breakpointId: id, ...binding };
    this.#bindings.set(id, fresh);
    this.#onBound(fresh);
  }
}

function pending(id: string): BreakpointBinding {
  return { breakpointId: id, verified: false, isPending: true, message: 'its class is not loaded yet' };
}

/** Others run on while a condition is looked at; they are held when it is a stop. */
function policyOf(spec: CodeBreakpoint): number {
  const isQuiet = spec.condition !== undefined || spec.hitCondition !== undefined || spec.logMessage !== undefined;
  return spec.suspendPolicy === 'all' && !isQuiet ? suspendPolicies.all : suspendPolicies.thread;
}

/** The places of a line, one in each method that has it; of a line without code, those of the next one inside the same method. */
function spotsAt(
  classId: number,
  tables: readonly { methodId: number; lines: readonly WireLine[] }[],
  line: number,
): Spot[] {
  const exact = tables.flatMap(({ methodId, lines }) => firstOf(classId, methodId, lines, line));
  if (exact.length > 0) return exact;
  for (const { methodId, lines } of tables) {
    const numbers = lines.map((each) => each.line).sort((a, b) => a - b);
    const [first, last] = [numbers[0], numbers.at(-1)];
    if (first === undefined || last === undefined || line < first || line > last) continue;
    const next = numbers.find((each) => each > line);
    if (next !== undefined) return firstOf(classId, methodId, lines, next);
  }
  return [];
}

function firstOf(classId: number, methodId: number, lines: readonly WireLine[], line: number): Spot[] {
  const indexes = lines.filter((each) => each.line === line).map(({ index }) => index);
  return indexes.length === 0 ? [] : [{ classId, methodId, index: Math.min(...indexes), line }];
}

/** `demo.Order.total`, `Order#total(int)` and `total` by class and member. */
function memberOf(text: string): { owner: string | undefined; member: string } {
  const plain = text.replace(/\(.*$/, '').replace('#', '.').replaceAll('::', '.').trim();
  const at = plain.lastIndexOf('.');
  return at < 0 ? { owner: undefined, member: plain } : { owner: plain.slice(0, at), member: plain.slice(at + 1) };
}

function lastPart(owner: string): string {
  return owner.slice(Math.max(owner.lastIndexOf('.'), owner.lastIndexOf('$')) + 1);
}

function isNamed(className: string, owner: string): boolean {
  const wanted = owner.replaceAll('$', '.');
  const whole = className.replaceAll('$', '.');
  return whole === wanted || whole.endsWith(`.${wanted}`);
}

function means(method: ClassMethod, member: string, className: string): boolean {
  if (method.name === member) return true;
  // A constructor is called like its class.
  return method.name === '<init>' && (member === 'new' || lastPart(shortName(className)) === member);
}

function isBridge({ modifiers, name }: ClassMethod): boolean {
  return isSynthetic({ modifiers }) && !name.startsWith('lambda$');
}
