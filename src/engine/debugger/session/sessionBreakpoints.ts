import { withTimeout } from '../../../base/cancellation.ts';
import { ToolError } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { type Breakpoint, type BreakpointStore, dataSpec, type NewBreakpoint } from '../breakpoints/breakpointStore.ts';
import type {
  BreakpointBinding,
  BreakpointSetup,
  BreakpointStatistics,
  LineBreakpointSpec,
  StopEvent,
} from '../model.ts';
import { whyNeverHit } from '../breakpoints/neverHit.ts';
import type { NeverHit } from '../report.ts';
import type { Standing } from './sessionState.ts';
import type { Target } from '../target.ts';

const runToId = '#run_to';

/** The breakpoints of the project as they are in one session: where they were bound, how often they stopped it. */
export class SessionBreakpoints {
  readonly #store: BreakpointStore;
  readonly #target: Target;
  readonly #standing: Standing;
  readonly #logger: Logger;
  readonly #foretell: (breakpoint: Breakpoint) => Promise<BreakpointBinding | undefined>;
  readonly #concerns: (file: string) => boolean;
  readonly #whyNotBound: (breakpoint: Pick<Breakpoint, 'condition' | 'logMessage'>) => string | undefined;
  readonly #isReadOnly: () => boolean;
  readonly #bindings = new Map<string, BreakpointBinding>();
  readonly #stopsOf = new Map<string, number>();
  /** Hits in other sessions before this one began. */
  readonly #hitsBefore = new Map<string, number>();
  /** Temporary breakpoints that have done their work. */
  readonly #spent: Breakpoint[] = [];
  #statistics: BreakpointStatistics[] = [];
  #runTo: LineBreakpointSpec | undefined;
  #takenAway: Promise<unknown> | undefined;

  constructor(
    parts: {
      breakpoints: BreakpointStore;
      logger: Logger;
      concerns: (file: string) => boolean;
      /** Why the language of this session may not take a breakpoint. */
      whyNotBound: (breakpoint: Pick<Breakpoint, 'condition' | 'logMessage'>) => string | undefined;
      /** Whether what breakpoints evaluate may have no side effect. */
      isReadOnly: () => boolean;
    },
    target: Target,
    standing: Standing,
    foretell: (breakpoint: Breakpoint) => Promise<BreakpointBinding | undefined>,
  ) {
    this.#foretell = foretell;
    this.#store = parts.breakpoints;
    this.#target = target;
    this.#standing = standing;
    this.#logger = parts.logger;
    this.#concerns = parts.concerns;
    this.#whyNotBound = parts.whyNotBound;
    this.#isReadOnly = parts.isReadOnly;
  }

