import type { DebugProtocol } from '@vscode/debugprotocol';
import { parseLogMessage } from '../../breakpoints/logMessage.ts';
import type { DapConnection } from '../../../../protocol/dap/connection.ts';
import type {
  BreakpointBinding,
  BreakpointStatistics,
  DataBreakpointSpec,
  ExceptionBreakpointSpec,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
} from '../../model.ts';
import type { DapAdapter, FailureFunction } from './dapAdapter.ts';
import { fromBreakpoint } from './standardModel.ts';

/** The life of a breakpoint as code of ours in the adapter has seen it. */
export interface CountedPoint {
  /** The engine's. */
  id: number;
  hits: number;
  conditionFalse: number;
  conditionErrors: number;
  lastConditionError?: string;
  loaded: boolean;
}

/** Breakpoints by the protocol alone: only what the adapter has announced is sent, and our ids are kept beside the adapter's. */
export class StandardBreakpoints {
  readonly #connection: DapConnection;
  readonly #adapter: DapAdapter;
  readonly #idsByEngineId = new Map<number, string>();
  readonly #hits = new Map<string, number>();
  readonly #failures: readonly FailureFunction[];
  readonly #failuresByEngineId = new Map<number, FailureFunction>();
  readonly #logPoints = new Map<string, string>();
  readonly #lines = new Map<string, readonly LineBreakpointSpec[]>();
  readonly #counts = new Map<number, CountedPoint>();
  readonly #watched = new Map<string, { dataId: string } & Record<string, unknown>>();
  #functions: readonly FunctionBreakpointSpec[] = [];
  #failuresStop = false;
  #hasFunctions = false;
  announced: DebugProtocol.Capabilities = {};

  constructor(connection: DapConnection, adapter: DapAdapter, failures: readonly FailureFunction[]) {
    this.#connection = connection;
    this.#adapter = adapter;
    this.#failures = failures;
  }

