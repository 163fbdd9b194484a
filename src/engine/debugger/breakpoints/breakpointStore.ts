import { join } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import { readStateFile, type StateFileProblem, writeStateFile } from '../../../base/stateFile.ts';
import type { Project } from '../../workspace/project.ts';
import { parseHitCondition } from './hitCondition.ts';
import type {
  BreakpointSetup,
  DataBreakpointSpec,
  ExceptionBreakpointSpec,
  FunctionBreakpointSpec,
  LineBreakpointSpec,
  SuspendPolicy,
} from '../model.ts';
import { findAnchor } from './anchors.ts';
import type { SourceTexts } from '../sourceText.ts';

export interface Breakpoint {
  id: string;
  type: 'line' | 'function' | 'exception' | 'data';
  file?: string;
  line?: number;
  column?: number;
  /** The text of the line when it was set; finds the line again after edits. */
  lineText?: string;
  functionName?: string;
  /** What is watched; it belongs to one session and goes with it. */
  expression?: string;
  sessionId?: string;
  enabled: boolean;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
  suspendPolicy: SuspendPolicy;
  temporary: boolean;
  /** Set with the plain-text tools: it goes when their session is ended. */
  ofSingleSession?: boolean;
  exceptionClass?: string;
  caught?: boolean;
  uncaught?: boolean;
  /** Somebody has set it; the one that is always there was not asked for. */
  isAsked?: boolean;
  /** Since Sightline started. */
  hitCount: number;
}

export type NewBreakpoint = Omit<Breakpoint, 'id' | 'hitCount'>;

const formatVersion = 1;

/** The breakpoints of one project. They exist with or without a session, and are kept across restarts. */
export class BreakpointStore {
  /** One came, went, moved or was changed. */
  readonly onDidChange = new Emitter<void>();
  readonly #project: Project;
  readonly #path: string | undefined;
  readonly #sources: SourceTexts;
  #items: Breakpoint[];
  #nextId: number;
  #saving: Promise<void> = Promise.resolve();

  private constructor(project: Project, path: string | undefined, items: Breakpoint[], sources: SourceTexts) {
    this.#project = project;
    this.#path = path;
    this.#items = items;
    this.#sources = sources;
    this.#nextId = Math.max(0, ...items.map((item) => Number(/^bp_(\d+)$/.exec(item.id)?.[1] ?? 0))) + 1;
  }

  static async load(
    project: Project,
    sources: SourceTexts,
    onProblem: (problem: StateFileProblem) => void,
  ): Promise<BreakpointStore> {
    const path = join(project.stateDir, 'breakpoints.json');
    const items = await readStateFile(path, {
      version: formatVersion,
      parse: parseItems,
      empty: () => [uncaughtByDefault()],
      onProblem,
    });
    return new BreakpointStore(project, path, items, sources);
  }

  /** Breakpoints for one run, kept nowhere. `neverPauses`: not even an exception stops it. */
  static passing(project: Project, sources: SourceTexts, neverPauses: boolean): BreakpointStore {
    return new BreakpointStore(project, undefined, neverPauses ? [] : [uncaughtByDefault()], sources);
  }

  list(): Breakpoint[] {
    return this.#items.map((item) => ({ ...item }));
  }

