import { extname, resolve } from 'node:path';
import { ToolError } from '../../base/errors.ts';
import { platform } from '../../base/platform/here.ts';
import type { Project } from '../workspace/project.ts';
import { scratchEnvironment } from '../workspace/scratch/scratchRuns.ts';
import type { LaunchPlan } from '../workspace/runConfigs/model.ts';
import type { AttachSpec, LaunchSpec, PathMapping } from './model.ts';
import type { AdapterDescription, TestRequest } from './target.ts';

/** An ad hoc start: exactly one of program, module, test, pid and port. */
export interface StartRequest {
  program?: string;
  /** A module that the language runs by its name: `python -m module`. */
  module?: string;
  test?: string;
  language?: string;
  args?: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** The interpreter, when it is not the project's own. */
  runtime?: string;
  stopOnEntry?: boolean;
  /** The memory of a process of the program that died; it is looked at, not run. */
  core?: string;
  pid?: number;
  host?: string;
  port?: number;
  pathMappings?: readonly PathMapping[];
  /** Told what a start that takes long is doing. */
  progress?: (message: string) => void;
}

/** The program that a process runs, where the system says. */
function executableOf(pid: number | undefined): string | undefined {
  const found = pid === undefined ? 'unknown' : platform.processes.executable(pid);
  return typeof found === 'string' ? undefined : found.path;
}

/** What stands before the name or line of a test. */
function testFileOf(test: string): string {
  return test.split(/::|:\d+$| > /)[0] ?? test;
}

/** Turns what a caller or a run configuration asks for into what a target starts or attaches to. */
export class Launching {
  readonly adapters: readonly AdapterDescription[];

  constructor(adapters: readonly AdapterDescription[]) {
    this.adapters = adapters;
  }

  /** Whether a program of that adapter can contain the file: what is plainly another's language it cannot. */
  mayRun(adapter: AdapterDescription, file: string): boolean {
    const extension = extname(file).toLowerCase();
    return (
      adapter.fileExtensions.includes(extension) ||
      !this.adapters.some((other) => other.fileExtensions.includes(extension))
    );
  }

  adapterFor(language: string | undefined, file: string | undefined): AdapterDescription {
    const known = this.adapters;
    if (language !== undefined) {
      const wanted = language.toLowerCase();
      const found = known.find((adapter) => adapter.language === wanted || adapter.aliases.includes(wanted));
      if (found !== undefined) return found;
      throw new ToolError('unsupported', `No debugger is known for the language "${language}".`, {
        hint: `Known: ${known.map((adapter) => adapter.language).join(', ')}.`,
      });
    }
    const extension = extname(file ?? '').toLowerCase();
    const found =
      known.find((adapter) => adapter.fileExtensions.includes(extension)) ??
      (file === undefined ? undefined : known.find((adapter) => adapter.recognises?.(file) === true));
    if (found !== undefined) return found;
    throw new ToolError('unsupported', `No debugger is known for ${file ?? 'the program'} by its name.`, {
      hint: `Known: ${known.map((adapter) => adapter.language).join(', ')}; pass language if it is one of them.`,
    });
  }

  /** The adapter that would run it. */
  adapterOf({ language, program, test, module }: StartRequest): AdapterDescription {
    if (module !== undefined && language === undefined)
      return this.adapters.find((adapter) => adapter.resolveModule !== undefined) ?? this.adapterFor(language, module);
    return this.adapterFor(language, test === undefined ? program : testFileOf(test));
  }

  async ofRequest(project: Project, request: StartRequest): Promise<LaunchSpec> {
    const spec = await this.#ofRequest(project, request);
    const { runtime } = request;
    const core = request.core === undefined ? {} : { core: resolve(project.root, request.core) };
    // A path is one of the project's; a bare name is looked up as a shell would.
    if (runtime === undefined) return { ...spec, ...core };
    return { ...spec, ...core, runtime: runtime.includes('/') ? resolve(project.root, runtime) : runtime };
  }

