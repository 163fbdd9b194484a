import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { advise, parameter } from '../../base/text/advice.ts';
import { Emitter } from '../../base/emitter.ts';
import { ToolError, isErrnoException } from '../../base/errors.ts';
import { contentHash } from '../../base/ids.ts';
import { isInside } from '../../base/paths.ts';
import { childEnvironment } from '../../base/processes.ts';
import { isHiddenFolder, isToolFolder } from './executableConfig.ts';
import { refuseOwn } from './ownFolders.ts';
import { untrustedEnvironment } from '../../base/searchPath.ts';
import { canonicalRoot } from './paths.ts';
import type { Project } from './project.ts';
import { isProjectRoot, nearestProjectRoot } from './projectRoots.ts';
import type { TrustStore } from './trust.ts';

interface ProjectStoreOptions {
  /** Sightline's state directory; each project has a folder in it. */
  stateDir: string;
  trust: TrustStore;
  /** The person's home: never opened because a call happened to name a path below it. */
  home?: string;
  /** Whether a call may open this root by naming it. Default: yes. */
  mayOpen?(root: string): boolean;
}

/** What is known of the caller when a project is looked up. */
interface ResolveContext {
  /** Projects the calling client opened itself; if there are any, only these are meant when no path is given. */
  ownProjects?: readonly Project[];
  /** The client's environment, for a project that this call opens. */
  env?: NodeJS.ProcessEnv;
}

interface OpenOptions {
  env: NodeJS.ProcessEnv;
  /** The folder is a stdio client's own working directory, or a person started Sightline in it: trusted while it is open. */
  trustedByStart?: boolean;
}

/** The projects that are open in this process. */
export class ProjectStore {
  readonly onDidOpen = new Emitter<Project>();
  readonly onDidClose = new Emitter<Project>();
  readonly #options: ProjectStoreOptions;
  readonly #open = new Map<string, OpenProject>();
  readonly #views = new WeakMap<NodeJS.ProcessEnv, Map<OpenProject, Project>>();

  constructor(options: ProjectStoreOptions) {
    this.#options = options;
  }

