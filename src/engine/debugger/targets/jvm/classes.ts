import { PeerError } from '../../../../base/errors.ts';
import type {
  JdwpMachine,
  WireField,
  WireLine,
  WireMethod,
  WireVariableSlot,
} from '../../../../protocol/jdwp/machine.ts';
import { nameOfSignature, signatureOfName } from './names.ts';

interface ClassInfo {
  id: number;
  signature: string;
  /** `demo.Outer$Inner`. */
  name: string;
}

export interface ClassField extends WireField {
  classId: number;
  isStatic: boolean;
}

export interface ClassMethod extends WireMethod {
  classId: number;
  isStatic: boolean;
}

const staticModifier = 0x8;
const syntheticModifier = 0x1000;

/** What a virtual machine tells of its classes. They do not change while it runs, so each is asked once. */
export class Classes {
  readonly #machine: JdwpMachine;
  #known = new Map<string, Promise<unknown>>();
  readonly #byName = new Map<string, number>();

  constructor(machine: JdwpMachine) {
    this.#machine = machine;
  }

  /** A class was replaced by a newer version of itself. */
  forget(): void {
    this.#known = new Map();
  }

  info(classId: number): Promise<ClassInfo> {
    return this.#once(`i${classId}`, async () => {
      const signature = await this.#machine.signature(classId);
      return { id: classId, signature, name: nameOfSignature(signature) };
    });
  }

  async nameOf(classId: number): Promise<string> {
    return (await this.info(classId)).name;
  }

  /** A loaded class by its whole name. The machine goes through all it has for this, so what was found is kept. */
  async named(name: string): Promise<number | undefined> {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const found = (await this.#machine.classesBySignature(signatureOfName(name)))[0]?.classId;
    if (found !== undefined) this.#byName.set(name, found);
    return found;
  }

  /** Undefined where the compiler left it out. */
  sourceName(classId: number): Promise<string | undefined> {
    return this.#once(`s${classId}`, () => orAbsent(this.#machine.sourceFile(classId)));
  }

  superclass(classId: number): Promise<number> {
    return this.#once(`p${classId}`, () => this.#machine.superclass(classId).catch(() => 0));
  }

  interfaces(classId: number): Promise<number[]> {
    return this.#once(`f${classId}`, () => this.#machine.interfaces(classId));
  }

  /** The class itself, then those it extends, to Object. */
  ancestry(classId: number): Promise<number[]> {
    return this.#once(`a${classId}`, async () => {
      const found: number[] = [];
      for (let id = classId; id !== 0; id = await this.superclass(id)) found.push(id);
      return found;
    });
  }

  /** Names of the class, of all it extends and implements. */
  kinds(classId: number): Promise<ReadonlySet<string>> {
    return this.#once(`k${classId}`, async () => {
      const names = new Set<string>();
      const open = await this.ancestry(classId).then((all) => [...all]);
      for (let id = open.shift(); id !== undefined; id = open.shift()) {
        const name = await this.nameOf(id);
        if (names.has(name)) continue;
        names.add(name);
        open.push(...(await this.interfaces(id)));
      }
      return names;
    });
  }

  /** Every interface of a class, those of its ancestors too. */
  allInterfaces(classId: number): Promise<number[]> {
    return this.#once(`n${classId}`, async () => {
      const found = new Set<number>();
      const open = [...(await this.ancestry(classId))];
      for (let id = open.shift(); id !== undefined; id = open.shift()) {
        for (const each of await this.interfaces(id)) {
          if (found.has(each)) continue;
          found.add(each);
          open.push(each);
        }
      }
      return [...found];
    });
  }

  declaredFields(classId: number): Promise<ClassField[]> {
    return this.#once(`d${classId}`, async () =>
      (await this.#machine.fields(classId)).map((field) => ({
        ...field,
        classId,
        isStatic: (field.modifiers & staticModifier) !== 0,
      })),
    );
  }

  /** Of an object: what its ancestors declare first. */
  instanceFields(classId: number): Promise<ClassField[]> {
    return this.#once(`o${classId}`, async () => {
      const lists = await Promise.all((await this.ancestry(classId)).map((id) => this.declaredFields(id)));
      return lists.reverse().flatMap((fields) => fields.filter((field) => !field.isStatic));
    });
  }

  methods(classId: number): Promise<ClassMethod[]> {
    return this.#once(`m${classId}`, async () =>
      (await this.#machine.methods(classId)).map((method) => ({
        ...method,
        classId,
        isStatic: (method.modifiers & staticModifier) !== 0,
      })),
    );
  }

  async method(classId: number, methodId: number): Promise<ClassMethod | undefined> {
    return (await this.methods(classId)).find((method) => method.methodId === methodId);
  }

  /** Empty for native and abstract methods, and for replaced ones, which a machine dies of being asked about. */
  lines(classId: number, methodId: number): Promise<readonly WireLine[]> {
    if (methodId === 0) return Promise.resolve([]);
    return this.#once(`l${classId}/${methodId}`, async () => {
      const table = await orAbsent(this.#machine.lineTable(classId, methodId));
      return table?.lines ?? [];
    });
  }

  /** The line of a place in the code; 0 when nothing is known. */
  async lineAt(classId: number, methodId: number, index: number): Promise<number> {
    const lines = await this.lines(classId, methodId);
    let best: WireLine | undefined;
    for (const each of lines) if (each.index <= index && each.index >= (best?.index ?? -1)) best = each;
    return best?.line ?? 0;
  }

  /** Undefined when the class was compiled without them. */
  variables(classId: number, methodId: number): Promise<readonly WireVariableSlot[] | undefined> {
    if (methodId === 0) return Promise.resolve(undefined);
    return this.#once(`v${classId}/${methodId}`, () => orAbsent(this.#machine.variableTable(classId, methodId)));
  }

  async isKindOf(classId: number, name: string): Promise<boolean> {
    return (await this.kinds(classId)).has(name);
  }

  #once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    // Every key stands for one question, so what is kept under it has the type of its answer.
    const known = this.#known.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const asked = ask();
    this.#known.set(key, asked);
    asked.catch(() => this.#known.delete(key));
    return asked;
  }
}

export function isSynthetic(member: { modifiers: number }): boolean {
  // The high bits are the protocol's own mark for what the compiler made.
  return (member.modifiers & syntheticModifier) !== 0 || (member.modifiers & 0xf0000000) !== 0;
}

async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PeerError) return undefined;
    throw error;
  }
}
