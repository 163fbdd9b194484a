import { PeerError } from '../../../../base/errors.ts';
import { jdwpErrors } from '../../../../protocol/jdwp/connection.ts';
import type { JdwpMachine, WireFrame } from '../../../../protocol/jdwp/machine.ts';
import type { ObjectValue } from '../../../../protocol/jdwp/packets.ts';
import type { StackFrame } from '../../model.ts';
import type { Classes } from './classes.ts';
import type { LocalVariable } from './expressions/evaluator.ts';
import { partsOfMethod, shortName, shownMethod } from './names.ts';
import { isPlatform, platformSource, type JavaSources } from './sources.ts';

interface FrameFacts extends WireFrame {
  threadId: number;
  index: number;
}

interface FrameLocal extends LocalVariable {
  isArgument: boolean;
}

const nothing: ObjectValue = { tag: 'L', objectId: 0 };

/** The frames of stopped threads. What the machine calls them is valid only until something runs, so they are named by their place. */
export class Frames {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #sources: JavaSources;
  readonly #javaHome: () => string | undefined;
  #known = new Map<number, Promise<WireFrame[]>>();

  constructor(machine: JdwpMachine, classes: Classes, sources: JavaSources, javaHome: () => string | undefined) {
    this.#machine = machine;
    this.#classes = classes;
    this.#sources = sources;
    this.#javaHome = javaHome;
  }

  /** Something ran: frames have to be asked for again. */
  forget(): void {
    this.#known = new Map();
  }

  async all(threadId: number): Promise<WireFrame[]> {
    const known = this.#known.get(threadId) ?? this.#machine.frames(threadId, 0, -1);
    this.#known.set(threadId, known);
    known.catch(() => this.#known.delete(threadId));
    return known;
  }

  async at(threadId: number, index: number): Promise<FrameFacts | undefined> {
    const frame = (await this.all(threadId))[index];
    return frame === undefined ? undefined : { ...frame, threadId, index };
  }

  async shown({ location }: WireFrame, threadId: number, index: number, processId: string): Promise<StackFrame> {
    const { classId, methodId } = location;
    const [info, method, line, file, source] = await Promise.all([
      this.#classes.info(classId),
      this.#classes.method(classId, methodId),
      this.#classes.lineAt(classId, methodId, location.index),
      this.#sources.fileOf(classId),
      this.#classes.sourceName(classId),
    ]);
    // A method that was replaced while it ran has no name any more.
    const name = method?.name ?? (methodId === 0 ? '<replaced>' : '?');
    const library =
      file === undefined && source !== undefined ? platformSource(this.#javaHome(), info.name, source) : undefined;
    return {
      id: `${threadId}/${index}`,
      index,
      name: `${shortName(info.name)}.${shownMethod(name)}`,
      className: info.name,
      methodName: name,
      ...(line > 0 ? { location: { ...(file === undefined ? {} : { file }), line } } : {}),
      isLibrary: file === undefined,
      ...(library === undefined || line === 0 ? {} : { sourceReference: `${processId}:${library}` }),
      isLive: true,
    };
  }

  async self({ threadId, frameId, location }: FrameFacts): Promise<ObjectValue> {
    const method = await this.#classes.method(location.classId, location.methodId);
    if (method?.isStatic === true) return nothing;
    return orNothing(this.#machine.thisObject(threadId, frameId), nothing);
  }

  /** Undefined when the class was compiled without the names of variables. */
  async locals({ threadId, frameId, location }: FrameFacts): Promise<FrameLocal[] | undefined> {
    const { classId, methodId, index } = location;
    const [table, method] = await Promise.all([
      this.#classes.variables(classId, methodId),
      this.#classes.method(classId, methodId),
    ]);
    if (table === undefined) return undefined;
    const live = table.filter(({ start, length, name }) => index >= start && index < start + length && name !== 'this');
    if (live.length === 0) return [];
    const slots = live.map(({ slot, signature }) => ({ slot, tag: signature.charAt(0) }));
    const values = await orNothing(this.#machine.frameValues(threadId, frameId, slots), []);
    const lastArgument = method === undefined ? 0 : argumentSlots(method.signature, method.isStatic);
    const found = live.flatMap(({ name, signature, slot }, at) => {
      const value = values[at];
      return value === undefined ? [] : [{ name, signature, slot, value, isArgument: slot < lastArgument }];
    });
    return found.sort((a, b) => a.slot - b.slot);
  }

  isPlatformClass(name: string): boolean {
    return isPlatform(name);
  }
}

/** Long and double take two. */
function argumentSlots(signature: string, isStatic: boolean): number {
  const { parameters } = partsOfMethod(signature);
  return parameters.reduce((sum, each) => sum + (each === 'J' || each === 'D' ? 2 : 1), isStatic ? 0 : 1);
}

/** A native frame has no variables; that is no failure. */
async function orNothing<T>(answer: Promise<T>, nothingThere: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const codes: unknown[] = [
      jdwpErrors.opaqueFrame,
      jdwpErrors.invalidSlot,
      jdwpErrors.absentInformation,
      jdwpErrors.invalidFrame,
    ];
    if (error instanceof PeerError && codes.includes(error.peerCode)) return nothingThere;
    throw error;
  }
}