  async setLines(file: string, specs: readonly LineBreakpointSpec[]): Promise<BreakpointBinding[]> {
    this.#lines.set(file, specs);
    const answer = await this.#connection.request('setBreakpoints', {
      source: { path: file },
      breakpoints: specs.map((spec) => ({
        line: spec.line,
        column: spec.column,
        ...this.#extras(spec),
      })),
    });
    const bindings = specs.map((spec, index) => this.#bind(spec.id, answer?.breakpoints?.[index], file));
    for (const key of [...this.#logPoints.keys()]) if (key.startsWith(`${file}:`)) this.#logPoints.delete(key);
    for (const [index, { id, line, logMessage }] of specs.entries())
      if (logMessage !== undefined) this.#logPoints.set(`${file}:${bindings[index]?.location?.line ?? line}`, id);
    return bindings;
  }

  /** Does something during which no breakpoint may stop the program. Those that were there are new ones afterwards. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    const files = [...this.#lines].filter(([, specs]) => specs.length > 0);
    const functions = this.#functions;
    await Promise.all(files.map(([file]) => this.setLines(file, [])));
    if (functions.length > 0) await this.setFunctions([]);
    try {
      return await work();
    } finally {
      await Promise.all(files.map(([file, specs]) => this.setLines(file, specs)));
      if (functions.length > 0) await this.setFunctions(functions);
    }
  }

  async setFunctions(specs: readonly FunctionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    if (this.announced.supportsFunctionBreakpoints !== true)
      return specs.map(({ id }) => this.#unsupported(id, 'function breakpoints'));
    this.#functions = specs;
    return this.#sendFunctions();
  }

  async #sendFunctions(): Promise<BreakpointBinding[]> {
    const specs = this.#functions;
    const failures = this.#failuresStop ? this.#failures : [];
    if (specs.length + failures.length === 0 && !this.#hasFunctions) return [];
    this.#hasFunctions = true;
    const breakpoints = [
      ...specs.map((spec) => ({ name: spec.functionName, ...this.#extras(spec) })),
      ...failures.map(({ name }) => ({ name })),
    ];
    const answer = await this.#connection.request('setFunctionBreakpoints', { breakpoints });
    this.#failuresByEngineId.clear();
    for (const [index, failure] of failures.entries()) {
      const engineId = answer?.breakpoints?.[specs.length + index]?.id;
      if (engineId !== undefined) this.#failuresByEngineId.set(engineId, failure);
    }
    return specs.map((spec, index) => this.#bind(spec.id, answer?.breakpoints?.[index]));
  }

  /** Asks what the expression means, and watches that together with what was watched before. */
  async watch(spec: DataBreakpointSpec, frameId: number): Promise<BreakpointBinding> {
    if (this.announced.supportsDataBreakpoints !== true) return this.#unsupported(spec.id, 'data breakpoints');
    const info = await this.#connection.request('dataBreakpointInfo', { name: spec.expression, frameId });
    if (info.dataId === null)
      return { breakpointId: spec.id, verified: false, message: info.description.replace(/\.$/, '') };
    this.#watched.set(spec.id, { dataId: info.dataId, ...this.#extras(spec) });
    const binding = (await this.#sendWatched()).get(spec.id);
    if (binding?.verified === true) return binding;
    this.#watched.delete(spec.id);
    return binding ?? this.#unsupported(spec.id, 'such a breakpoint');
  }

  async unwatch(id: string): Promise<void> {
    if (this.#watched.delete(id)) await this.#sendWatched();
  }

  async #sendWatched(): Promise<Map<string, BreakpointBinding>> {
    const watched = [...this.#watched];
    const breakpoints = watched.map(([, { dataId, ...extras }]) => ({
      dataId,
      accessType: 'write' as const,
      ...extras,
    }));
    const answer = await this.#connection.request('setDataBreakpoints', { breakpoints });
    return new Map(watched.map(([id], index) => [id, this.#bind(id, answer?.breakpoints?.[index])]));
  }

  async setExceptions(specs: readonly ExceptionBreakpointSpec[]): Promise<BreakpointBinding[]> {
    const announced = (this.announced.exceptionBreakpointFilters ?? []).map(({ filter }) => filter);
    await this.#setFailures(specs);
    if (announced.length === 0) return specs.map(({ id }) => this.#unsupported(id, 'exception breakpoints'));
    const filters = this.#adapter.exceptionFilters?.(specs, announced) ?? filtersByName(specs, announced);
    await this.#connection.request('setExceptionBreakpoints', { filters });
    return specs.map(({ id }) => ({ breakpointId: id, verified: true }));
  }

  async #setFailures(specs: readonly ExceptionBreakpointSpec[]): Promise<void> {
    const wanted = specs.some(({ uncaught, userUnhandled }) => uncaught || userUnhandled);
    if (this.#failures.length === 0 || this.announced.supportsFunctionBreakpoints !== true) return;
    if (wanted === this.#failuresStop) return;
    this.#failuresStop = wanted;
    await this.#sendFunctions();
  }

  /** The failure that one of these breakpoints stands for. */
  failure(engineIds: readonly number[]): FailureFunction | undefined {
    return engineIds.map((id) => this.#failuresByEngineId.get(id)).find((each) => each !== undefined);
  }

  /** The log point at a place has spoken: its id. */
  logged(file: string, line: number): string | undefined {
    const id = this.#logPoints.get(`${file}:${line}`);
    if (id !== undefined) this.#hits.set(id, (this.#hits.get(id) ?? 0) + 1);
    return id;
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
    if (this.#adapter.quirks?.hasOurCode === true) return this.#countedStatistics();
    return [...new Set(this.#idsByEngineId.values())].map((breakpointId) => ({
      breakpointId,
      hits: this.#hits.get(breakpointId) ?? 0,
      conditionFalse: 0,
      conditionErrors: 0,
      fileLoaded: true,
      countsStopsOnly: true,
    }));
  }

  #countedStatistics(): BreakpointStatistics[] {
    return [...this.#idsByEngineId].map(([engineId, breakpointId]) => {
      const counts = this.#counts.get(engineId);
      return {
        breakpointId,
        hits: counts?.hits ?? 0,
        conditionFalse: counts?.conditionFalse ?? 0,
        conditionErrors: counts?.conditionErrors ?? 0,
        ...(counts?.lastConditionError === undefined ? {} : { lastConditionError: counts.lastConditionError }),
        fileLoaded: counts?.loaded ?? false,
      };
    });
  }

  /** What code of ours in the adapter has counted. */
  counted(points: readonly CountedPoint[]): void {
    for (const point of points) this.#counts.set(point.id, point);
  }

  /** The log point of an engine's id. */
  idOf(engineId: number): string | undefined {
    return this.#idsByEngineId.get(engineId);
  }

  #extras(spec: LineBreakpointSpec | FunctionBreakpointSpec | DataBreakpointSpec): Record<string, unknown> {
    const { announced } = this;
    const hit = spec.hitCondition;
    if (this.#adapter.quirks?.hasOurCode === true) return extrasForOurs(spec);
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

function extrasForOurs(
  spec: LineBreakpointSpec | FunctionBreakpointSpec | DataBreakpointSpec,
): Record<string, unknown> {
  return {
    ...(spec.condition === undefined ? {} : { condition: spec.condition }),
    ...(spec.hitCondition === undefined ? {} : { hit: spec.hitCondition }),
    ...(spec.logMessage === undefined ? {} : { logPieces: parseLogMessage(spec.logMessage) }),
    ...(spec.suspendPolicy === 'none' ? { neverStops: true } : {}),
    ...(spec.readOnly === true ? { readOnly: true } : {}),
  };
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
