import { childEnvironment } from '../base/processes.ts';
import type { Project } from '../engine/workspace/project.ts';

/**
 * A project as one client sees it: the same one, with that client's environment. Several clients share a project, and each means its own
 * PATH, virtual environment and variables when it has something run.
 */
export function projectOfClient(project: Project, clientEnv: NodeJS.ProcessEnv): Project {
  const env = strippedEnvironment(clientEnv);
  return project.env === env ? project : new ClientProject(project, env);
}

class ClientProject implements Project {
  readonly env: NodeJS.ProcessEnv;
  readonly #shared: Project;

  constructor(shared: Project, env: NodeJS.ProcessEnv) {
    this.#shared = shared;
    this.env = env;
  }

  get id(): string {
    return this.#shared.id;
  }

  get name(): string {
    return this.#shared.name;
  }

  get root(): string {
    return this.#shared.root;
  }

  get stateDir(): string {
    return this.#shared.stateDir;
  }

  get trusted(): boolean {
    return this.#shared.trusted;
  }
}

/** Stripped once per client, not once per call. */
const strippedEnvironments = new WeakMap<NodeJS.ProcessEnv, NodeJS.ProcessEnv>();

function strippedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const known = strippedEnvironments.get(env) ?? childEnvironment(env);
  strippedEnvironments.set(env, known);
  return known;
}
