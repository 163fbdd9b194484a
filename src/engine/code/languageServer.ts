import { existsSync } from 'node:fs';
import { advise, step } from '../../base/text/advice.ts';
import { delay, untilCancelled, withTimeout } from '../../base/cancellation.ts';
import { ToolError, TransportError, errorMessage } from '../../base/errors.ts';
import { isInside, pathToUri } from '../../base/paths.ts';
import type { Logger } from '../../base/logger.ts';
import { platform } from '../../base/platform/here.ts';
import { childEnvironment, ManagedProcess, processesWithToken } from '../../base/processes.ts';
import { RpcConnection, type RequestOptions } from '../../protocol/jsonrpc/connection.ts';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { fromWireUri } from '../../protocol/lsp/convert.ts';
import { LspClient } from '../../protocol/lsp/client.ts';
import type { Project } from '../workspace/project.ts';
import { OpenDocuments } from './documents.ts';
import { readyState, worstState, type IndexState, type Waiting } from './model.ts';
import { PublishedProblems } from './publishedProblems.ts';
import { Readiness } from './readiness.ts';
import type { ServerCommand, ServerCoverage, ServerDefinition } from './servers/definition.ts';
import type { SourceTexts } from './sourceTexts.ts';
import type { FileChange } from './treeWatcher.ts';

export interface ServerContext {
  project: Project;
  texts: SourceTexts;
  /** Source files of the project with these extensions, those that git ignores left out. */
  listFiles(extensions: readonly string[], signal?: AbortSignal): Promise<string[]>;
  logger: Logger;
}

/** Clients wait 45 seconds at most; the answer that it takes longer must come before. */
const firstAnswerPatienceMs = 38_000;

/** One running language server of one project: its process, connection, documents and readiness. */
export class LanguageServer {
  readonly definition: ServerDefinition;
  readonly context: ServerContext;
  readonly command: ServerCommand;
  readonly client: LspClient;
  readonly documents: OpenDocuments;
  lastUsedAt = Date.now();
  /** Problems the server reports by itself, of files it was not asked about: broken configuration files. */
  readonly configurationProblems = new Map<string, Diagnostic[]>();
  /** What it says of files without being asked. */
  readonly published = new PublishedProblems();
  /** Requests under way: a server in use is not evicted. */
  inUse = 0;
  readonly #process: ManagedProcess;
  readonly #readiness: Readiness;
  readonly #coverage: ServerCoverage | undefined;
  #hasAnswered = false;
  /** Since when the first answer is awaited. */
  #loadingSince: number | undefined;

  private constructor(
    definition: ServerDefinition,
    context: ServerContext,
    command: ServerCommand,
    process: ManagedProcess,
    client: LspClient,
  ) {
    this.definition = definition;
    this.context = context;
    this.command = command;
    this.client = client;
    this.#process = process;
    this.documents = new OpenDocuments(client, context.texts, (path) => languageIdOf(definition, path));
    this.#readiness = new Readiness(client, definition.readiness);
    this.#coverage = definition.coverage?.(this);
    this.documents.onShown = (path) => this.published.forget(path);
    client.onDiagnostics.on((told) => {
      const { uri, diagnostics } = told;
      this.published.receive(told);
      const path = fromWireUri(uri);
      if (definition.configFiles?.test(path.slice(path.lastIndexOf('/') + 1)) !== true) return;
      // Nobody can mend a configuration that we made up.
      if (!existsSync(path)) return;
      if (diagnostics.length === 0) this.configurationProblems.delete(path);
      else this.configurationProblems.set(path, diagnostics);
    });
  }

  static async start(
    definition: ServerDefinition,
    context: ServerContext,
    command: ServerCommand,
  ): Promise<LanguageServer> {
    const { project, logger } = context;
    const child = await ManagedProcess.start({
      name: definition.title,
      command: command.command,
      args: command.args,
      cwd: project.root,
      env: childEnvironment(project.env, command.env),
    });
    const connection = new RpcConnection({
      name: definition.title,
      input: child.stdout,
      output: child.stdin,
      logger,
      logTail: () => child.stderrTail,
      whyEnded: () => Promise.race([whyExited(child), delay(500).then(() => 'it closed its output')]),
    });
    void whyExited(child).then((cause) => connection.close(cause));
    const rewritten = definition.rewrittenConfigs?.(project);
    rewritten?.catch(() => undefined);
    try {
      const client = await LspClient.initialize(connection, {
        root: project.root,
        initializationOptions: definition.initializationOptions?.(project, command),
        configuration: (section) => definition.configuration?.(section, project, command),
        ...(definition.startMs === undefined ? {} : { initializeTimeoutMs: definition.startMs }),
        logger,
      });
      const server = new LanguageServer(definition, context, command, child, client);
      if (rewritten !== undefined) server.documents.showInstead('configurations', await rewritten);
      await server.#coverage?.prepare();
      return server;
    } catch (error) {
      await child.kill(100);
      throw error instanceof TransportError
        ? error
        : new TransportError(
            definition.title,
            `${definition.title} did not start: ${errorMessage(error)}`,
            child.stderrTail,
            error,
          );
    }
  }

  get isAlive(): boolean {
    return !this.client.connection.isClosed;
  }

  get pid(): number {
    return this.#process.pid;
  }

