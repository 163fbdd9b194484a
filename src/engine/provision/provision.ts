import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import { BugError, errorMessage } from '../../base/errors.ts';
import { silentLogger, type Logger } from '../../base/logger.ts';
import { isInside } from '../../base/paths.ts';
import { isShim, untrustedEnvironment } from '../../base/searchPath.ts';
import type { Project } from '../workspace/project.ts';
import { engineCatalog } from './engineCatalog.ts';
import { EngineCache } from './engineCache.ts';
import { installEngine } from './installEngine.ts';
import type {
  EngineDeclaration,
  EngineSource,
  FindContext,
  FoundEngine,
  InstallOptions,
  InstallOutcome,
  LocatedEngine,
} from './model.ts';
import { compareVersions, exists } from './programs.ts';
import { ProbeMemory } from './probeMemory.ts';
import { toolRunner } from './runTool.ts';

interface ProvisionOptions {
  /** `appDirs(env).cache`. */
  cacheDir: string;
  /** The person's environment, for questions that concern no project. */
  env: NodeJS.ProcessEnv;
  logger?: Logger;
  /** Engine paths from the settings, by engine id. */
  configuredPath?: (engineId: string) => string | undefined;
  /** Other than the built-in engines, for tests. */
  catalog?: readonly EngineDeclaration[];
}

/** Paths of engines by their ids. */
type ChosenPaths = Readonly<Record<string, string>>;

/** Finds engines, and installs those that are missing. Stateless but for what it remembers of version checks. */
export class Provision {
  readonly engines: readonly EngineDeclaration[];
  readonly cache: EngineCache;
  readonly #options: ProvisionOptions;
  readonly #logger: Logger;
  readonly #probes = new ProbeMemory();

  constructor(options: ProvisionOptions) {
    this.#options = options;
    this.#logger = (options.logger ?? silentLogger).tagged('provision');
    this.engines = options.catalog ?? engineCatalog;
    this.cache = new EngineCache(options.cacheDir);
  }

  /**
   * Where an engine is, or how to get it; `chosen` names engines by path, such as the interpreter of a launch configuration, for
   * which another one may be needed. Never installs, never throws for a missing engine.
   */
  async locate(engineId: string, project?: Project, chosen: ChosenPaths = {}): Promise<LocatedEngine> {
    const engine = this.declaration(engineId);
    const context = await this.contextFor(engine, project, { chosen });
    const problems: string[] = [];
    for (const { source, path, why } of await this.#candidates(engine, context, chosen)) {
      // What a project has of its own is what its programs run with: another one in its place would be a silent lie.
      const decides = engine.ownDecides === true && (source === 'project' || source === 'configuration');
      if (!(await exists(path))) {
        if (source === 'configuration') problems.push(`${path} (configured) does not exist`);
        continue;
      }
      try {
        const answer = await this.#probes.ask(engine, path, context);
        const { version } = answer;
        if (isTooOld(version, engine.minimumVersion)) {
          problems.push(`${path} is ${version}, older than ${engine.minimumVersion}`);
          if (decides) return await this.#missing(engine, context, problems, why ?? 'configured');
          continue;
        }
        return {
          ...(await found(engine, answer.path, version, source, context, problems)),
          ...(why === undefined ? {} : { why }),
        };
      } catch (error) {
        problems.push(errorMessage(error));
        this.#logger.debug(`${engine.id}: ${path} passed over`, errorMessage(error));
        if (decides) return this.#missing(engine, context, problems, why ?? 'configured');
      }
    }
    return this.#missing(engine, context, problems);
  }

  /** Installs what is missing, one engine after the other. Only cancellation throws; a failure, also by a time limit, is an outcome. */
  async install(engineIds: readonly string[], options: InstallOptions = {}): Promise<InstallOutcome[]> {
    const outcomes: InstallOutcome[] = [];
    for (const id of engineIds) {
      const engine = this.declaration(id);
      try {
        outcomes.push(await installEngine(this, engine, options));
      } catch (error) {
        if (!isTimeout(options.signal)) throw error;
        outcomes.push(tooSlow(engine));
      }
    }
    return outcomes;
  }