  get(id: string): Breakpoint {
    const found = this.#items.find((item) => item.id === id);
    if (found === undefined)
      throw new ToolError('breakpoint_error', `There is no breakpoint ${id}.`, {
        hint: advise`${step('listBreakpoints')} shows the ids.`,
        data: { ids: this.#items.map((item) => item.id) },
      });
    return { ...found };
  }

  /** Adds a breakpoint, or changes the one that stands at the same place. */
  async put(wanted: NewBreakpoint): Promise<Breakpoint> {
    if (wanted.hitCondition !== undefined) parseHitCondition(wanted.hitCondition);
    const same = this.#items.find((item) => isSamePlace(item, wanted));
    const kept: Breakpoint = { ...wanted, id: same?.id ?? `bp_${this.#nextId++}`, hitCount: same?.hitCount ?? 0 };
    this.#items = [...this.#items.filter((item) => item !== same), kept];
    await this.#save();
    return { ...kept };
  }

  async remove(id: string): Promise<Breakpoint> {
    const gone = this.get(id);
    this.#items = this.#items.filter((item) => item.id !== id);
    await this.#save();
    return gone;
  }

  countHit(id: string): Breakpoint | undefined {
    const found = this.#items.find((item) => item.id === id);
    if (found !== undefined) found.hitCount++;
    return found === undefined ? undefined : { ...found };
  }

  /** Files that changed since a breakpoint was set: the breakpoint follows its line. Answers what moved. */
  async followEdits(): Promise<{ id: string; from: number; to: number }[]> {
    const moved: { id: string; from: number; to: number }[] = [];
    for (const item of this.#items) {
      if (item.file === undefined || item.line === undefined || item.lineText === undefined) continue;
      const index = await this.#sources.lines(item.file);
      const line = index === undefined ? undefined : findAnchor(index, item.lineText, item.line);
      if (line === undefined || line === item.line) continue;
      moved.push({ id: item.id, from: item.line, to: line });
      item.line = line;
    }
    if (moved.length > 0) await this.#save();
    return moved;
  }

  lineSpecs(file: string): LineBreakpointSpec[] {
    return this.#items.filter((item) => item.enabled && item.type === 'line' && item.file === file).flatMap(lineSpec);
  }

  functionSpecs(): FunctionBreakpointSpec[] {
    return this.#items
      .filter((item) => item.enabled && item.type === 'function')
      .flatMap((item) => (item.functionName === undefined ? [] : [{ ...base(item), functionName: item.functionName }]));
  }

  exceptionSpecs(): ExceptionBreakpointSpec[] {
    return this.#items
      .filter((item) => item.enabled && item.type === 'exception')
      .map((item) => ({
        id: item.id,
        caught: item.caught ?? false,
        uncaught: item.uncaught ?? true,
        userUnhandled: item.uncaught ?? true,
        ...(item.isAsked === true && item.uncaught !== false ? { reported: true } : {}),
        untilEnd: this.#path === undefined,
        exceptionClass: item.exceptionClass,
        condition: item.condition,
      }));
  }

  /** What one session watched goes with it. */
  async forgetSession(sessionId: string): Promise<void> {
    const kept = this.#items.filter((item) => item.type !== 'data' || item.sessionId !== sessionId);
    if (kept.length === this.#items.length) return;
    this.#items = kept;
    await this.#save();
  }

  setup(): BreakpointSetup {
    const files = new Set(
      this.#items.flatMap((item) => (item.type === 'line' && item.enabled ? (item.file ?? []) : [])),
    );
    return {
      lines: new Map([...files].map((file) => [file, this.lineSpecs(file)])),
      functions: this.functionSpecs(),
      exceptions: this.exceptionSpecs(),
    };
  }

  describe(item: Breakpoint): string {
    if (item.type === 'line') return `${displayPath(this.#project.root, item.file ?? '')}:${item.line ?? 0}`;
    if (item.type === 'function') return `${item.functionName ?? ''}()`;
    if (item.type === 'data') return `changes of ${item.expression ?? ''}`;
    return `exception ${item.exceptionClass ?? '(any)'}`;
  }

  async #save(): Promise<void> {
    this.onDidChange.fire();
    const path = this.#path;
    if (path === undefined) return;
    const content = this.#items
      .filter((item) => !item.temporary && item.type !== 'data')
      .map(({ hitCount: _hitCount, ...rest }) => rest);
    this.#saving = this.#saving.then(() => writeStateFile(path, formatVersion, content));
    await this.#saving;
  }
}

/** What no one caught stops the program unless a person or an agent takes this breakpoint away. */
function uncaughtByDefault(): Breakpoint {
  return {
    id: 'bp_uncaught',
    type: 'exception',
    enabled: true,
    suspendPolicy: 'all',
    temporary: false,
    caught: false,
    uncaught: true,
    hitCount: 0,
  };
}

function isSamePlace(item: Breakpoint, wanted: NewBreakpoint): boolean {
  if (item.type !== wanted.type) return false;
  if (item.type === 'line')
    return item.file === wanted.file && item.line === wanted.line && item.column === wanted.column;
  if (item.type === 'function') return item.functionName === wanted.functionName;
  if (item.type === 'data') return item.expression === wanted.expression && item.sessionId === wanted.sessionId;
  return item.exceptionClass === wanted.exceptionClass;
}

function lineSpec(item: Breakpoint): LineBreakpointSpec[] {
  if (item.file === undefined || item.line === undefined) return [];
  return [
    { ...base(item), file: item.file, line: item.line, ...(item.column === undefined ? {} : { column: item.column }) },
  ];
}

/** What its session is to watch. */
export function dataSpec(item: Breakpoint): DataBreakpointSpec {
  return { ...base(item), expression: item.expression ?? '' };
}

function base(item: Breakpoint) {
  return {
    id: item.id,
    suspendPolicy: item.suspendPolicy,
    condition: item.condition,
    ...(item.hitCondition === undefined ? {} : { hitCondition: parseHitCondition(item.hitCondition) }),
    ...(item.logMessage === undefined ? {} : { logMessage: item.logMessage }),
  };
}

function parseItems(content: unknown): Breakpoint[] {
  if (!Array.isArray(content)) throw new Error('it holds no list of breakpoints');
  return content.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('id' in item) || !('type' in item))
      throw new Error('an entry is no breakpoint');
    // Written by this class; entries of another shape were refused above.
    return { ...(item as Breakpoint), hitCount: 0 };
  });
}
