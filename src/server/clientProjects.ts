import { isAbsolute } from 'node:path';
import { ToolError } from '../base/errors.ts';
import type { Project } from '../engine/workspace/project.ts';
import { canonicalRoot } from '../engine/workspace/paths.ts';
import type { ProjectStore } from '../engine/workspace/projectStore.ts';
import type { Client } from './clients.ts';
import type { PathMap } from './pathMap.ts';

/** Which project a call means, by what is known of its client: the folder it came from, the folders it says it works in, paths it names. */
export class ClientProjects {
  readonly #projects: ProjectStore;
  readonly #pathMap: PathMap;
  readonly #ownEnv: NodeJS.ProcessEnv;
  readonly #known = new WeakMap<Client, { roots: readonly string[] | undefined; own: Project[] }>();

  /** `ownEnv` is what clients get that have no environment here: those over HTTP. */
  constructor(projects: ProjectStore, pathMap: PathMap, ownEnv: NodeJS.ProcessEnv) {
    this.#projects = projects;
    this.#pathMap = pathMap;
    this.#ownEnv = ownEnv;
  }

  async resolve(projectPath: string | undefined, client: Client, mentioned: readonly string[] = []): Promise<Project> {
    const env = client.env ?? this.#ownEnv;
    const ownProjects = await this.#ownOf(client);
    const project =
      (projectPath === undefined ? await this.#containing(mentioned) : undefined) ??
      (await this.#projects.resolve(projectPath, { ownProjects, env }));
    return this.#projects.forClient(project, env);
  }

  /** An absolute path says by itself which of the open projects is meant. */
  async #containing(paths: readonly string[]): Promise<Project | undefined> {
    for (const path of paths.filter((one) => isAbsolute(one) || one.startsWith('file:'))) {
      const real = await canonicalRoot(path).catch(() => path);
      const project = this.#projects.containing(real);
      if (project !== undefined) return project;
    }
    return undefined;
  }

  /** Looked for once per client, and again when one was closed or the client's folders changed. */
  async #ownOf(client: Client): Promise<Project[]> {
    const known = this.#known.get(client);
    if (known !== undefined && known.roots === client.roots && known.own.every((one) => this.#isOpen(one)))
      return known.own;
    const own = await this.#findOwn(client);
    this.#known.set(client, { roots: client.roots, own });
    return own;
  }

  /** The folder a client was started in, unless it says itself that it works elsewhere. */
  async #findOwn(client: Client): Promise<Project[]> {
    const started = client.cwd === undefined ? undefined : await this.#open(client, client.cwd);
    if (started !== undefined && client.isProjectGiven) return [started];
    const told: Project[] = [];
    for (const root of client.roots ?? []) {
      const project = await this.#open(client, this.#pathMap.inward(root));
      if (project !== undefined && !told.includes(project)) told.push(project);
    }
    if (started === undefined) return told;
    return told.length === 0 || told.includes(started) ? [started] : told;
  }

  /** Undefined for what is no project: a home directory, a folder of another machine. The call then says that none is open. */
  async #open(client: Client, path: string): Promise<Project | undefined> {
    const env = client.env ?? this.#ownEnv;
    try {
      if (isLocal(client)) return await this.#projects.open(path, { env, trustedByStart: true });
      return await this.#projects.resolve(path, { env });
    } catch (error) {
      if (error instanceof ToolError && ['project_not_found', 'policy_denied'].includes(error.code)) return undefined;
      throw error;
    }
  }

  #isOpen(project: Project): boolean {
    return this.#projects.get(project.id) === project;
  }
}

/** Only a process that the person or the agent itself started on this machine can say what its folders are, and be trusted in them. */
function isLocal(client: Client): boolean {
  return client.transport === 'stdio' || client.transport === 'embedded' || client.transport === 'cli';
}
