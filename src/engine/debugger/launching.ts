import { extname, resolve } from 'node:path';
import { ToolError } from '../../base/errors.ts';
import type { Project } from '../workspace/project.ts';
import type { LaunchPlan } from '../workspace/runConfigs/model.ts';
import type { AttachSpec, LaunchSpec, PathMapping } from './model.ts';
import type { AdapterDescription } from './target.ts';

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
  pid?: number;
  host?: string;
  port?: number;
  pathMappings?: readonly PathMapping[];
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
    const found = known.find((adapter) => adapter.fileExtensions.includes(extension));
    if (found !== undefined) return found;
    throw new ToolError('unsupported', `The language of ${file ?? 'the program'} cannot be told from its name.`, {
      hint: `Pass language: ${known.map((adapter) => adapter.language).join(', ')}.`,
    });
  }

  async ofRequest(project: Project, request: StartRequest): Promise<LaunchSpec> {
    const spec = await this.#ofRequest(project, request);
    const { runtime } = request;
    // A path is one of the project's; a bare name is looked up as a shell would.
    if (runtime === undefined) return spec;
    return { ...spec, runtime: runtime.includes('/') ? resolve(project.root, runtime) : runtime };
  }

  async #ofRequest(project: Project, request: StartRequest): Promise<LaunchSpec> {
    const common = {
      project,
      args: request.args ?? [],
      env: request.env ?? {},
      ...(request.cwd === undefined ? {} : { cwd: resolve(project.root, request.cwd) }),
    };
    if (request.test !== undefined) {
      const adapter = this.adapterFor(request.language, request.test.split(/::|:\d+$| > /)[0]);
      return adapter.resolveTest({ ...common, test: request.test });
    }
    if (request.module !== undefined) return this.#ofModule(project, request, request.module);
    if (request.program === undefined)
      throw new ToolError('invalid_arguments', 'There is nothing to start.', {
        hint: 'Pass program, module, test, a configuration name, pid, or host and port.',
      });
    const adapter = this.adapterFor(request.language, request.program);
    return adapter.resolveProgram({ ...common, program: request.program, stopOnEntry: request.stopOnEntry ?? false });
  }

  #ofModule(project: Project, request: StartRequest, module: string): LaunchSpec {
    const { language } = this.adapterFor(request.language ?? 'python', undefined);
    if (language !== 'python')
      throw new ToolError('unsupported', `Only Python runs modules by name; ${language} takes a program.`);
    return {
      language,
      name: module,
      kind: 'module',
      module,
      args: request.args ?? [],
      cwd: resolve(project.root, request.cwd ?? '.'),
      env: request.env ?? {},
      stopOnEntry: request.stopOnEntry ?? false,
    };
  }

  async ofPlan(project: Project, name: string, plan: LaunchPlan): Promise<LaunchSpec> {
    const { kind: _kind, form, before: _before, ...rest } = plan;
    const spec: LaunchSpec = { ...rest, name, kind: form };
    if (form !== 'program' || plan.program === undefined) return spec;
    const adapter = this.adapterFor(plan.language, plan.program);
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
      ...(resolved.program === undefined ? {} : { program: resolved.program }),
      runtimeArgs,
    };
  }

  attachment(project: Project, request: StartRequest): AttachSpec {
    const { pid, host, port } = request;
    return {
      language: this.adapterFor(request.language ?? 'node', undefined).language,
      name: pid === undefined ? `${host ?? '127.0.0.1'}:${port ?? 0}` : `pid ${pid}`,
      pathMappings: request.pathMappings ?? [],
      cwd: project.root,
      pid,
      host,
      port,
    };
  }
}