  list(): Project[] {
    return [...this.#open.values()];
  }

  get(id: string): Project | undefined {
    return this.list().find((project) => project.id === id);
  }

  /** Opens the project `path` lies in: the nearest root above it, or the folder itself when nothing marks a root. */
  async open(path: string, options: OpenOptions): Promise<Project> {
    const folder = await existingFolder(path);
    const nearest = nearestProjectRoot(folder);
    const root = nearest === undefined || this.#isTooWide(nearest, options.env) ? folder : nearest;
    refuseOwn(root, path);
    if (isToolFolder(root))
      throw this.#notFound(`${root} belongs to a tool that executes what lies in it; that is never a project.`);
    if (this.#isTooWide(root, options.env))
      throw this.#notFound(`${root} is never a project: it holds a whole home directory or more.`);
    return this.#openRoot(root, options);
  }

  /**
   * The project a call means. A path names it, and opens it when its root can be told; without one it is the only open
   * project (the caller's own, if it has any).
   */
  async resolve(projectPath: string | undefined, context: ResolveContext = {}): Promise<Project> {
    if (projectPath !== undefined) return this.#resolvePath(projectPath, context);
    const own = (context.ownProjects ?? []).filter((project) => this.#open.has(project.root));
    const candidates = own.length > 0 ? own : this.list();
    const [only] = candidates;
    if (only === undefined) {
      throw new ToolError('project_not_found', 'No project is open.', {
        hint: advise`Pass ${parameter('projectPath')}: the absolute path of a folder with .git, package.json, pyproject.toml or the like.`,
        data: { open_projects: [] },
      });
    }
    if (candidates.length > 1) {
      throw new ToolError('multiple_projects_open', `${candidates.length} projects are open; which one is meant?`, {
        hint: advise`Pass ${parameter('projectPath')}, for example "${only.root}".`,
        data: { open_projects: summaries(candidates) },
      });
    }
    return only;
  }

  /** The same project with the environment of one client: several share it, and each means its own when it has something run. */
  forClient(project: Project, env: NodeJS.ProcessEnv): Project {
    const shared = this.#open.get(project.root);
    if (shared === undefined) return project;
    const views = this.#views.get(env) ?? new Map<OpenProject, Project>();
    this.#views.set(env, views);
    const view = views.get(shared) ?? shared.withEnvironment(childEnvironment(env));
    views.set(shared, view);
    return view;
  }

  /** The innermost open project that contains this canonical path. */
  containing(path: string): Project | undefined {
    return this.list()
      .filter((project) => isInside(project.root, path))
      .sort((a, b) => b.root.length - a.root.length)[0];
  }

  close(project: Project): void {
    if (this.#open.delete(project.root)) this.onDidClose.fire(project);
  }

  dispose(): void {
    for (const project of this.list()) this.close(project);
    this.onDidOpen.dispose();
    this.onDidClose.dispose();
  }

  async #resolvePath(projectPath: string, context: ResolveContext): Promise<Project> {
    if (!isAbsolute(projectPath) && !projectPath.startsWith('file:')) {
      const named = this.list().filter((project) => project.name === projectPath);
      if (named.length === 1 && named[0] !== undefined) return named[0];
      throw this.#notFound(`"${projectPath}" is neither an absolute path nor the name of one open project.`);
    }
    const folder = await existingFolder(projectPath).catch((error: unknown) => {
      if (error instanceof ToolError && error.code === 'project_not_found') throw this.#notFound(error.message);
      throw error;
    });
    refuseOwn(folder, projectPath);
    const exact = this.#open.get(folder);
    if (exact !== undefined) return exact;
    if (!isProjectRoot(folder)) {
      const around = this.containing(folder);
      if (around !== undefined) return around;
    }
    const root = nearestProjectRoot(folder);
    if (root === undefined || this.#isTooWide(root, context.env))
      throw this.#notFound(`${projectPath} is not in an open project, and nothing near it marks the root of one.`);
    const opened = this.#open.get(root);
    if (opened !== undefined) return opened;
    const around = this.containing(root);
    if (isHiddenFolder(around === undefined ? root : relative(around.root, root)))
      throw this.#notFound(`${root} lies in a hidden folder; only a person opens such a project, by sightline in it.`);
    if (this.#options.mayOpen !== undefined && !this.#options.mayOpen(root)) {
      throw new ToolError('policy_denied', `The settings do not allow calls to open the project ${root}.`, {
        hint: 'A person can open it: run `sightline` in that folder.',
        data: { open_projects: summaries(this.list()) },
      });
    }
    return this.#openRoot(root, { env: context.env ?? {} });
  }

  #openRoot(root: string, options: OpenOptions): Project {
    const known = this.#open.get(root);
    if (known !== undefined) {
      if (options.trustedByStart) known.trustedByStart = true;
      return known;
    }
    const id = projectId(root);
    const stateDir = join(this.#options.stateDir, 'projects', id);
    const project = new OpenProject(root, id, stateDir, childEnvironment(options.env), this.#options.trust);
    project.trustedByStart = options.trustedByStart ?? false;
    this.#open.set(root, project);
    this.onDidOpen.fire(project);
    return project;
  }

  /** The root of the disk, a home directory and the folders above one are never what was meant. */
  #isTooWide(root: string, env: NodeJS.ProcessEnv = {}): boolean {
    const homes = [this.#options.home, env['HOME']].filter((home) => home !== undefined && isAbsolute(home));
    return dirname(root) === root || homes.some((home) => home !== undefined && isInside(root, realFolder(home)));
  }

  #notFound(message: string): ToolError {
    return new ToolError('project_not_found', message, {
      hint: 'Pass one of open_projects, or the absolute path of a folder with .git, package.json, pyproject.toml, …',
      data: { open_projects: summaries(this.list()) },
    });
  }
}

class OpenProject implements Project {
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly stateDir: string;
  trustedByStart = false;
  readonly #env: NodeJS.ProcessEnv;
  #carefulEnv: NodeJS.ProcessEnv | undefined;
  readonly #trust: TrustStore;
  /** Of a view: the project that is open. */
  #shared: OpenProject | undefined;

  constructor(root: string, id: string, stateDir: string, env: NodeJS.ProcessEnv, trust: TrustStore) {
    this.id = id;
    this.name = basename(root);
    this.root = root;
    this.stateDir = stateDir;
    this.#env = env;
    this.#trust = trust;
  }

  get env(): NodeJS.ProcessEnv {
    return this.trusted ? this.#env : (this.#carefulEnv ??= untrustedEnvironment(this.#env, this.root));
  }

  get trusted(): boolean {
    return (this.#shared ?? this).trustedByStart || this.#trust.isTrusted(this.root);
  }

  withEnvironment(env: NodeJS.ProcessEnv): Project {
    const view = new OpenProject(this.root, this.id, this.stateDir, env, this.#trust);
    view.#shared = this;
    return view;
  }
}

function projectId(root: string): string {
  const name = basename(root)
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 40);
  return `${name === '' ? 'root' : name}-${contentHash(root).slice(0, 12)}`;
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function summaries(projects: readonly Project[]): { name: string; path: string }[] {
  return projects.map((project) => ({ name: project.name, path: project.root }));
}

/** The canonical folder of `path`, or of the file it names. */
async function existingFolder(path: string): Promise<string> {
  try {
    const real = await canonicalRoot(path);
    return (await stat(real)).isDirectory() ? real : dirname(real);
  } catch (error) {
    if (error instanceof ToolError || !isErrnoException(error)) throw error;
    throw new ToolError('project_not_found', `${path.slice(0, 300)} does not exist or cannot be reached.`);
  }
}
