import { tmpdir } from 'node:os';
import { DisposableStore, disposeAll, type AsyncDisposer } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { Project } from '../../engine/workspace/project.ts';
import type { ProjectStore } from '../../engine/workspace/projectStore.ts';
import { ClaudeIde, claudeFolder } from './claudeIde.ts';
import { CopilotIde, copilotFolder } from './copilotIde.ts';
import { geminiFolder, openGeminiIde } from './geminiIde.ts';
import { IdeActions, type IdeParts } from './ideActions.ts';
import { ideName, type IdeServer, type Selection } from './ideMcp.ts';
import { openQwenIde, qwenFolder } from './qwenIde.ts';

/** A command line's way to its IDE: `claude` is that of opencode too. */
export type IdeProtocol = 'claude' | 'copilot' | 'gemini' | 'qwen';

interface IdeServersParts extends IdeParts {
  projects: ProjectStore;
  /** The protocols that the person has turned on; none by default. */
  protocols: () => readonly IdeProtocol[];
  env: NodeJS.ProcessEnv;
  home: string;
  /** A folder of this user's alone, for sockets. */
  runtimeDir: string;
  logger: Logger;
}

/** Is the IDE of command lines in the open projects, for those protocols that the person has turned on. */
export class IdeServers implements AsyncDisposer {
  /** Everything that command lines send to their IDE. */
  readonly onDidHear = new Emitter<{ protocol: IdeProtocol; message: Record<string, unknown> }>();
  readonly #parts: IdeServersParts;
  readonly #owned = new DisposableStore();
  readonly #open = new Map<string, Map<IdeProtocol, Promise<IdeServer | undefined>>>();

  constructor(parts: IdeServersParts) {
    this.#parts = parts;
    this.#owned.add(parts.projects.onDidOpen.on((project) => this.#opened(project)));
    this.#owned.add(parts.projects.onDidClose.on((project) => void this.#closed(project)));
  }

  /** The IDE of a project once it is there; undefined when it is not wanted or another has the folder. */
  async of(project: Project, protocol: IdeProtocol): Promise<IdeServer | undefined> {
    return this.#open.get(project.root)?.get(protocol);
  }

  /** Tells every connected command line what a person has selected, or, mentioned, asks about; how many that were. */
  async select(project: Project, selection: Selection, isMentioned: boolean): Promise<number> {
    const open = this.#open.get(project.root);
    const ides = open === undefined ? [] : await this.#all([open]);
    for (const ide of ides) ide.select(selection, isMentioned);
    return ides.filter(({ connections }) => connections > 0).length;
  }

  async dispose(): Promise<void> {
    await this.#owned.dispose();
    await disposeAll(await this.#all([...this.#open.values()]));
  }

  #opened(project: Project): void {
    if (!project.trusted) return;
    const wanted = new Set(this.#parts.protocols());
    this.#open.set(project.root, new Map([...wanted].map((each) => [each, this.#start(project, each)])));
  }

  async #start(project: Project, protocol: IdeProtocol): Promise<IdeServer | undefined> {
    const { backend, logger } = this.#parts;
    const client = backend.connect({
      name: `${ideName} as an IDE`,
      transport: 'embedded',
      face: 'all',
      output: 'json',
      cwd: project.root,
      env: project.env,
    });
    try {
      const actions = new IdeActions(project, client, this.#parts);
      actions.onDidHear.on((message) => this.onDidHear.fire({ protocol, message }));
      const ide = await this.#openProtocol(protocol, actions);
      if (ide === undefined) logger.info(`Another IDE has ${project.root} open; Sightline leaves it to that one.`);
      return ide;
    } catch (error) {
      logger.warn(`Sightline cannot be the IDE of ${project.root} for ${protocol}.`, error);
      return undefined;
    }
  }

  #openProtocol(protocol: IdeProtocol, actions: IdeActions): Promise<IdeServer | undefined> {
    const { env, home, runtimeDir } = this.#parts;
    switch (protocol) {
      case 'claude':
        return ClaudeIde.open(claudeFolder(env, home), actions);
      case 'copilot':
        return CopilotIde.open(copilotFolder(home), runtimeDir, actions);
      case 'gemini':
        return openGeminiIde(geminiFolder(env['TMPDIR'] ?? tmpdir()), actions);
      case 'qwen':
        return openQwenIde(qwenFolder(home), actions);
    }
  }

  async #closed(project: Project): Promise<void> {
    const open = this.#open.get(project.root);
    this.#open.delete(project.root);
    if (open !== undefined) await disposeAll(await this.#all([open]));
  }

  async #all(maps: readonly Map<IdeProtocol, Promise<IdeServer | undefined>>[]): Promise<IdeServer[]> {
    const open = await Promise.all(maps.flatMap((each) => [...each.values()]));
    return open.filter((each) => each !== undefined);
  }
}