  setup(): BreakpointSetup {
    for (const { id, hitCount } of this.#store.list()) this.#hitsBefore.set(id, hitCount);
    const setup = this.#store.setup();
    const files = new Set([...setup.lines.keys(), ...(this.#runTo === undefined ? [] : [this.#runTo.file])]);
    return {
      lines: new Map(
        [...files].filter((file) => this.#concerns(file)).map((file) => [file, this.#specsOf(file)] as const),
      ),
      functions: this.#bindable(setup.functions),
      exceptions: this.#bindable(setup.exceptions),
    };
  }

  /** From now on exceptions do not stop this session. */
  async ignoreExceptions(): Promise<void> {
    await this.#target.setExceptionBreakpoints([]);
  }

  /** All that may have stopped the program. */
  list(): Breakpoint[] {
    return [...this.#store.list(), ...this.#spent];
  }

  bindingOf(breakpointId: string): BreakpointBinding | undefined {
    return this.#bindings.get(breakpointId);
  }

  bound(binding: BreakpointBinding): void {
    this.#bindings.set(binding.breakpointId, binding);
  }

  /** Brings the target up to what the store says of one file, or of everything that has no file. */
  async apply(file: string | undefined): Promise<void> {
    if (this.#standing.state === 'ended' || (file !== undefined && !this.#concerns(file))) return;
    const bindings =
      file === undefined
        ? [
            ...(await this.#target.setFunctionBreakpoints(this.#bindable(this.#store.functionSpecs()))),
            ...(await this.#target.setExceptionBreakpoints(this.#bindable(this.#store.exceptionSpecs()))),
          ]
        : await this.#target.setLineBreakpoints(file, this.#specsOf(file));
    for (const binding of bindings) this.bound(binding);
  }

  /** What was set before it was known in which language, or under which rules, it would be evaluated. */
  #bindable<T extends { id: string; condition?: string | undefined; logMessage?: string | undefined }>(
    specs: readonly T[],
  ): T[] {
    const bindable = specs.filter((spec) => {
      const message = this.#whyNotBound(spec);
      if (message !== undefined) this.bound({ breakpointId: spec.id, verified: false, message });
      return message === undefined;
    });
    return this.#isReadOnly() ? bindable.map((spec) => ({ ...spec, readOnly: true })) : bindable;
  }

  /** Stops the program when what an expression means in a frame changes; gone with this session. */
  async watch(wanted: NewBreakpoint, frameId: string): Promise<{ breakpoint: Breakpoint; binding: BreakpointBinding }> {
    const message = this.#whyNotBound(wanted);
    if (message !== undefined) throw new ToolError('breakpoint_error', `${message}.`);
    const breakpoint = await this.#store.put(wanted);
    const [spec = dataSpec(breakpoint)] = this.#bindable([dataSpec(breakpoint)]);
    const binding = await this.#target.watchData?.(spec, frameId);
    if (binding?.verified !== true) {
      await this.#store.remove(breakpoint.id);
      throw new ToolError('breakpoint_error', `It cannot be watched: ${binding?.message ?? 'no reason was given'}.`);
    }
    this.bound(binding);
    return { breakpoint, binding };
  }

  async unwatch(id: string): Promise<void> {
    if (this.#standing.state !== 'ended') await this.#target.unwatchData?.(id);
  }

  /** What was watched meant something in this run only. */
  async forgetWatched(sessionId: string): Promise<void> {
    await this.#store.forgetSession(sessionId);
  }

  /** A line to stop at once; it is taken away with the next stop, whatever that is. */
  async runTo(file: string, line: number): Promise<BreakpointBinding | undefined> {
    this.#runTo = { id: runToId, file, line, suspendPolicy: 'all' };
    this.#bindings.delete(runToId);
    await this.apply(file);
    return this.#bindings.get(runToId);
  }

  async forgetRunTo(): Promise<void> {
    const { file } = this.#runTo ?? {};
    this.#runTo = undefined;
    if (file !== undefined) await this.apply(file);
  }

  /** The same for a program that is yet to be started. */
  stopFirstAt(file: string, line: number): void {
    this.#runTo = { id: runToId, file, line, suspendPolicy: 'all' };
  }

  /** Notes what stopped the program. The stop comes back as it is to be shown. */
  onPaused(stop: StopEvent): StopEvent {
    if (this.#runTo !== undefined) {
      const { file } = this.#runTo;
      this.#runTo = undefined;
      this.#takeAway(this.apply(file), 'a run-to breakpoint stays');
    }
    for (const id of stop.breakpointIds) this.#onHit(id);
    if (!stop.breakpointIds.includes(runToId)) return stop;
    const breakpointIds = stop.breakpointIds.filter((id) => id !== runToId);
    return { ...stop, breakpointIds, description: 'reached the line' };
  }

  /** What was to stop the program once is out of it; before that it may not run on. */
  async settled(): Promise<void> {
    await this.#takenAway;
  }

  async readStatistics(withinMs: number): Promise<void> {
    try {
      this.#statistics = await withTimeout(this.#target.breakpointStatistics(), withinMs);
      await this.#foretellUnbound();
    } catch (error) {
      this.#logger.debug('the counts of breakpoints could not be read', error);
    }
  }

  /** What never was bound may say why: no source map names the file, or its line has no code. */
  async #foretellUnbound(): Promise<void> {
    for (const item of this.#concerned()) {
      const known = this.#bindings.get(item.id);
      if (!item.enabled || (known !== undefined && known.isPending !== true)) continue;
      const binding = await this.#foretell(item);
      if (binding !== undefined) this.bound(binding);
    }
  }

  /** How often each log point has spoken. */
  logged(): { breakpoint: Breakpoint; count: number }[] {
    return this.#concerned().flatMap((breakpoint) => {
      const count = this.#statistics.find((each) => each.breakpointId === breakpoint.id)?.hits ?? 0;
      return breakpoint.logMessage === undefined || count === 0 ? [] : [{ breakpoint, count }];
    });
  }

  neverHit(): NeverHit[] {
    return this.#concerned().flatMap((item) => {
      const stops = this.#stopsOf.get(item.id) ?? 0;
      const statistics = this.#statistics.find((each) => each.breakpointId === item.id);
      const found = whyNeverHit(item, stops, statistics, this.#bindings.get(item.id));
      if (found === undefined) return [];
      const elsewhere = item.hitCount - (this.#hitsBefore.get(item.id) ?? 0);
      return elsewhere > 0 ? { ...found, reason: `${found.reason}; it was hit in another session` } : found;
    });
  }

  #concerned(): Breakpoint[] {
    return this.#store.list().filter((item) => item.file === undefined || this.#concerns(item.file));
  }

  #onHit(id: string): void {
    this.#stopsOf.set(id, (this.#stopsOf.get(id) ?? 0) + 1);
    const hit = this.#store.countHit(id);
    if (hit?.temporary !== true) return;
    this.#spent.push(hit);
    // It is out of the store at once and on the disk later; the program need not wait for that.
    const saved = this.#store.remove(id);
    this.#takeAway(Promise.all([saved, this.apply(hit.file)]), 'a temporary breakpoint stays');
  }

  #takeAway(work: Promise<unknown>, failure: string): void {
    const done = work.then(
      () => undefined,
      (error: unknown) => this.#logger.warn(failure, error),
    );
    this.#takenAway = Promise.all([this.#takenAway, done]);
  }

  #specsOf(file: string): LineBreakpointSpec[] {
    const specs = this.#bindable(this.#store.lineSpecs(file));
    const runTo = this.#runTo;
    if (runTo?.file !== file || specs.some((spec) => spec.line === runTo.line && spec.condition === undefined))
      return specs;
    return [...specs.filter((spec) => spec.line !== runTo.line), runTo];
  }
}
