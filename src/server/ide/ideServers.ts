import { DisposableStore, disposeAll, type AsyncDisposer } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Project } from '../../engine/workspace/project.ts';
import type { ProjectStore } from '../../engine/workspace/projectStore.ts';
import { ClaudeIde, claudeFolder, ideName } from './claudeIde.ts';
import { IdeActions, type IdeParts } from './ideActions.ts';

export interface IdeServersParts extends IdeParts {
  projects: ProjectStore;
  /** The protocols that the person has turned on; none by default. */
  protocols: () => readonly 'claude'[];
  env: NodeJS.ProcessEnv;
  home: string;
  logger: Logger;
}

/** Is the IDE of command lines in the open projects, for those protocols that the person has turned on. */
export class IdeServers implements AsyncDisposer {
  readonly #parts: IdeServersParts;
  readonly #owned = new DisposableStore();
  readonly #open = new Map<string, Promise<ClaudeIde | undefined>>();

  constructor(parts: IdeServersParts) {
    this.#parts = parts;
    this.#owned.add(parts.projects.onDidOpen.on((project) => this.#opened(project)));
    this.#owned.add(parts.projects.onDidClose.on((project) => void this.#closed(project)));
  }

  /** The IDE of a project once it is there; undefined when it is not wanted or another has the folder. */
  async of(project: Project): Promise<ClaudeIde | undefined> {
    return this.#open.get(project.root);
  }

  async dispose(): Promise<void> {
    await this.#owned.dispose();
    const open = await Promise.all(this.#open.values());
    await disposeAll(open.filter((each) => each !== undefined));
  }

  #opened(project: Project): void {
    if (!this.#parts.protocols().includes('claude') || !project.trusted) return;
    this.#open.set(project.root, this.#start(project));
  }

  async #start(project: Project): Promise<ClaudeIde | undefined> {
    const { backend, env, home, logger } = this.#parts;
    const client = backend.connect({
      name: `${ideName} as an IDE`,
      transport: 'embedded',
      face: 'all',
      output: 'json',
      cwd: project.root,
      env: project.env,
    });
    try {
      const ide = await ClaudeIde.open(claudeFolder(env, home), new IdeActions(project, client, this.#parts));
      if (ide === undefined) logger.info(`Another IDE has ${project.root} open; Sightline leaves it to that one.`);
      return ide;
    } catch (error) {
      logger.warn(`Sightline cannot be the IDE of ${project.root}.`, error);
      return undefined;
    }
  }

  async #closed(project: Project): Promise<void> {
    const ide = this.#open.get(project.root);
    this.#open.delete(project.root);
    await (await ide)?.dispose();
  }
}