  declaration(engineId: string): EngineDeclaration {
    const engine = this.engines.find(({ id }) => id === engineId);
    if (engine === undefined) throw new BugError(`There is no engine named '${engineId}'.`);
    return engine;
  }

  /** What an engine's declaration is given to work with. */
  async contextFor(
    engine: EngineDeclaration,
    project: Project | undefined,
    { runToken, chosen = {} }: { runToken?: string; chosen?: ChosenPaths } = {},
  ): Promise<FindContext> {
    const env = project === undefined ? this.#options.env : environmentOf(project);
    const installed = await this.cache.installed(engine.installedAs ?? engine.id, engine.install.version);
    // Looking for something makes no folder.
    const cwd = existsSync(this.#options.cacheDir) ? this.#options.cacheDir : parse(process.execPath).root;
    const run = toolRunner(env, runToken);
    return {
      env,
      project,
      installed: installed?.folder,
      run: (command, options) => run(command, { cwd, ...withoutUndefined(options) }),
      locate: (id) => this.locate(id, project, chosen),
    };
  }

  async #candidates(
    engine: EngineDeclaration,
    context: FindContext,
    chosen: ChosenPaths,
  ): Promise<readonly Candidate[]> {
    const configured = chosen[engine.id] ?? this.#options.configuredPath?.(engine.id);
    const candidates: Candidate[] = configured === undefined ? [] : [{ source: 'configuration', path: configured }];
    for (const finder of engine.find) {
      const { source } = finder;
      for (const place of await finder.paths(context))
        candidates.push(
          typeof place === 'string'
            ? { source, path: join(place) }
            : { source, path: join(place.path), why: place.why },
        );
    }
    return candidates.filter(({ source, path }) => source === 'configuration' || mayRun(path, context.project));
  }

  /** `own` says whose choice the last problem is about, when nothing else may take its place. */
  async #missing(
    engine: EngineDeclaration,
    context: FindContext,
    problems: readonly string[],
    own?: string,
  ): Promise<LocatedEngine> {
    const plan = await engine.install.plan({ ...context, signal: undefined, progress: () => undefined });
    const passedOver = problems.length === 0 ? '' : ` Passed over: ${problems.join('; ')}.`;
    return {
      found: false,
      id: engine.id,
      title: engine.title,
      role: engine.role,
      reason:
        own === undefined
          ? `${engine.title} was not found.${passedOver}`
          : `${problems.at(-1) ?? ''} (${own}). It is not replaced by another.`,
      installCommand: 'run' in plan ? `sightline setup ${engine.id}` : plan.manualCommand,
      problems,
    };
  }
}

interface Candidate {
  source: EngineSource;
  path: string;
  why?: string;
}

async function found(
  engine: EngineDeclaration,
  path: string,
  version: string | undefined,
  source: EngineSource,
  context: FindContext,
  problems: readonly string[],
): Promise<FoundEngine> {
  return {
    found: true,
    id: engine.id,
    title: engine.title,
    role: engine.role,
    path,
    command: await engine.start(path, context),
    version,
    source,
    problems,
  };
}

/**
 * What lies inside a project was written by whoever wrote the project, whichever way it was found (VIRTUAL_ENV, JAVA_HOME, PATH), and what
 * stands behind a shim is chosen by it.
 */
function mayRun(path: string, project: Project | undefined): boolean {
  return project === undefined || project.trusted || !(isInside(project.root, path) || isShim(path));
}

function environmentOf({ env, root, trusted }: Project): NodeJS.ProcessEnv {
  return trusted ? env : untrustedEnvironment(env, root);
}

/** `AbortSignal.timeout`, which a caller uses who cannot wait for ever, as opposed to somebody who changed their mind. */
function isTimeout(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason;
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function tooSlow({ id, title }: EngineDeclaration): InstallOutcome {
  const reason = `Installing ${title} took longer than this call may.`;
  return { id, title, status: 'failed', reason, manualCommand: `sightline setup ${id}` };
}

function isTooOld(version: string | undefined, minimum: string | undefined): boolean {
  return version !== undefined && minimum !== undefined && compareVersions(version, minimum) < 0;
}

function withoutUndefined<T extends object>(options: T | undefined): Partial<T> {
  const entries = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
