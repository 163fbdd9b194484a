import { advise, step } from '../../base/text/advice.ts';
import { untilCancelled } from '../../base/cancellation.ts';
import { ToolError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { displayPath } from '../../base/paths.ts';
import { unsavedBelow, unsavedBuffer } from '../workspace/buffers/unsaved.ts';
import { resolveProjectPath } from '../workspace/paths.ts';
import type { Project } from '../workspace/project.ts';
import { extensionOf, type LanguageServer, type ServerContext } from './languageServer.ts';
import { readyState, type IndexState } from './model.ts';
import type { ProblemSource } from './problems/problemSource.ts';
import { ProblemStore } from './problems/problemStore.ts';
import type { ServerPool } from './serverPool.ts';
import type { FileJudge, FixSource, ProblemJudge, ServerDefinition } from './servers/definition.ts';
import { listSourceFiles } from './sourceFiles.ts';
import { SourceTexts } from './sourceTexts.ts';
import type { SyntaxTrees } from './textual/syntaxTrees.ts';
import { TextualIndex } from './textual/textualIndex.ts';
import { TreeWatcher, type FileChange } from './treeWatcher.ts';

export interface Asked {
  /** `sync` was called for this very question already. */
  inStep?: boolean;
}

/** The code of one project: its servers, its texts, and what changes in it. Queries are functions over this. */
export class CodeWorkspace {
  readonly project: Project;
  readonly texts: SourceTexts;
  readonly watcher: TreeWatcher;
  readonly problems: ProblemStore;
  /** Files without a language server. */
  readonly textual: TextualIndex;
  readonly #pool: ServerPool;
  readonly #definitions: () => readonly ServerDefinition[];
  readonly #context: ServerContext;
  readonly #installed = new Map<string, { isInstalled: boolean; atMs: number }>();
  readonly #judges = new Map<string, ProblemJudge>();
  readonly #fixSources = new Map<string, FixSource>();
  #lists = new Map<string, Promise<string[]>>();
  #prepared: { starting: Promise<unknown>; id: string; atMs: number } | undefined;
  #syncing: Promise<void> | undefined;
  /** The files that an editor held unsaved when this was last looked at, with the text. */
  #unsaved: ReadonlyMap<string, string> = new Map();
  /** Counts changes on disk and in editors: what was computed at one count is fresh as long as it stands. */
  #generation = 0;

  constructor(
    project: Project,
    pool: ServerPool,
    definitions: () => readonly ServerDefinition[],
    linters: readonly ProblemSource[],
    trees: SyntaxTrees,
    logger: Logger,
  ) {
    this.project = project;
    this.#pool = pool;
    this.#definitions = definitions;
    this.watcher = new TreeWatcher(project.root, logger);
    this.problems = new ProblemStore(this, linters);
    this.texts = new SourceTexts((path) => this.watcher.watches(path), project.root);
    this.textual = new TextualIndex(this.texts, trees, (path) => this.watcher.watches(path));
    this.#context = {
      project,
      texts: this.texts,
      logger,
      listFiles: (extensions, signal) => this.listFiles(extensions, signal),
    };
  }

  get generation(): number {
    return this.#generation;
  }

  get unsavedPaths(): ReadonlySet<string> {
    return new Set(this.#unsaved.keys());
  }

  get definitions(): readonly ServerDefinition[] {
    return this.#definitions().filter((one) => this.project.trusted || one.runsToolchain !== true);
  }

  get runningServers(): LanguageServer[] {
    return this.#pool.serversOf(this.project);
  }

  shown(path: string): string {
    return displayPath(this.project.root, path);
  }

  /** Source files with these extensions, those that git ignores left out. Kept until files come or go. */
  async listFiles(extensions: readonly string[], signal?: AbortSignal): Promise<string[]> {
    await this.sync();
    const key = extensions.join();
    const lists = this.#lists;
    const files = lists.get(key) ?? listSourceFiles(this.project, extensions);
    lists.set(key, files);
    try {
      return await untilCancelled(files, signal);
    } catch (error) {
      if (signal?.aborted !== true) lists.delete(key);
      throw error;
    }
  }

  /** A file of the project by the path people write; undefined when there is none. */
  async findFile(shown: string): Promise<string | undefined> {
    try {
      const resolved = await resolveProjectPath(this.project.root, shown);
      return resolved.kind === 'file' ? resolved.path : undefined;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  /** Who decides about the problems of a file; undefined when its server does. */
  judgeOf(definition: ServerDefinition, path: string): FileJudge | undefined {
    // A judge reads the disk: while something is unsaved, only the server knows it.
    if (this.#unsaved.size > 0) return undefined;
    const judge = this.#judges.get(definition.id) ?? definition.judge?.(this.#context);
    if (judge === undefined) return undefined;
    this.#judges.set(definition.id, judge);
    return judge.judgeOf(path);
  }

  /** Who else may fix the problems that a server has no fixes for. */
  fixesOf(definition: ServerDefinition): FixSource | undefined {
    const source = this.#fixSources.get(definition.id) ?? definition.fixes?.(this.#context);
    if (source !== undefined) this.#fixSources.set(definition.id, source);
    return source;
  }

  definitionFor(path: string): ServerDefinition | undefined {
    const extension = extensionOf(path);
    const definition = this.definitions.find(({ languages }) => extension in languages);
    return definition?.variantFor?.(this.project, path) ?? definition;
  }

  /** Whether there is a server for a file that is not started because nobody trusts the project. */
  isHeldBack(path: string): boolean {
    const extension = extensionOf(path);
    return (
      this.#definitions().some(({ languages }) => extension in languages) && this.definitionFor(path) === undefined
    );
  }

  /** Takes in everything that changed on disk until now and tells the servers. Every query begins with it. */
  async sync(): Promise<void> {
    while (this.#syncing !== undefined) await this.#syncing;
    this.#syncing = this.#takeChanges();
    try {
      await this.#syncing;
    } finally {
      this.#syncing = undefined;
    }
  }

  /** For whoever writes files itself: the same as `sync`, without the detour over the watcher. */
  async filesChanged(changes: readonly FileChange[]): Promise<void> {
    if (changes.length === 0) return;
    this.#generation++;
    for (const { path } of changes) {
      this.texts.forget(path);
      this.textual.forget(path);
    }
    if (changes.some(({ path, kind }) => kind !== 'changed' || path.endsWith('ignore'))) this.#lists = new Map();
    await Promise.all(this.runningServers.map((server) => server.filesChanged(changes)));
  }

  /** The server for a file, in step with the disk. Undefined when no server knows the language or it is not installed. */
  async serverFor(path: string): Promise<LanguageServer | undefined> {
    const definition = this.definitionFor(path);
    return definition === undefined ? undefined : this.server(definition);
  }

  async server(definition: ServerDefinition, asked: Asked = {}): Promise<LanguageServer | undefined> {
    const isRunning = this.runningServers.some((server) => server.definition.id === definition.id);
    if (!(isRunning && asked.inStep === true)) {
      // A server reads no sources before a document is opened, so it may start while the tree is being listed.
      const prepared = this.#prepared;
      this.#prepared = undefined;
      const isMeant = prepared?.id === definition.id && Date.now() - prepared.atMs < 10_000;
      await Promise.all([
        this.watcher.start(),
        isMeant ? prepared.starting : this.#pool.get(definition, this.#context),
      ]);
      await this.sync();
    }
    const server = await this.#pool.get(definition, this.#context);
    if (server !== undefined) await this.#showUnsaved(server);
    return server;
  }

  /** A server reads from the disk whatever it is not shown: files that are unsaved are open in it as long as they are. */
  async #showUnsaved(server: LanguageServer): Promise<void> {
    for (const path of this.#unsaved.keys())
      if (extensionOf(path) in server.definition.languages && (await this.texts.tryGet(path)) !== undefined)
        await server.documents.open(path, { pinned: true });
  }

  /** Starts the server of a file for a question that is about to come, unless it runs or is in trouble. */
  prepareServer(path: string): void {
    const definition = this.definitionFor(path);
    if (definition === undefined || !this.#pool.isUntried(this.project, definition)) return;
    const starting = this.#startWith(definition, path);
    // What goes wrong is told to the question itself, which does not try again right away.
    starting.catch(() => undefined);
    this.#prepared = { starting, id: definition.id, atMs: Date.now() };
  }

  /** Opening a document makes a server read the project: by then changes must be reported, so that none is missed. */
  async #startWith(definition: ServerDefinition, path: string): Promise<void> {
    const [server] = await Promise.all([
      this.#pool.get(definition, this.#context),
      this.watcher.start(),
      this.texts.tryGet(path),
    ]);
    if (server !== undefined && (await this.texts.tryGet(path)) !== undefined) await server.documents.open(path);
  }

  /** Like `serverFor`, for questions that make no sense without one. */
  async requireServer(path: string, asked: Asked = {}): Promise<LanguageServer> {
    const definition = this.definitionFor(path);
    if (definition === undefined)
      throw new ToolError('unsupported', `No language server knows ${displayPath(this.project.root, path)}.`, {
        hint: advise`${step('getFileOutline')}, ${step('searchSymbols')} and ${step('ideFindReferences')} work textually in such files.`,
      });
    const server = await this.server(definition, asked);
    if (server === undefined)
      throw new ToolError(
        'engine_missing',
        `The ${definition.title} is not installed.${spaced(definition.installation?.failure)}`,
        { hint: definition.missing },
      );
    return server;
  }

  /** Whether a server of this kind could be started, fetching it first if need be. Looked up at most every half minute: somebody may just be installing it. */
  async isInstalled(definition: ServerDefinition): Promise<boolean> {
    if (this.runningServers.some((server) => server.definition.id === definition.id)) return true;
    const known = this.#installed.get(definition.id);
    if (known !== undefined && Date.now() - known.atMs < 30_000) return known.isInstalled;
    if (definition.installation?.isUntried === true) return true;
    const isInstalled = (await definition.locate(this.project)) !== undefined;
    this.#installed.set(definition.id, { isInstalled, atMs: Date.now() });
    return isInstalled;
  }

  /** How complete the index is without starting anything. */
  stateOf(definition: ServerDefinition): IndexState & { running: boolean } {
    const server = this.runningServers.find((candidate) => candidate.definition.id === definition.id);
    if (server !== undefined) return { ...server.state, running: true };
    if (definition.installation?.isRunning === true)
      return { state: 'indexing', detail: `installing ${definition.installation.engineId}`, running: false };
    const trouble = this.#pool.troubleOf(this.project, definition);
    return trouble === undefined
      ? { ...readyState, detail: 'starts on first need', running: false }
      : { state: 'unavailable', detail: trouble, running: false };
  }

  async dispose(): Promise<void> {
    this.watcher.dispose();
    await this.#forgetJudges();
  }

  async #forgetJudges(): Promise<void> {
    const judges = [...this.#judges.values(), ...this.#fixSources.values()];
    this.#judges.clear();
    this.#fixSources.clear();
    await Promise.all(judges.map((judge) => judge.dispose()));
  }

  /** What editors changed, saved or let go since the last look. */
  #takeUnsaved(onDisk: readonly FileChange[]): FileChange[] {
    const before = this.#unsaved;
    const now = new Map<string, string>();
    for (const path of unsavedBelow(this.project.root)) {
      const buffer = unsavedBuffer(path);
      if (buffer !== undefined) now.set(path, buffer.text);
    }
    this.#unsaved = now;
    const told = new Set(onDisk.map(({ path }) => path));
    return [...new Set([...before.keys(), ...now.keys()])]
      .filter((path) => before.get(path) !== now.get(path) && !told.has(path))
      .map((path) => ({ path, kind: 'changed' }));
  }

  async #takeChanges(): Promise<void> {
    const changes = await this.watcher.takeChanges();
    await this.filesChanged([...changes.files, ...this.#takeUnsaved(changes.files)]);
    for (const server of this.runningServers) await this.#showUnsaved(server);
    if (!changes.dependencies) return;
    this.#generation++;
    await this.#forgetJudges();
    const stale = this.runningServers.filter((server) => server.definition.restartOnDependencyChange);
    await Promise.all(stale.map((server) => this.#pool.stop(this.project, server.definition.id)));
  }
}

function spaced(sentence: string | undefined): string {
  return sentence === undefined ? '' : ` ${sentence}`;
}
