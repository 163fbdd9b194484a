import {
  defaultValueLimits,
  type ExceptionInfo,
  type ValueLimits,
  type VariablePage,
  type VariableRange,
} from '../../model.ts';
import { toException, toVariable, type WireFrame, type WireStop, type WireThread } from './wire.ts';

/** Where the paused threads of a process stand: told with each stop, so that the usual questions need no further message. */
export class PausedThreads {
  readonly #stops = new Map<string, WireStop>();
  /** The protocol's number of a thread -> the name pydevd has for it. */
  readonly #names = new Map<string, string>();

  paused(threadId: string, stop: WireStop): void {
    this.#stops.set(threadId, stop);
    this.#names.set(threadId, stop.thread);
  }

  /** One runs on, and with it all that was told. */
  forget(): void {
    this.#stops.clear();
  }

  has(threadId: string): boolean {
    return this.#stops.has(threadId);
  }

  engineName(threadId: string): string | undefined {
    return this.#names.get(threadId);
  }

  named(threads: readonly WireThread[]): void {
    for (const { id, thread } of threads) this.#names.set(String(id), thread);
  }

  /** While a thread stands still, the threads are those that its stop told of. */
  threads(): readonly WireThread[] | undefined {
    return this.#stops.values().next().value?.threads;
  }

  frames(threadId: string, start: number, count: number): { frames: WireFrame[]; total: number } | undefined {
    const stop = this.#stops.get(threadId);
    if (stop === undefined) return undefined;
    const isKnown = start + count <= stop.frames.length || stop.frames.length === stop.total;
    return isKnown ? { frames: stop.frames.slice(start, start + count), total: stop.total } : undefined;
  }

  /** The locals of the first frame, when they were asked for as they were told. */
  locals(reference: string, range: VariableRange, limits: ValueLimits): VariablePage | undefined {
    const [kind, threadId = '', index] = reference.split('/');
    const stop = this.#stops.get(threadId);
    if (kind !== 'locals' || index !== '0' || stop?.locals === undefined || range.filter !== undefined)
      return undefined;
    const total = stop.localsTotal ?? stop.locals.length;
    const isWhole = stop.locals.length === total || range.start + range.count <= stop.locals.length;
    if (!isWhole || !sameLimits(limits, defaultValueLimits)) return undefined;
    const part = stop.locals.slice(range.start, range.start + range.count);
    return { variables: part.map((each) => toVariable(each, threadId)), total };
  }

  /** A variable was changed: what the stop told of the locals is no longer true. */
  localsChanged(threadId: string): void {
    const stop = this.#stops.get(threadId);
    if (stop !== undefined) stop.locals = undefined;
  }

  exception(threadId: string): ExceptionInfo | undefined {
    const wire = this.#stops.get(threadId)?.exception ?? undefined;
    return wire === undefined ? undefined : toException(wire, threadId);
  }
}

function sameLimits(a: ValueLimits, b: ValueLimits): boolean {
  return (
    a.maxValueChars === b.maxValueChars &&
    a.maxStringChars === b.maxStringChars &&
    a.maxItems === b.maxItems &&
    a.depth === b.depth
  );
}
