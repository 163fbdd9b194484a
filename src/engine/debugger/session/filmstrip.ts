import { withTimeout } from '../../../base/cancellation.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Breakpoint } from '../breakpoints/breakpointStore.ts';
import { frameView } from '../callers.ts';
import { defaultValueLimits, type StackFrame, type StopEvent, type Variable } from '../model.ts';
import type { FrameView, ReportOptions, VariableView } from '../report.ts';
import type { SourceContext, SourceTexts } from '../sourceText.ts';
import { StopViews } from '../stopView.ts';
import type { Target } from '../target.ts';
import type { Standing } from './sessionState.ts';

/** A value as it was: its parts were looked at too, as far as `children` goes. */
export interface RememberedValue extends Omit<VariableView, 'reference'> {
  children?: RememberedValue[];
  moreChildren?: number;
}

interface RememberedFrame extends FrameView {
  variables?: RememberedValue[];
}

/** A stop that is over, as plain data: what could be seen in it then. */
export interface RememberedStop {
  /** Counts from 1 within the session. */
  number: number;
  time: string;
  reason: StopEvent['reason'];
  description?: string;
  thread: { id: string; name: string };
  exception?: { type: string; message: string };
  location?: FrameView;
  source?: SourceContext;
  frames: RememberedFrame[];
  totalFrames?: number;
  /** Locals of the top frame that differ from the stop before in the same function. */
  changed: { name: string; value: string; previous?: string }[];
  /** Characters that the program had printed by then. */
  outputAt: number;
}

interface FilmstripParts {
  target: Target;
  sources: SourceTexts;
  standing: Standing;
  breakpoints: () => readonly Breakpoint[];
  outputAt: () => number;
  /** How many stops are kept; 0 keeps none. */
  maxStops: number;
}

const options: ReportOptions = { variables: true, source: true, contextLines: 20, maxFrames: 20, maxVariables: 40 };
const framesWithVariables = 3;
const maxExpanded = 12;
const maxChildren = 20;
/** A stop that nobody asks about is looked at after so long. */
const unaskedMs = 40;
/** A program that is let go waits no longer than this until it has been looked at. */
const patienceMs = 150;
const lookMs = 5000;
/** What all stops of a session may take together, as JSON. */
const maxKeptChars = 8_000_000;

/** The stops of a session, oldest first, so that somebody can go back and see what was to be seen then. */
export class Filmstrip {
  readonly onRemembered = new Emitter<RememberedStop>();
  readonly #parts: FilmstripParts;
  /** Its own, so that what agents are told has changed stays what has changed for them. */
  readonly #views: StopViews;
  readonly #stops: { stop: RememberedStop; chars: number }[] = [];
  #number = 0;
  #seen: StopEvent | undefined;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: FilmstripParts) {
    this.#parts = parts;
    this.#views = new StopViews(parts.target, parts.sources);
    if (parts.maxStops === 0) return;
    parts.standing.changes.on((state) => {
      clearTimeout(this.#timer);
      if (state !== 'paused') return;
      this.#timer = setTimeout(() => this.look(), unaskedMs);
      this.#timer.unref();
    });
  }

  get stops(): readonly RememberedStop[] {
    return this.#stops.map(({ stop }) => stop);
  }

  /** Looks at where the program stands now, once. Called when whoever asked has been answered. */
  look(): void {
    clearTimeout(this.#timer);
    const { stop } = this.#parts.standing;
    if (this.#parts.maxStops === 0 || stop === undefined || stop === this.#seen) return;
    this.#seen = stop;
    // A program that dies or runs on under our hands leaves a stop of which less is known, or none.
    this.#looking = withTimeout(this.#remember(stop), lookMs).catch(() => undefined);
  }

  /** Before the program is let go: what is being looked at may be seen to its end, within reason. */
  async settled(): Promise<void> {
    this.look();
    if (this.#looking !== undefined) await withTimeout(this.#looking, patienceMs).catch(() => undefined);
  }

  async #remember(stop: StopEvent): Promise<void> {
    const number = ++this.#number;
    const time = new Date().toISOString();
    const outputAt = this.#parts.outputAt();
    const index = await this.#views.defaultFrame(stop);
    const [view, slice] = await Promise.all([
      this.#views.build(stop, index, options, this.#parts.breakpoints()),
      this.#parts.target.stack(stop.threadId, index, options.maxFrames),
    ]);
    const top = await this.#withChildren(view.variables);
    const callers = await Promise.all(slice.frames.slice(1, framesWithVariables).map((frame) => this.#localsOf(frame)));
    const frames = slice.frames.map((frame, place): RememberedFrame => {
      const variables = place === 0 ? top : callers[place - 1];
      return { ...frameView(frame, index), ...(variables === undefined ? {} : { variables }) };
    });
    const { reason, description, thread, exception, location, source, totalFrames } = view;
    this.#keep({
      number,
      time,
      reason,
      ...(description === undefined ? {} : { description }),
      thread,
      ...(exception === undefined ? {} : { exception: { type: exception.type, message: exception.message } }),
      ...(location === undefined ? {} : { location }),
      ...(source === undefined ? {} : { source }),
      frames,
      ...(totalFrames === undefined ? {} : { totalFrames }),
      changed: view.variables
        .filter((each) => each.changed === true)
        .map(({ name, value, previous }) => ({ name, value, ...(previous === undefined ? {} : { previous }) })),
      outputAt,
    });
  }

  async #localsOf(frame: StackFrame): Promise<RememberedValue[] | undefined> {
    if (!frame.isLive || frame.isLibrary || !this.#isQuiet) return undefined;
    return (await this.#views.variablesOf(frame, options.maxVariables)).shown.map(plain);
  }

  /** Remembering must not change the program: nobody has asked for these values. */
  get #isQuiet(): boolean {
    return this.#parts.target.capabilities.quietParts === true;
  }

  async #withChildren(variables: readonly VariableView[]): Promise<RememberedValue[]> {
    if (!this.#isQuiet) return variables.map(plain);
    let expanded = 0;
    return Promise.all(
      variables.map(async (variable): Promise<RememberedValue> => {
        const { reference } = variable;
        if (reference === undefined || ++expanded > maxExpanded) return plain(variable);
        const range = { start: 0, count: maxChildren };
        const page = await this.#parts.target.variables(reference, range, defaultValueLimits);
        const more = (page.total ?? page.variables.length) - page.variables.length;
        return {
          ...plain(variable),
          children: page.variables.map(plain),
          ...(more > 0 ? { moreChildren: more } : {}),
        };
      }),
    );
  }

  #keep(stop: RememberedStop): void {
    this.#stops.push({ stop, chars: JSON.stringify(stop).length });
    this.#stops.sort((a, b) => a.stop.number - b.stop.number);
    let chars = this.#stops.reduce((sum, each) => sum + each.chars, 0);
    while (this.#stops.length > this.#parts.maxStops || (chars > maxKeptChars && this.#stops.length > 1))
      chars -= this.#stops.shift()?.chars ?? 0;
    this.onRemembered.fire(stop);
  }
}

function plain(variable: Variable): RememberedValue {
  const { reference: _reference, ...rest } = variable;
  return rest;
}