  async #ofRequest(project: Project, request: StartRequest): Promise<LaunchSpec> {
    const common = {
      project,
      args: request.args ?? [],
      env: { ...scratchEnvironment(project.root, request.program ?? '', project.env), ...request.env },
      ...(request.cwd === undefined ? {} : { cwd: resolve(project.root, request.cwd) }),
      ...(request.progress === undefined ? {} : { progress: request.progress }),
    };
    const given = (['program', 'module', 'test'] as const).filter((name) => request[name] !== undefined);
    if (given.length > 1)
      throw new ToolError('invalid_arguments', `Only one of ${given.join(' and ')} can be run.`, {
        hint: 'args are for what the program itself takes.',
      });
    if (request.test !== undefined) {
      const adapter = this.adapterFor(request.language, resolve(project.root, testFileOf(request.test)));
      return adapter.resolveTest({ ...common, test: request.test });
    }
    if (request.module !== undefined) return this.#ofModule(request, request.module, common);
    if (request.program === undefined)
      throw new ToolError('invalid_arguments', 'There is nothing to start.', {
        hint: 'Pass program, module, test, a configuration name, pid, or host and port.',
      });
    const adapter = this.adapterFor(request.language, request.program);
    return adapter.resolveProgram({ ...common, program: request.program, stopOnEntry: request.stopOnEntry ?? false });
  }

  #ofModule(request: StartRequest, module: string, common: Omit<TestRequest, 'test'>): Promise<LaunchSpec> {
    const able = this.adapters.filter((adapter) => adapter.resolveModule !== undefined);
    const adapter = request.language === undefined ? able[0] : this.adapterFor(request.language, undefined);
    if (adapter?.resolveModule === undefined)
      throw new ToolError('unsupported', `${adapter?.language ?? 'No language'} runs no modules by name.`, {
        hint: `Pass program. By name run: ${able.map(({ language }) => language).join(', ')}.`,
      });
    return adapter.resolveModule({ ...common, module, stopOnEntry: request.stopOnEntry ?? false });
  }

  async ofPlan(project: Project, name: string, plan: LaunchPlan): Promise<LaunchSpec> {
    const { kind: _kind, form, before: _before, ...rest } = plan;
    const spec: LaunchSpec = { ...rest, name, kind: form };
    const { module } = plan;
    if (module !== undefined) {
      const adapter = this.adapterFor(plan.language, undefined);
      const resolved = await adapter.resolveModule?.({ ...plan, project, module });
      const { runtimeArgs } = plan;
      return { ...spec, ...resolved, name, ...(runtimeArgs === undefined ? {} : { runtimeArgs }) };
    }
    if (form !== 'program' || plan.program === undefined) return spec;
    const adapter = this.#adapterOfPlan(plan.language, plan.program);
    if (plan.isTest === true && adapter.testsByProgram === true)
      return { ...(await adapter.resolveTest({ ...plan, project, test: plan.program })), name };
    const resolved = await adapter.resolveProgram({
      project,
      program: plan.program,
      args: plan.args,
      cwd: plan.cwd,
      env: plan.env,
      stopOnEntry: plan.stopOnEntry,
      runtime: plan.runtime,
      runtimeArgs: plan.runtimeArgs,
    });
    const runtimeArgs = [...(plan.runtimeArgs ?? []), ...(resolved.runtimeArgs ?? [])];
    return {
      ...resolved,
      ...spec,
      language: adapter.language,
      ...(resolved.program === undefined ? {} : { program: resolved.program }),
      runtimeArgs,
    };
  }

  /** A configuration of a native debugger says nothing of the language that its program is written in. */
  #adapterOfPlan(language: string, program: string): AdapterDescription {
    const extension = extname(program).toLowerCase();
    const own = this.adapters.find(
      (adapter) => adapter.fileExtensions.includes(extension) || adapter.recognises?.(program) === true,
    );
    const named = this.adapterFor(language, program);
    return named.yieldsToOthers === true && own !== undefined ? own : named;
  }

  attachment(project: Project, request: StartRequest): AttachSpec {
    const { pid, host, port } = request;
    const executable = executableOf(pid);
    const own = this.adapters.find((adapter) => executable !== undefined && adapter.runsIn?.(executable) === true);
    return {
      language: this.adapterFor(request.language ?? own?.language ?? this.adapters[0]?.language, undefined).language,
      name: pid === undefined ? `${host ?? '127.0.0.1'}:${port ?? 0}` : `pid ${pid}`,
      pathMappings: request.pathMappings ?? [],
      cwd: project.root,
      pid,
      host,
      port,
    };
  }
}
