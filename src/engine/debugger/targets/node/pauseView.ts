import { ToolError } from '../../../../base/errors.ts';
import type { Protocol } from '../../../../protocol/cdp/types.ts';
import type { StackSlice } from '../../model.ts';
import { Frames } from './frames.ts';
import type { Handle } from './handles.ts';
import type { LoadedScripts } from './loadedScripts.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;

/** What can be seen while an isolate stands still: its frames, and the values given out by id until it runs on. */
export class PauseView {
  readonly handles = new Map<string, Handle>();
  /** Realms found to have no drawing function. */
  readonly undrawable = new Set<string>();
  readonly #threadId: string;
  readonly #name: string;
  readonly #scripts: LoadedScripts;
  readonly #nextHandleId: () => string;
  #event: PausedEvent | undefined;
  #frames: Frames | undefined;
  #number = 0;

  constructor(thread: { id: string; name: string }, scripts: LoadedScripts, nextHandleId: () => string) {
    this.#threadId = thread.id;
    this.#name = thread.name;
    this.#scripts = scripts;
    this.#nextHandleId = nextHandleId;
  }

  get isOpen(): boolean {
    return this.#event !== undefined;
  }

  get event(): PausedEvent {
    if (this.#event === undefined)
      throw new ToolError('not_paused', `${this.#name} is running.`, { hint: 'Pause it, or wait for a stop.' });
    return this.#event;
  }

  open(event: PausedEvent): void {
    this.#event = event;
    this.#frames = undefined;
    this.#number++;
  }

  close(): void {
    if (this.#event === undefined) return;
    this.#event = undefined;
    this.#frames = undefined;
    this.handles.clear();
  }

  async stack(start: number, count: number): Promise<StackSlice> {
    this.#frames ??= new Frames(this.event, {
      prefix: this.#framePrefix(),
      script: (id) => this.#scripts.get(id),
      names: (id) => this.#scripts.namesOf(id),
    });
    return this.#frames.slice(start, count);
  }

  /** The call frame of a frame id given out at this pause. */
  callFrame(frameId: string): Protocol.Debugger.CallFrame {
    const prefix = this.#framePrefix();
    const index = frameId.startsWith(prefix) ? Number(frameId.slice(prefix.length)) : Number.NaN;
    const frame = this.event.callFrames[index];
    if (frame === undefined)
      throw new ToolError(
        'not_paused',
        'This stack frame is gone: the program has run on since, or it is an asynchronous caller without variables.',
        {
          hint: 'Get the stack again and use one of its frames.',
        },
      );
    return frame;
  }

  addHandle(handle: Handle): string {
    const id = this.#nextHandleId();
    this.handles.set(id, handle);
    return id;
  }

  #framePrefix(): string {
    return `${this.#threadId}.${this.#number}.`;
  }
}
