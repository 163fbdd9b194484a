import { eventKinds, suspendPolicies, type JdwpEvent } from '../../../../protocol/jdwp/events.ts';
import type { EventFilter, JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { StepKind } from '../../model.ts';
import { isSynthetic, type Classes } from './classes.ts';
import { platformPatterns, type JavaSources } from './sources.ts';

type Stepped = Extract<JdwpEvent, { kind: 'singleStep' | 'breakpoint' | 'methodEntry' | 'methodExit' }>;

const depths: Readonly<Record<StepKind, number>> = { into: 0, over: 1, out: 2 };

interface RunningStep {
  requestId: number;
  threadId: number;
  kind: StepKind;
  /** It is on its way out of a library it got into. */
  isLeaving: boolean;
  startDepth: number;
  startLine: number;
}

/** One step at a time: by lines, and through the user's own code. */
export class Stepping {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #sources: JavaSources;
  #running: RunningStep | undefined;

  constructor(machine: JdwpMachine, classes: Classes, sources: JavaSources) {
    this.#machine = machine;
    this.#classes = classes;
    this.#sources = sources;
  }

  async begin(threadId: number, kind: StepKind): Promise<void> {
    await this.cancel();
    const [frame] = await this.#machine.frames(threadId, 0, 1);
    const startDepth = await this.#machine.frameCount(threadId);
    const { location } = frame ?? {};
    const startLine =
      location === undefined ? 0 : await this.#classes.lineAt(location.classId, location.methodId, location.index);
    const requestId = await this.#request(threadId, depths[kind]);
    this.#running = { requestId, threadId, kind, isLeaving: false, startDepth, startLine };
  }

  /** The program stopped for whatever reason, or runs on without a step. */
  async cancel(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running !== undefined) await this.#machine.clearEvent(eventKinds.singleStep, running.requestId);
  }

  /** Whether the step is done at this place; if not, it goes on once the thread is let go. */
  async isDone(event: Stepped): Promise<boolean> {
    const running = this.#running;
    if (running?.requestId !== event.requestId) return false;
    const { classId, methodId, index } = event.location;
    const [isOwn, method, line, depth] = await Promise.all([
      this.#sources.isOwn(classId),
      this.#classes.method(classId, methodId),
      this.#classes.lineAt(classId, methodId, index),
      this.#machine.frameCount(running.threadId),
    ]);
    const isMade = method !== undefined && isSynthetic(method) && !method.name.startsWith('lambda$');
    if (!isOwn || isMade || line === 0) {
      // A library's code, or what the compiler made: out of it again, then on as before.
      await this.#goOn(running, isOwn ? depths.into : depths.out, !isOwn);
      return false;
    }
    const isBack = running.isLeaving && depth === running.startDepth && line === running.startLine;
    if (isBack) {
      await this.#goOn(running, depths[running.kind], false);
      return false;
    }
    return true;
  }

  async #goOn(running: RunningStep, depth: number, isLeaving: boolean): Promise<void> {
    await this.#machine.clearEvent(eventKinds.singleStep, running.requestId);
    running.requestId = await this.#request(running.threadId, depth);
    running.isLeaving = isLeaving || running.isLeaving;
  }

  #request(threadId: number, depth: number): Promise<number> {
    const excluded = platformPatterns.map((pattern): EventFilter => ({ kind: 'classExclude', pattern }));
    return this.#machine.setEvent(eventKinds.singleStep, suspendPolicies.all, [
      { kind: 'step', threadId, depth },
      ...excluded,
    ]);
  }
}
