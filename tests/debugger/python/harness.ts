import { mkdtemp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { childEnvironment } from '../../../src/base/processes.ts';
import { pythonAdapter } from '../../../src/engine/debugger/adapters/python.ts';
import { defaultValueLimits } from '../../../src/engine/debugger/model.ts';
import type {
  BreakpointBinding,
  BreakpointSetup,
  ExceptionBreakpointSpec,
  ExitInfo,
  FunctionBreakpointSpec,
  LaunchSpec,
  LineBreakpointSpec,
  OutputCategory,
  StackFrame,
  StopEvent,
  Variable,
} from '../../../src/engine/debugger/model.ts';
import type { AdapterDescription, Target, TargetEvent } from '../../../src/engine/debugger/target.ts';
import type { Project } from '../../../src/engine/workspace/project.ts';
import { ensureEngine, testProvision } from '../../support/engines.ts';

/** A project of a few Python files in a folder of its own. */
export async function pythonProject(files: Record<string, string>): Promise<Project & { path(name: string): string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'sightline-python-')));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return {
    id: 'test',
    name: 'test',
    root,
    stateDir: join(root, '.state'),
    env: childEnvironment(process.env),
    trusted: true,
    path: (name) => join(root, name),
  };
}

/** For `beforeAll`: the first run on a machine downloads debugpy, which takes longer than a test may. */
export async function ensureDebugpy(): Promise<void> {
  await ensureEngine('debugpy');
}

export function adapter(): AdapterDescription {
  return pythonAdapter(testProvision());
}

export function line(file: string, at: number, more: Partial<LineBreakpointSpec> = {}): LineBreakpointSpec {
  return { id: `${at}`, file, line: at, suspendPolicy: 'all', ...more };
}

export interface SetupParts {
  lines?: readonly LineBreakpointSpec[];
  functions?: readonly FunctionBreakpointSpec[];
  exceptions?: readonly ExceptionBreakpointSpec[];
}

export const uncaught: ExceptionBreakpointSpec = { id: 'uncaught', caught: false, uncaught: true, userUnhandled: true };

export function setup(parts: SetupParts = {}): BreakpointSetup {
  const lines = new Map<string, LineBreakpointSpec[]>();
  for (const spec of parts.lines ?? []) lines.set(spec.file, [...(lines.get(spec.file) ?? []), spec]);
  return { lines, functions: parts.functions ?? [], exceptions: parts.exceptions ?? [uncaught] };
}

/** A target with its events kept in order, to be awaited one by one. */
export class Run {
  readonly target: Target;
  readonly bindings: BreakpointBinding[] = [];
  readonly all: TargetEvent[] = [];
  readonly #waiting: (() => void)[] = [];
  #next = 0;

  constructor(target: Target) {
    this.target = target;
    target.events.on((event) => {
      this.all.push(event);
      if (event.type === 'breakpoint') this.bindings.push(event.binding);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /** The next stop or the end. */
  async next(timeoutMs = 40_000): Promise<StopEvent | ExitInfo> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      while (this.#next < this.all.length) {
        const event = this.all[this.#next++];
        if (event?.type === 'paused') return event.stop;
        if (event?.type === 'ended') return event.exit;
      }
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`Nothing stopped within ${timeoutMs} ms. Output so far: ${this.output()}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  async stop(timeoutMs?: number): Promise<StopEvent> {
    const next = await this.next(timeoutMs);
    if ('threadId' in next) return next;
    throw new Error(`The program ended (${JSON.stringify(next)}). Output: ${this.output()}`);
  }

  async end(timeoutMs?: number): Promise<ExitInfo> {
    const next = await this.next(timeoutMs);
    if (!('threadId' in next)) return next;
    throw new Error(`The program stopped (${next.reason}) instead of ending.`);
  }

  output(...categories: OutputCategory[]): string {
    return this.all
      .flatMap((event) => (event.type === 'output' ? [event.chunk] : []))
      .filter(({ category }) => categories.length === 0 || categories.includes(category))
      .map(({ text }) => text)
      .join('');
  }

  async frames(stop: StopEvent): Promise<StackFrame[]> {
    return (await this.target.stack(stop.threadId, 0, 20)).frames;
  }

  async top(stop: StopEvent): Promise<StackFrame> {
    const [frame] = await this.frames(stop);
    if (frame === undefined) throw new Error('The stop has no frame.');
    return frame;
  }

  async locals(stop: StopEvent, index = 0): Promise<Record<string, string>> {
    return Object.fromEntries((await this.localVariables(stop, index)).map(({ name, value }) => [name, value]));
  }

  async localVariables(stop: StopEvent, index = 0): Promise<Variable[]> {
    const frame = (await this.frames(stop))[index];
    const [scope] = await this.target.scopes(frame?.id ?? '');
    return (await this.target.variables(scope?.reference ?? '', { start: 0, count: 50 }, defaultValueLimits)).variables;
  }

  async evaluate(
    stop: StopEvent,
    expression: string,
    more: { readOnly?: boolean; timeoutMs?: number; index?: number } = {},
  ): Promise<string> {
    const frame = (await this.frames(stop))[more.index ?? 0];
    const variable = await this.target.evaluate({
      expression,
      threadId: stop.threadId,
      frameId: frame?.id,
      purpose: 'repl',
      readOnly: more.readOnly ?? false,
      timeoutMs: more.timeoutMs ?? 20_000,
      limits: defaultValueLimits,
    });
    return variable.value;
  }
}

export async function launch(
  project: Project,
  program: string,
  parts: SetupParts = {},
  more: Partial<LaunchSpec> = {},
): Promise<Run> {
  const description = adapter();
  const run = new Run(description.createTarget({ project, logger: silentLogger }));
  const spec = await description.resolveProgram({
    project,
    program: join(project.root, program),
    args: [],
    env: {},
    stopOnEntry: false,
  });
  await run.target.launch({ ...spec, ...more }, setup(parts));
  return run;
}

export async function launchTest(project: Project, test: string, parts: SetupParts = {}): Promise<Run> {
  const description = adapter();
  const run = new Run(description.createTarget({ project, logger: silentLogger }));
  await run.target.launch(await description.resolveTest({ project, test, args: [], env: {} }), setup(parts));
  return run;
}

export async function removeProject(project: Project): Promise<void> {
  await rm(project.root, { recursive: true, force: true });
}
