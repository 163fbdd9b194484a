import { withTimeout } from '../../../../../base/cancellation.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import {
  type Conditional,
  type ConditionCounters,
  conditionExpression,
  logBinding,
  readCounters,
} from './conditions.ts';

/** What the conditions and log messages of breakpoints tell from inside the program. */
export class ConditionCounts {
  /** As last told; it stays when the isolate is gone. */
  last: Record<string, ConditionCounters> = {};
  readonly #session: CdpSession;
  readonly #isWorker: boolean;
  readonly #onLog: LogListener;
  readonly #contexts = new Set<number>();
  #following: Promise<void> | undefined;

  constructor(session: CdpSession, isWorker: boolean, onLog: LogListener) {
    this.#session = session;
    this.#isWorker = isWorker;
    this.#onLog = onLog;
  }

  /**
   * Begins to listen once a breakpoint has something to tell. Not before: V8 then also reports every `console.log` with its stack
   * trace, which makes a program that prints much many times slower.
   */
  follow(specs: readonly Conditional[]): Promise<void> {
    if (specs.some((spec) => conditionExpression(spec) !== undefined)) this.#following ??= this.#listen();
    return this.#following ?? Promise.resolve();
  }

  async #listen(): Promise<void> {
    const session = this.#session;
    session.on('Runtime.executionContextCreated', (event) => void this.#contexts.add(event.context.id));
    session.on('Runtime.executionContextDestroyed', (event) => void this.#contexts.delete(event.executionContextId));
    session.on('Runtime.bindingCalled', (event) => this.#onBindingCalled(event));
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: logBinding });
  }

  /** Summed over the isolate's contexts. */
  async read(): Promise<Record<string, ConditionCounters>> {
    if (this.#session.isClosed || this.#isWorker) return this.last;
    const sums: Record<string, ConditionCounters> = {};
    for (const contextId of this.#contexts) {
      try {
        const asked = this.#session.send('Runtime.evaluate', {
          expression: readCounters,
          contextId,
          returnByValue: true,
          silent: true,
        });
        // A thread that is blocked (a loader's worker, an endless loop in native code) never answers.
        const answer = await withTimeout(asked, 500);
        // At the very end V8 lets no code run; then the counts have been told already.
        if (answer.exceptionDetails !== undefined) return this.last;
        const text: unknown = answer.result.value;
        // Written by our own code in the program, see conditions.ts.
        const counts = typeof text === 'string' ? (JSON.parse(text) as Record<string, ConditionCounters> | null) : null;
        for (const [id, count] of Object.entries(counts ?? {})) addCounters(sums, id, count);
      } catch {
        return this.last;
      }
    }
    this.last = sums;
    return sums;
  }

  #onBindingCalled(event: Protocol.Runtime.BindingCalledEvent): void {
    if (event.name !== logBinding) return;
    // Written by our own code in the program, see conditions.ts.
    const said = JSON.parse(event.payload) as {
      id: string;
      text?: string;
      printed?: number;
      counts?: ConditionCounters;
    };
    if (said.text !== undefined) this.#onLog(said.id, said.text, said.printed);
    else if (said.counts !== undefined) this.last[said.id] = said.counts;
  }
}

/** `printed`: how many bytes the process had written to its standard output by then. */
type LogListener = (breakpointId: string, text: string, printed?: number) => void;

function addCounters(sums: Record<string, ConditionCounters>, id: string, count: ConditionCounters): void {
  const sum = (sums[id] ??= { hits: 0, conditionFalse: 0, conditionErrors: 0 });
  sum.hits += count.hits;
  sum.conditionFalse += count.conditionFalse;
  sum.conditionErrors += count.conditionErrors;
  if (count.lastError !== undefined) sum.lastError = count.lastError;
}
