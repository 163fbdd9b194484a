import type { Logger } from '../../base/logger.ts';
import type { Project } from '../workspace/project.ts';
import { CodeWorkspace } from './codeWorkspace.ts';
import type { Provision } from '../provision/provision.ts';
import { lintSources } from './problems/lintSources.ts';
import type { ProblemSource } from './problems/problemSource.ts';
import { cppServer } from './servers/cpp/server.ts';
import { goServer } from './servers/go/server.ts';
import { javaServer } from './servers/java/server.ts';
import { pythonServer } from './servers/python/server.ts';
import { rustServer } from './servers/rust/server.ts';
import { ServerPool } from './serverPool.ts';
import type { ServerDefinition } from './servers/definition.ts';
import { typescriptServer } from './servers/typescript/server.ts';
import { SyntaxTrees } from './textual/syntaxTrees.ts';

interface CodeEngineOptions {
  logger: Logger;
  memoryBudgetBytes?: number;
  /** Servers besides the built-in ones, or instead of them (tests). */
  definitions?: readonly ServerDefinition[];
  /** Finds the servers that are not bundled. */
  provision?: Provision;
  linters?: readonly ProblemSource[];
  /** Servers that the settings of a project name; the same ones as long as those do not change. */
  configured?: (project: Project) => readonly ServerDefinition[];
}

/** Servers that have to be found or installed first. Adding one is one file and one line here. */
const providedServers: readonly ((provision: Provision) => ServerDefinition)[] = [
  pythonServer,
  goServer,
  javaServer,
  cppServer,
  rustServer,
];

/** The code index of all open projects. */
export class CodeEngine {
  readonly pool: ServerPool;
  readonly #definitions: readonly ServerDefinition[];
  readonly #linters: readonly ProblemSource[];
  readonly #configured: (project: Project) => readonly ServerDefinition[];
  readonly #trees: SyntaxTrees;
  readonly #logger: Logger;
  readonly #workspaces = new Map<string, CodeWorkspace>();

  constructor(options: CodeEngineOptions) {
    this.#logger = options.logger.tagged('code');
    const { provision } = options;
    this.#definitions = options.definitions ?? [
      typescriptServer,
      ...(provision === undefined ? [] : providedServers.map((server) => server(provision))),
    ];
    this.#linters = options.linters ?? lintSources(options.provision);
    this.#configured = options.configured ?? (() => []);
    this.#trees = new SyntaxTrees(options.provision);
    this.pool = new ServerPool({
      logger: this.#logger,
      memoryBudgetBytes: options.memoryBudgetBytes,
    });
  }

  /** The code of a project; created on first use, nothing is started. */
  workspace(project: Project): CodeWorkspace {
    const known = this.#workspaces.get(project.root);
    if (known !== undefined) return known;
    // What is built in comes first: settings add languages, they do not replace any.
    const definitions = () => [...this.#definitions, ...this.#configured(project)];
    const fresh = new CodeWorkspace(project, this.pool, definitions, this.#linters, this.#trees, this.#logger);
    this.#workspaces.set(project.root, fresh);
    return fresh;
  }

  /** Called after Sightline itself wrote files, so that servers need not learn it from the watcher. */
  async filesChanged(project: Project, paths: readonly string[]): Promise<void> {
    const workspace = this.#workspaces.get(project.root);
    if (workspace === undefined || paths.length === 0) return;
    // The watcher saw the same writes and knows created from changed; asking it keeps both views one.
    await workspace.sync();
  }

  /** The project was closed: its servers and watches end. */
  async close(project: Project): Promise<void> {
    const workspace = this.#workspaces.get(project.root);
    this.#workspaces.delete(project.root);
    await workspace?.dispose();
    await this.pool.stopAll(project);
  }

  async dispose(): Promise<void> {
    const workspaces = [...this.#workspaces.values()];
    this.#workspaces.clear();
    await Promise.all(workspaces.map((workspace) => workspace.dispose()));
    await this.pool.dispose();
  }
}
