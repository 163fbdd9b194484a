import { advise, step } from '../../base/text/advice.ts';
import { Emitter } from '../../base/emitter.ts';
import { errorMessage, ToolError, TransportError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Project } from '../workspace/project.ts';
import { LanguageServer, type ServerContext } from './languageServer.ts';
import type { ServerCommand, ServerDefinition } from './servers/definition.ts';

interface PoolOptions {
  logger: Logger;
  /** What all servers together may use; the least recently used idle ones go first. */
  memoryBudgetBytes?: number;
  now?: () => number;
}

/** Five deaths in three minutes: restarting again would only burn the machine. */
const maxDeaths = 5;
const deathWindowMs = 3 * 60_000;
const memoryCheckIntervalMs = 15_000;

/** A server that ended by itself and has not been started again. */
interface FallenServer {
  definition: ServerDefinition;
  project: Project;
  /** How it ended. */
  reason: string;
  /** What it wrote last. */
  lastWords: string;
}

interface Slot {
  definition: ServerDefinition;
  project: Project;
  starting: Promise<LanguageServer>;
  server: LanguageServer | undefined;
}

/** The language servers of all projects: one per project and language, started on first need, restarted after a crash. */
export class ServerPool {
  /** A server started or is gone. */
  readonly onDidChange = new Emitter<void>();
  readonly #logger: Logger;
  readonly #memoryBudgetBytes: number;
  readonly #now: () => number;
  readonly #slots = new Map<string, Slot>();
  readonly #deaths = new Map<string, number[]>();
  readonly #fallen = new Map<string, FallenServer>();
  /** What a dead server had open: the next one gets it back. */
  readonly #reopen = new Map<string, { path: string; pinned: boolean }[]>();
  #checkedMemoryAt = 0;
  #disposed = false;

  constructor(options: PoolOptions) {
    this.#logger = options.logger;
    this.#memoryBudgetBytes = options.memoryBudgetBytes ?? 4 * 1024 ** 3;
    this.#now = options.now ?? Date.now;
  }

