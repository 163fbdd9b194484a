import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { SourceLocation, StepKind } from '../../../model.ts';
import type { Script } from '../scripts/scripts.ts';

const maxRepeats = 120;
/** Node's own modules cannot be hidden from a step: so far it looks in them for a call of the user's code. */
const maxLibrarySteps = 50;

/**
 * V8 steps by statement of the generated code; people step by line of what they wrote. So a step is repeated while it stays on its
 * line, or lands in code that a compiler added or that belongs to a library.
 */
export class StepPolicy {
  readonly kind: StepKind;
  readonly #origin: SourceLocation | undefined;
  readonly #depth: number;
  readonly #locate: (frame: Protocol.Debugger.CallFrame) => SourceLocation | undefined;
  #lastColumn: number;
  #repeats = 0;
  #librarySteps = 0;

  constructor(
    kind: StepKind,
    from: Protocol.Debugger.PausedEvent,
    locate: (frame: Protocol.Debugger.CallFrame) => SourceLocation | undefined,
  ) {
    this.kind = kind;
    this.#locate = locate;
    const top = from.callFrames[0];
    this.#origin = top === undefined ? undefined : locate(top);
    this.#depth = from.callFrames.length;
    // The pause before a script is followed by one at its first statement, in the same place.
    this.#lastColumn = from.reason === 'instrumentation' ? -1 : (this.#origin?.column ?? 0);
  }

  /** What to do next at this pause; undefined: the step has arrived. */
  again(
    event: Protocol.Debugger.PausedEvent,
    scriptOf: (frame: Protocol.Debugger.CallFrame) => Script | undefined,
  ): StepKind | 'run' | undefined {
    const top = event.callFrames[0];
    if (top === undefined || ++this.#repeats > maxRepeats) return undefined;
    const script = scriptOf(top);
    const { lineNumber, columnNumber } = top.location;
    if (script?.isUnmapped(lineNumber, columnNumber ?? 0) === true) return this.kind === 'out' ? 'over' : this.kind;
    if (script?.isLibrary !== false) {
      // Behind the user's last function there is nothing to step to: the program goes on until something stops it.
      const isUserCodeBelow = event.callFrames.some((frame) => scriptOf(frame)?.isLibrary === false);
      if (!isUserCodeBelow) return 'run';
      const isCalled = event.callFrames.length > this.#depth;
      return this.kind === 'into' && isCalled && ++this.#librarySteps <= maxLibrarySteps ? 'into' : 'out';
    }
    if (this.kind === 'out') return undefined;
    const here = this.#locate(top);
    const isSameLine = here !== undefined && here.file === this.#origin?.file && here.line === this.#origin?.line;
    if (!isSameLine || event.callFrames.length !== this.#depth) return undefined;
    // The same line again at an earlier column is the next round of a loop, and that is somewhere new.
    const column = here.column ?? 0;
    if (column <= this.#lastColumn) return undefined;
    this.#lastColumn = column;
    return this.kind;
  }
}