  get version(): string | undefined {
    return this.command.version ?? this.client.serverVersion;
  }

  get state(): IndexState {
    if (!this.isAlive) return { state: 'unavailable', detail: `${this.definition.title} has ended` };
    const { state } = this.#readiness;
    if (state.state !== 'ready' || this.#hasAnswered || this.#loadingSince === undefined) return state;
    const { progress } = this.#readiness;
    const told = progress === undefined ? '' : `, ${progress}`;
    return { state: 'indexing', detail: `loading the project for ${secondsSince(this.#loadingSince)} s${told}` };
  }

  /** Waits until an answer about the whole project would be complete, or the caller's patience ends. */
  async waitUntilReady(waiting: Waiting): Promise<IndexState> {
    const state = await this.#readiness.wait(waiting, () => this.isAlive);
    const covered = (await this.#coverage?.ensure(waiting)) ?? readyState;
    return worstState([state, covered]);
  }

  /**
   * The answer to a question about the whole project. A server that answers nothing before it knows everything is asked at once, so that
   * it works on the answer while it is found out what else it must see; when it had to be shown more, it is asked again.
   */
  async askWhenReady<T>(waiting: Waiting, ask: () => Promise<T>): Promise<{ answer: T; state: IndexState }> {
    if (this.definition.readiness.sign !== 'answersWait') {
      const state = await this.waitUntilReady(waiting);
      return { answer: await ask(), state };
    }
    const shown = this.#coverage?.shown;
    const early = ask();
    early.catch(() => undefined);
    const state = await this.waitUntilReady(waiting);
    return { answer: await (this.#coverage?.shown === shown ? early : ask()), state };
  }

  async request<T>(method: string, params: unknown, options: RequestOptions = {}): Promise<T> {
    this.inUse++;
    this.lastUsedAt = Date.now();
    try {
      if (!this.#hasAnswered) return await this.#firstAnswer<T>(method, params, options);
      return await this.client.request<T>(method, params, options);
    } finally {
      this.inUse--;
      this.lastUsedAt = Date.now();
    }
  }

  /**
   * The first answer may take as long as loading the project does. A caller who cannot wait is told so, and the loading goes on:
   * it is everybody's, so nobody's giving up cancels it.
   */
  async #firstAnswer<T>(method: string, params: unknown, options: RequestOptions): Promise<T> {
    this.#loadingSince ??= Date.now();
    const since = this.#loadingSince;
    const work = this.client.request<T>(method, params).then((answer) => {
      this.#hasAnswered = true;
      return answer;
    });
    return untilCancelled(
      withTimeout(
        work,
        firstAnswerPatienceMs,
        () =>
          new ToolError(
            'index_not_ready',
            `The ${this.definition.title} is still loading the project (${secondsSince(since)} s so far).`,
            {
              hint: advise`Loading goes on; ask again in a while. ${step('ideIndexStatus')} shows the state.`,
            },
          ),
      ),
      options.signal,
    );
  }

  /** Tells the server about changes on disk. Nothing asked afterwards is answered from what was there before. */
  async filesChanged(changes: readonly FileChange[]): Promise<void> {
    const relevant = changes.filter((change) => this.#isRelevant(change.path));
    if (relevant.length === 0) return;
    await this.documents.refresh(relevant.map((change) => change.path));
    this.#coverage?.filesChanged(relevant);
    if (relevant.some(({ path }) => this.#isConfig(path))) await this.#rewriteConfigs();
    const types = { created: 1, changed: 2, deleted: 3 };
    this.client.notify('workspace/didChangeWatchedFiles', {
      changes: relevant.map((change) => ({ uri: pathToUri(change.path), type: types[change.kind] })),
    });
  }

  /** Resident memory of the server and its children in bytes; 0 where the system does not tell. */
  get memoryBytes(): number {
    return [...new Set([this.pid, ...processesWithToken(this.#process.runToken)])]
      .map((pid) => platform.processes.residentBytes(pid))
      .reduce((sum, bytes) => sum + bytes, 0);
  }

  async dispose(): Promise<void> {
    try {
      await this.client.shutdown(500);
    } catch {
      // A server that does not end politely is ended.
    }
    await this.#process.kill(300);
  }

  async #rewriteConfigs(): Promise<void> {
    const { definition, context } = this;
    if (definition.rewrittenConfigs !== undefined)
      this.documents.showInstead('configurations', await definition.rewrittenConfigs(context.project));
  }

  #isRelevant(path: string): boolean {
    if (!isInside(this.context.project.root, path)) return true;
    return extensionOf(path) in this.definition.languages || this.#isConfig(path);
  }

  #isConfig(path: string): boolean {
    return this.definition.configFiles?.test(path.slice(path.lastIndexOf('/') + 1)) === true;
  }
}

function secondsSince(ms: number): number {
  return Math.round((Date.now() - ms) / 1000);
}

async function whyExited(child: ManagedProcess): Promise<string> {
  const { code, signal } = await child.exited;
  return signal === null ? `it exited with code ${code ?? 'unknown'}` : `it was killed by ${signal}`;
}

export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

function languageIdOf(definition: ServerDefinition, path: string): string {
  const extension = extensionOf(path);
  return definition.languages[extension] ?? (extension === 'json' ? 'json' : 'plaintext');
}
