import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DapConnection } from '../../../../protocol/dap/connection.ts';
import type {
  BreakpointBinding,
  BreakpointStatistics,
  ExceptionBreakpointSpec,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
} from '../../model.ts';
import type { DapAdapter } from './dapAdapter.ts';
import { fromBreakpoint } from './standardModel.ts';

/** Breakpoints by the protocol alone: only what the adapter has announced is sent, and our ids are kept beside the adapter's. */
export class StandardBreakpoints {
  readonly #connection: DapConnection;
  readonly #adapter: DapAdapter;
  readonly #idsByEngineId = new Map<number, string>();
  readonly #hits = new Map<string, number>();
  #hasFunctions = false;
  announced: DebugProtocol.Capabilities = {};

  constructor(connection: DapConnection, adapter: DapAdapter) {
    this.#connection = connection;
    this.#adapter = adapter;
  }

  async setLines(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    const answer = await this.#connection.request('setBreakpoints', {
      source: { path: file },
      breakpoints: specs.map((spec) => ({
        line: spec.line,
        column: spec.column,
        ...this.#extras(spec),
      })),
    });
    return specs.map((spec, index) => this.#bind(spec.id, answer?.breakpoints?.[index], file));
  }

  async setFunctions(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    if (this.announced.supportsFunctionBreakpoints !== true)
      return specs.map(({ id }) => this.#unsupported(id, 'function breakpoints'));
    if (specs.length === 0 && !this.#hasFunctions) return [];
    this.#hasFunctions = true;
    const breakpoints = specs.map((spec) => ({ name: spec.functionName, ...this.#extras(spec) }));
    const answer = await this.#connection.request('setFunctionBreakpoints', { breakpoints });
    return specs.map((spec, index) => this.#bind(spec.id, answer?.breakpoints?.[index]));
  }

  async setExceptions(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    const announced = (this.announced.exceptionBreakpointFilters ?? []).map(({ filter }) => filter);
    if (announced.length === 0) return specs.map(({ id }) => this.#unsupported(id, 'exception breakpoints'));
    const filters = this.#adapter.exceptionFilters?.(specs, announced) ?? filtersByName(specs, announced);
    await this.#connection.request('setExceptionBreakpoints', { filters });
    return specs.map(({ id }) => ({ breakpointId: id, verified: true }));
  }

  /** What the adapter says of a breakpoint later; undefined when it is none of ours. */
  changed(told: DebugProtocol.Breakpoint): BreakpointBinding | undefined {
    const id = this.#idsByEngineId.get(told.id ?? -1);
    return id === undefined ? undefined : fromBreakpoint(id, told);
  }

  /** Our ids of those that were hit. */
  hit(engineIds: readonly number[]): string[] {
    const ids = engineIds.flatMap((id) => this.#idsByEngineId.get(id) ?? []);
    for (const id of ids) this.#hits.set(id, (this.#hits.get(id) ?? 0) + 1);
    return ids;
  }

  /** The protocol has no counts: only the stops that were seen are known. */
  statistics(): BreakpointStatistics[] {
    return [...this.#idsByEngineId.values()].map((breakpointId) => ({
      breakpointId,
      hits: this.#hits.get(breakpointId) ?? 0,
      conditionFalse: 0,
      conditionErrors: 0,
      fileLoaded: true,
    }));
  }

  #extras(spec: LineBreakpointSpec | FunctionBreakpointSpec): Record<string, string> {
    const { announced } = this;
    const hit = spec.hitCondition;
    const text = this.#adapter.quirks?.hitConditionText ?? defaultHitCondition;
    const withCondition = announced.supportsConditionalBreakpoints === true && spec.condition !== undefined;
    const withMessage = announced.supportsLogPoints === true && spec.logMessage !== undefined;
    return {
      ...(withCondition ? { condition: spec.condition } : {}),
      ...(announced.supportsHitConditionalBreakpoints === true && hit !== undefined
        ? { hitCondition: text(hit.operator, hit.count) }
        : {}),
      ...(withMessage ? { logMessage: spec.logMessage } : {}),
    };
  }

  #bind(id: string, told: DebugProtocol.Breakpoint | undefined, file?: string): BreakpointBinding {
    if (told === undefined) return { breakpointId: id, verified: false, message: 'The adapter did not answer for it.' };
    if (told.id !== undefined) this.#idsByEngineId.set(told.id, id);
    return fromBreakpoint(id, told, file);
  }

  #unsupported(id: string, what: string): BreakpointBinding {
    return { breakpointId: id, verified: false, message: `${this.#adapter.name} has no ${what}.` };
  }
}

function defaultHitCondition(operator: string, count: number): string {
  return operator === '==' ? String(count) : `${operator}${count}`;
}

function filtersByName(specs: readonly ExceptionBreakpointSpec[], announced: readonly string[]): string[] {
  const wanted = new Set<string>();
  for (const spec of specs) {
    for (const filter of announced) {
      if (spec.uncaught && /uncaught|unhandled|unrecovered|panic/i.test(filter)) wanted.add(filter);
      if (spec.userUnhandled && /user.?un/i.test(filter)) wanted.add(filter);
      if (spec.caught && /^(raised|all|throw|caught|cpp_throw)/i.test(filter)) wanted.add(filter);
    }
  }
  return [...wanted];
}
