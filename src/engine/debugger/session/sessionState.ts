import { advise, step } from '../../../base/text/advice.ts';
import { cancellationReason, delay } from '../../../base/cancellation.ts';
import { Deferred } from '../../../base/deferred.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import type { SessionState, StopEvent } from '../model.ts';

/** Where a program stands: its state, the threads that stand still, and which of them is looked at. */
export class Standing {
  /** Fires whenever the state changes, for whoever watches. */
  readonly changes = new Emitter<SessionState>();
  readonly #stops = new Map<string, StopEvent>();
  /** Threads that stand still because another one stopped. They can be looked at, but are no stops. */
  readonly #held = new Map<string, StopEvent>();
  #state: SessionState = 'starting';
  #change = new Deferred<void>();
  #threadId: string | undefined;
  #frameIndex: number | undefined;
  #runningSince = Date.now();
  #pausedSince: number | undefined;
  #pausedMs = 0;

  get state(): SessionState {
    return this.#state;
  }

  /** The thread that is looked at; none while the program runs. */
  get threadId(): string | undefined {
    return this.#threadId;
  }

  /** The frame that was chosen; without a choice the stop itself tells which one matters. */
  get frameIndex(): number | undefined {
    return this.#frameIndex;
  }

  /** How long the program has stood still in all. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#pausedSince === undefined ? 0 : Date.now() - this.#pausedSince);
  }

  get runningForMs(): number {
    return Date.now() - this.#runningSince;
  }

  /** The stop of the thread that is looked at. */
  get stop(): StopEvent | undefined {
    return this.#threadId === undefined ? undefined : this.stopOf(this.#threadId);
  }

  stopOf(threadId: string): StopEvent | undefined {
    return this.#stops.get(threadId) ?? this.#held.get(threadId);
  }

  /** Waits until the program stops or ends, at most `waitMs`. Never throws for time: the state says what came of it. */
  async settle(waitMs: number, signal?: AbortSignal): Promise<SessionState> {
    const deadline = Date.now() + waitMs;
    while (this.#state === 'running' || this.#state === 'starting') {
      const left = deadline - Date.now();
      if (left <= 0) break;
      if (signal?.aborted === true) throw cancellationReason(signal);
      let timer: NodeJS.Timeout | undefined;
      let onAbort: (() => void) | undefined;
      const elapsed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, left);
        onAbort = () => resolve();
        signal?.addEventListener('abort', onAbort, { once: true });
      });
      await Promise.race([this.#change.promise, elapsed]);
      clearTimeout(timer);
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    }
    return this.#state;
  }

  /** Whether the program turns out to be over: its connection may break before its end is known. */
  async endsWithin(waitMs: number): Promise<boolean> {
    const deadline = Date.now() + waitMs;
    while (this.state !== 'ended' && Date.now() < deadline)
      await Promise.race([this.#change.promise, delay(deadline - Date.now())]);
    return this.state === 'ended';
  }

  begun(): void {
    if (this.#state === 'starting') this.#set('running');
  }

  paused(stop: StopEvent): void {
    this.#held.delete(stop.threadId);
    if (stop.isHeld === true) return void this.#held.set(stop.threadId, stop);
    this.#stops.set(stop.threadId, stop);
    if (this.#threadId === undefined) this.#enter(stop.threadId);
  }

  continued(threadId: string): void {
    this.#stops.delete(threadId);
    this.#held.delete(threadId);
    if (this.#threadId === threadId) this.enterNext();
  }

  processGone(processId: string): void {
    for (const stop of [...this.#stops.values(), ...this.#held.values()])
      if (stop.processId === processId) this.continued(stop.threadId);
  }

  /** The thread is let go. Its stop comes back so that it can be taken up again if it did not go. */
  leave(threadId: string, isStep: boolean): StopEvent | undefined {
    const stop = this.stopOf(threadId);
    // From a thread that was only held, the program goes on as a whole.
    if (stop?.isHeld === true && !isStep) this.#stops.clear();
    this.#stops.delete(threadId);
    this.#held.delete(threadId);
    this.#look(undefined);
    this.#runningSince = Date.now();
    this.#set('running');
    return stop;
  }

  takeUpAgain(stop: StopEvent): void {
    this.#stops.set(stop.threadId, stop);
    this.#enter(stop.threadId);
  }

  /** Looks at another thread that stands still, if there is one. */
  enterNext(): void {
    this.#look(undefined);
    const next = this.#stops.keys().next().value;
    if (next !== undefined) this.#enter(next);
    else if (this.#state === 'paused') {
      this.#runningSince = Date.now();
      this.#set('running');
    }
  }

  selectThread(threadId: string): void {
    if (this.stopOf(threadId) === undefined)
      throw new ToolError('not_paused', `Thread ${threadId} is not paused.`, {
        hint: advise`${step('listThreads')} shows the threads.`,
      });
    this.#look(threadId);
  }

  selectFrame(index: number): void {
    this.#frameIndex = index;
  }

  ended(): void {
    this.#stops.clear();
    this.#threadId = undefined;
    this.#set('ended');
  }

  #enter(threadId: string): void {
    this.#look(threadId);
    this.#set('paused');
  }

  #look(threadId: string | undefined): void {
    this.#threadId = threadId;
    this.#frameIndex = undefined;
  }

  #set(state: SessionState): void {
    if (this.#state === 'ended') return;
    this.#pausedMs = this.pausedMs;
    this.#pausedSince = state === 'paused' ? Date.now() : undefined;
    this.#state = state;
    const change = this.#change;
    this.#change = new Deferred();
    change.resolve();
    this.changes.fire(state);
  }
}
