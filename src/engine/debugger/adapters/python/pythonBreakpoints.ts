import { ToolError } from '../../../../base/errors.ts';
import { parseLogMessage } from '../../breakpoints/logMessage.ts';
import type { DapConnection } from '../../../../protocol/dap/connection.ts';
import type {
  BreakpointBinding,
  BreakpointStatistics,
  ExceptionBreakpointSpec,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
} from '../../model.ts';
import type { WireBinding, WireStatistics } from './wire.ts';

/** The breakpoints of one Python process. They are kept, matched and counted by our part inside it; this tells it what is wanted. */
export class PythonBreakpoints {
  readonly #connection: DapConnection;
  readonly #statistics = new Map<string, WireStatistics>();
  readonly #files = new Map<string, string>();
  readonly #loaded = new Set<string>();

  constructor(connection: DapConnection) {
    this.#connection = connection;
  }

  async setLines(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    for (const spec of specs) this.#files.set(spec.id, file);
    const breakpoints = specs.map((spec) => ({
      id: spec.id,
      line: spec.line,
      condition: spec.condition,
      hitCondition: spec.hitCondition,
      logParts: logParts(spec),
      suspend: spec.suspendPolicy,
      readOnly: spec.readOnly,
    }));
    return this.#ask('sightlineLines', { file, breakpoints }, file);
  }

  setFunctions(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return this.#ask('sightlineFunctions', {
      breakpoints: specs.map((spec) => ({ ...spec, logParts: logParts(spec), suspend: spec.suspendPolicy })),
    });
  }

  setExceptions(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    return this.#ask('sightlineExceptions', { breakpoints: specs });
  }

  /** Takes over counts that came with a stop or at the end. */
  told(said: { breakpoints: readonly WireStatistics[]; loaded?: readonly string[] }): void {
    for (const each of said.breakpoints) this.#statistics.set(each.id, each);
    for (const file of said.loaded ?? []) this.#loaded.add(file);
  }

  async statistics(): Promise<BreakpointStatistics[]> {
    if (!this.#connection.isClosed) {
      try {
        this.told(await this.#connection.requestCustom('sightlineStatistics', {}, { timeoutMs: 2000 }));
      } catch (error) {
        // A process that is just ending has told its last counts already.
        if (!this.#connection.isClosed && !(error instanceof ToolError)) throw error;
      }
    }
    return [...this.#statistics.values()].map((wire) => ({
      breakpointId: wire.id,
      hits: wire.hits,
      conditionFalse: wire.conditionFalse,
      conditionErrors: wire.conditionErrors,
      ...(wire.lastConditionError === null ? {} : { lastConditionError: wire.lastConditionError }),
      fileLoaded: wire.hits + wire.conditionFalse + wire.conditionErrors > 0 || this.#isLoaded(wire.id),
    }));
  }

  #isLoaded(breakpointId: string): boolean {
    const file = this.#files.get(breakpointId);
    return file !== undefined && this.#loaded.has(file);
  }

  async #ask(command: string, args: object, file?: string): Promise<BreakpointBinding[]> {
    const { bindings } = await this.#connection.requestCustom<{ bindings: WireBinding[] }>(command, args);
    return bindings.map((wire) => ({
      breakpointId: wire.id,
      verified: wire.verified,
      ...(wire.line === undefined || file === undefined ? {} : { location: { file, line: wire.line } }),
      ...(wire.message === undefined ? {} : { message: wire.message }),
      ...(wire.nearestLines === undefined ? {} : { nearestLines: wire.nearestLines }),
    }));
  }
}

/** Taken apart here, where it was checked: two readers of one message could find different expressions in it. */
function logParts({ logMessage }: { logMessage?: string }): (string | { expression: string })[] | undefined {
  return logMessage === undefined ? undefined : parseLogMessage(logMessage);
}
