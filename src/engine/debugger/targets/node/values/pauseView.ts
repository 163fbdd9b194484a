import { ToolError } from '../../../../../base/errors.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import { defaultValueLimits, type StackSlice } from '../../../model.ts';
import { Frames } from './frames.ts';
import type { Handle } from './handles.ts';
import type { LoadedScripts } from '../scripts/loadedScripts.ts';
import { ScopeDrawing } from './scopeDrawing.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;
type CallFrame = Protocol.Debugger.CallFrame;

/** What can be seen while an isolate stands still: its frames, and the values given out by id until it runs on. */
export class PauseView {
  readonly handles = new Map<string, Handle>();
  /** Realms found to have no drawing function. */
  readonly #undrawable = new Set<string>();
  readonly #session: CdpSession;
  readonly #threadId: string;
  readonly #name: string;
  readonly #scripts: LoadedScripts;
  readonly #nextHandleId: () => string;
  #event: PausedEvent | undefined;
  #frames: Frames | undefined;
  #begun: { frame: CallFrame; drawing: ScopeDrawing } | undefined;
  #isTouched = false;
  #number = 0;

  constructor(
    session: CdpSession,
    thread: { id: string; name: string },
    scripts: LoadedScripts,
    nextHandleId: () => string,
  ) {
    this.#session = session;
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
    this.#isTouched = false;
    this.#number++;
  }

  close(): void {
    if (this.#event === undefined) return;
    this.#event = undefined;
    this.#frames = undefined;
    this.#begun = undefined;
    this.handles.clear();
  }

  async stack(start: number, count: number): Promise<StackSlice> {
    this.#frames ??= new Frames(this.event, {
      prefix: this.#framePrefix(),
      threadId: this.#threadId,
      script: (id) => this.#scripts.get(id),
      names: (id) => this.#scripts.namesOf(id),
    });
    return this.#frames.slice(start, count);
  }

  /** Asks for the variables of the top frame at once: V8 draws them while everything else that a stop shows is gathered here. */
  beginDrawing(): void {
    const frame = this.event.callFrames[0];
    if (frame === undefined) return;
    this.#begun = { frame, drawing: this.#drawingOf(frame) };
    this.#begun.drawing.begin(defaultValueLimits);
  }

  /** Whether something was evaluated that may have changed what V8 told of the variables when it stopped. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  touch(): void {
    this.#isTouched = true;
    this.#begun = undefined;
  }

  takeDrawing(frame: CallFrame): ScopeDrawing {
    const begun = this.#begun;
    this.#begun = undefined;
    return begun?.frame === frame ? begun.drawing : this.#drawingOf(frame);
  }

  #drawingOf(frame: CallFrame): ScopeDrawing {
    return new ScopeDrawing(this.#session, frame, this.#undrawable);
  }

  /** The call frame of a frame id given out at this pause. */
  callFrame(frameId: string): CallFrame {
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
