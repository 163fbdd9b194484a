import type { Logger } from '../../base/logger.ts';
import type { Project } from '../workspace/project.ts';
import { CodeWorkspace } from './codeWorkspace.ts';
import type { Provision } from '../provision/provision.ts';
import { linters } from './problems/linters.ts';
import type { ProblemSource } from './problems/problemSource.ts';
import { pythonServer } from './servers/python/server.ts';
import { ServerPool } from './serverPool.ts';
import type { ServerDefinition } from './servers/definition.ts';
import { typescriptServer } from './servers/typescript/server.ts';
import { SyntaxTrees } from './textual/syntaxTrees.ts';

export interface CodeEngineOptions {
  logger: Logger;
  memoryBudgetBytes?: number;
  /** Servers besides the built-in ones, or instead of them (tests). */
  definitions?: readonly ServerDefinition[];
  /** Finds the servers that are not bundled. */
  provision?: Provision;
  linters?: readonly ProblemSource[];
}

/** The code index of all open projects. */
export class CodeEngine {
  readonly pool: ServerPool;
  readonly #definitions: readonly ServerDefinition[];
  readonly #linters: readonly ProblemSource[];
  readonly #trees: SyntaxTrees;
  readonly #logger: Logger;
  readonly #workspaces = new Map<string, CodeWorkspace>();

  constructor(options: CodeEngineOptions) {
    this.#logger = options.logger.tagged('code');
    this.#definitions = options.definitions ?? [
      typescriptServer,
      ...(options.provision === undefined ? [] : [pythonServer(options.provision)]),
    ];
    this.#linters = options.linters ?? linters(options.provision);
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
    const fresh = new CodeWorkspace(project, this.pool, this.#definitions, this.#linters, this.#trees, this.#logger);
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