  get servers(): LanguageServer[] {
    return [...this.#slots.values()].flatMap((slot) => (slot.server?.isAlive ? [slot.server] : []));
  }

  get fallen(): FallenServer[] {
    return [...this.#fallen.values()];
  }

  serversOf(project: Project): LanguageServer[] {
    return this.servers.filter((server) => server.context.project.root === project.root);
  }

  /** Why a server is not running although it was needed; undefined when nothing is wrong. */
  troubleOf(project: Project, definition: ServerDefinition): string | undefined {
    const deaths = this.#recentDeaths(keyOf(project, definition));
    return deaths.length >= maxDeaths
      ? `it died ${deaths.length} times within three minutes and is not restarted for now`
      : undefined;
  }

  /** Whether it neither runs nor has died lately. */
  isUntried(project: Project, definition: ServerDefinition): boolean {
    const key = keyOf(project, definition);
    return !this.#slots.has(key) && this.#recentDeaths(key).length === 0;
  }

  /** The running server, or a new one. Undefined when it is not installed. */
  async get(definition: ServerDefinition, context: ServerContext): Promise<LanguageServer | undefined> {
    const key = keyOf(context.project, definition);
    const slot = this.#slots.get(key);
    if (slot !== undefined && (slot.server === undefined || slot.server.isAlive)) {
      if (this.#slots.size > 1 && this.#now() - this.#checkedMemoryAt > memoryCheckIntervalMs && slot.server)
        void this.#evict(slot.server);
      return slot.starting;
    }
    if (this.#disposed) throw new TransportError(definition.title, 'Sightline is shutting down.');
    const trouble = this.troubleOf(context.project, definition);
    if (trouble !== undefined)
      throw new ToolError('engine_failed', `${definition.title} is out of order: ${trouble}.`, {
        hint: advise`${step('readIdeLog')} shows its last words. It is tried again when three minutes have passed since the first death.`,
      });
    const command = await locateOrInstall(definition, context.project);
    if (command === undefined) return undefined;
    // Somebody else may have started it while we looked for the program.
    const current = this.#slots.get(key);
    if (current !== undefined && current !== slot) return current.starting;
    const fresh: Slot = {
      definition,
      project: context.project,
      server: undefined,
      starting: LanguageServer.start(definition, context, command),
    };
    this.#slots.set(key, fresh);
    try {
      const server = await fresh.starting;
      fresh.server = server;
      this.#fallen.delete(key);
      server.client.connection.onClose.on((error) => this.#onDeath(key, fresh, error));
      this.onDidChange.fire();
      await this.#reopenDocuments(key, server);
      void this.#evict(server);
      return server;
    } catch (error) {
      if (this.#slots.get(key) === fresh) this.#slots.delete(key);
      this.#recordDeath(key);
      throw error;
    }
  }

  /** Its deaths are forgotten: the next question starts it, however often it has died. */
  forgive(project: Project, definitionId: string): void {
    for (const [key, { definition, project: where }] of [...this.#fallen]) {
      if (where.root !== project.root || definition.id !== definitionId) continue;
      this.#fallen.delete(key);
      this.#deaths.delete(key);
      this.onDidChange.fire();
    }
  }

  /** Ends a server; the next question starts it anew. Not counted as a death. */
  async stop(project: Project, definitionId: string): Promise<void> {
    for (const [key, slot] of [...this.#slots]) {
      if (slot.project.root !== project.root || slot.definition.id !== definitionId) continue;
      this.#slots.delete(key);
      this.#reopen.delete(key);
      this.onDidChange.fire();
      const server = await slot.starting.catch(() => undefined);
      await server?.dispose();
    }
  }

  async stopAll(project: Project): Promise<void> {
    const ids = [...this.#slots.values()].filter((slot) => slot.project.root === project.root);
    await Promise.all(ids.map((slot) => this.stop(project, slot.definition.id)));
    for (const memory of [this.#deaths, this.#reopen, this.#fallen])
      for (const key of [...memory.keys()]) if (key.endsWith(`\0${project.root}`)) memory.delete(key);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    await Promise.all(
      slots.map(async (slot) => {
        const server = await slot.starting.catch(() => undefined);
        await server?.dispose();
      }),
    );
  }

  #onDeath(key: string, slot: Slot, error: TransportError): void {
    if (this.#slots.get(key) !== slot) return;
    this.#slots.delete(key);
    this.#recordDeath(key);
    const { definition, project } = slot;
    this.#fallen.set(key, { definition, project, reason: error.message, lastWords: error.logTail });
    this.onDidChange.fire();
    const { documents } = slot.server ?? {};
    const pinned = new Set(documents?.pinnedPaths);
    this.#reopen.set(
      key,
      (documents?.paths ?? []).map((path) => ({ path, pinned: pinned.has(path) })),
    );
    this.#logger.warn(
      `${slot.definition.title} ended by itself in ${slot.project.root}: ${error.message}`,
      error.logTail,
    );
    void slot.server?.dispose();
  }

  async #reopenDocuments(key: string, server: LanguageServer): Promise<void> {
    const documents = this.#reopen.get(key) ?? [];
    this.#reopen.delete(key);
    for (const { path, pinned } of documents) {
      try {
        await server.documents.open(path, { pinned });
      } catch (error) {
        this.#logger.debug(`${path} is not opened again: ${errorMessage(error)}`);
      }
    }
  }

  #recordDeath(key: string): void {
    this.#deaths.set(key, [...this.#recentDeaths(key), this.#now()]);
  }

  #recentDeaths(key: string): number[] {
    return (this.#deaths.get(key) ?? []).filter((time) => this.#now() - time < deathWindowMs);
  }

  /** Lets go of the least recently used idle servers while all together use more than the budget. */
  async #evict(keep: LanguageServer): Promise<void> {
    this.#checkedMemoryAt = this.#now();
    const idle = this.servers
      .filter((server) => server !== keep && server.inUse === 0)
      .sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    // Measuring looks at every process of the machine: not worth it when there is nothing to let go of.
    if (idle.length === 0) return;
    let used = this.servers.reduce((sum, server) => sum + server.memoryBytes, 0);
    for (const server of idle) {
      if (used <= this.#memoryBudgetBytes) return;
      used -= server.memoryBytes;
      this.#logger.info(`${server.definition.title} of ${server.context.project.root} is stopped to save memory.`);
      await this.stop(server.context.project, server.definition.id);
    }
  }
}

async function locateOrInstall(definition: ServerDefinition, project: Project): Promise<ServerCommand | undefined> {
  const command = await definition.locate(project);
  if (command !== undefined || definition.installation === undefined) return command;
  await definition.installation.ensure(project);
  return definition.locate(project);
}

function keyOf(project: Project, definition: ServerDefinition): string {
  return `${definition.id}\0${project.root}`;
}
