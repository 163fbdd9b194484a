import { eventKinds, suspendPolicies, type JdwpEvent } from '../../../../protocol/jdwp/events.ts';
import type { JdwpMachine, WireFrame } from '../../../../protocol/jdwp/machine.ts';
import type { BreakpointBinding, ExceptionBreakpointSpec } from '../../model.ts';
import type { Classes } from './classes.ts';
import type { JavaSources } from './sources.ts';

type Thrown = Extract<JdwpEvent, { kind: 'exception' }>;

interface ExceptionVerdict {
  spec: ExceptionBreakpointSpec;
  uncaught: boolean;
  /** Only a library catches it: whether that is a failure shows later. */
  mayBeHandled: boolean;
}

/** Places of assertion libraries that catch what they were told to expect. */
const expecting =
  /^(?:org\.junit\.jupiter\.api\.Assert(?:Throws|ThrowsExactly|DoesNotThrow)|org\.junit\.Assert|org\.assertj\.core\.api\.\w*Throwable\w*|org\.testng\.Assert)/;

/** Decides which exceptions stop the program. */
export class JvmExceptions {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #sources: JavaSources;
  #specs: readonly ExceptionBreakpointSpec[] = [];
  readonly #requests = new Map<number, ExceptionBreakpointSpec>();
  readonly #watches = new Map<string, number>();

  constructor(machine: JdwpMachine, classes: Classes, sources: JavaSources) {
    this.#machine = machine;
    this.#classes = classes;
    this.#sources = sources;
  }

  async set(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    for (const id of this.#requests.keys()) await this.#machine.clearEvent(eventKinds.exception, id);
    this.#requests.clear();
    this.#specs = specs;
    const bindings: BreakpointBinding[] = [];
    for (const spec of specs) bindings.push(await this.#begin(spec));
    return bindings;
  }

  /** A class of exceptions that somebody waits for may just have come to be. */
  async prepared(classId: number): Promise<void> {
    const { name } = await this.#classes.info(classId);
    for (const spec of this.#specs)
      if (spec.exceptionClass !== undefined && isNamed(name, spec.exceptionClass)) await this.#request(spec, classId);
  }

  async #begin(spec: ExceptionBreakpointSpec): Promise<BreakpointBinding> {
    const { id, exceptionClass: wanted } = spec;
    if (wanted === undefined) {
      await this.#request(spec, 0);
      return { breakpointId: id, verified: true };
    }
    if (!this.#watches.has(wanted))
      this.#watches.set(
        wanted,
        await this.#machine.setEvent(eventKinds.classPrepare, suspendPolicies.thread, [
          { kind: 'classMatch', pattern: wanted.includes('.') ? wanted : `*${wanted}` },
        ]),
      );
    const loaded = (await this.#machine.allClasses()).filter(({ signature }) =>
      isNamed(signature.slice(1, -1).replaceAll('/', '.'), wanted),
    );
    for (const { classId } of loaded) await this.#request(spec, classId);
    return loaded.length > 0
      ? { breakpointId: id, verified: true }
      : { breakpointId: id, verified: false, isPending: true, message: `no class ${wanted} is loaded yet` };
  }

  async #request(spec: ExceptionBreakpointSpec, classId: number): Promise<void> {
    const caught = spec.caught || spec.userUnhandled;
    const id = await this.#machine.setEvent(eventKinds.exception, suspendPolicies.thread, [
      { kind: 'exception', classId, caught, uncaught: spec.uncaught },
    ]);
    this.#requests.set(id, spec);
  }

  /** What an exception is to whoever asked to be told; undefined when it is none of theirs. */
  async judge(thrown: Thrown): Promise<ExceptionVerdict | undefined> {
    const spec = this.#requests.get(thrown.requestId);
    if (spec === undefined) return undefined;
    const { catchLocation } = thrown;
    if (catchLocation === undefined) return spec.uncaught ? { spec, uncaught: true, mayBeHandled: false } : undefined;
    const isOwnCatch = await this.#sources.isOwn(catchLocation.classId);
    if (spec.caught && (isOwnCatch || (await this.#sources.isOwn(thrown.location.classId))))
      return { spec, uncaught: false, mayBeHandled: false };
    if (isOwnCatch || !spec.userUnhandled) return undefined;
    if (expecting.test(await this.#classes.nameOf(catchLocation.classId))) return undefined;
    if (!(await this.#leavesOwnCode(thrown))) return undefined;
    return { spec, uncaught: true, mayBeHandled: spec.untilEnd === true };
  }

  /** Whether the user's code is among what the exception passes through on its way to whoever catches it. */
  async #leavesOwnCode({ threadId, catchLocation }: Thrown): Promise<boolean> {
    const frames: WireFrame[] = await this.#machine.frames(threadId, 0, -1);
    for (const { location } of frames) {
      if (location.classId === catchLocation?.classId && location.methodId === catchLocation.methodId) return false;
      if (await this.#sources.isOwn(location.classId)) return true;
    }
    return false;
  }
}

function isNamed(className: string, wanted: string): boolean {
  return className === wanted || className.endsWith(`.${wanted}`) || className.endsWith(`$${wanted}`);
}
