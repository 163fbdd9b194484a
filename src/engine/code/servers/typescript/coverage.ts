import { isScriptFile } from '../../../../base/languages/byPath.ts';
import { pathToUri } from '../../../../base/paths.ts';
import { untilCancelled } from '../../../../base/cancellation.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { readyState, type IndexState, type Waiting } from '../../model.ts';
import type { FileChange } from '../../treeWatcher.ts';
import { listSourceFiles } from '../../sourceFiles.ts';
import type { ServerCoverage } from '../definition.ts';
import { isConfigFile, looseConfig, looseConfigPath, surelyLooseFiles } from './looseFiles.ts';

/** A loose file that no made-up configuration could take is only known while it is open. More than this many are not opened. */
const maxLooseFiles = 4000;
const maxConfigs = 200;
const batchSize = 1000;

/**
 * TypeScript's server knows the projects of open files and nothing else: references from another package of a monorepo, or from a
 * test that no tsconfig includes, would silently be missing. So one file of every configuration is kept open, and files that belong to
 * none are given one of our making, or are kept open when they are few.
 */
export class TypescriptCoverage implements ServerCoverage {
  readonly #server: LanguageServer;
  /** Files by the configuration they belong to; '' for none. */
  readonly #configOf = new Map<string, string>();
  readonly #anchors = new Map<string, string>();
  /** Files of the made-up configuration. */
  #gathered = new Set<string>();
  #files: Set<string> | undefined;
  #shown = 0;
  #left = 0;
  #running: Promise<void> | undefined;
  #generation = 0;
  /** Configurations changed: which files are loose must be found out anew. */
  #isStale = false;

  constructor(server: LanguageServer) {
    this.#server = server;
  }

  get shown(): number {
    return this.#shown;
  }

  async prepare(): Promise<void> {
    const { project } = this.#server.context;
    const [files, json] = await Promise.all([
      listSourceFiles(project, Object.keys(this.#server.definition.languages)),
      listSourceFiles(project, ['json']),
    ]);
    this.#gather(surelyLooseFiles(project.root, files, json.filter(isConfigFile)));
  }

  async ensure(waiting: Waiting): Promise<IndexState> {
    for (let seen = -1; seen !== this.#generation;) {
      seen = this.#generation;
      // It is everybody's: whoever gives up does not end it for the others.
      this.#running ??= this.#cover(waiting.onProgress).finally(() => {
        this.#running = undefined;
      });
      await untilCancelled(this.#running, waiting.signal);
    }
    return this.#left === 0
      ? readyState
      : {
          state: 'partial',
          detail: `${this.#left} source files belong to no tsconfig and are too many to load; add them to one`,
        };
  }

  filesChanged(changes: readonly FileChange[]): void {
    for (const { path, kind } of changes) {
      if (/(^|\/)([tj]sconfig[^/]*|package)\.json$/.test(path)) {
        // Which file belongs where may have changed for all of them.
        this.#configOf.clear();
        this.#anchors.clear();
        this.#files = undefined;
        this.#isStale = true;
        this.#server.documents.unpinAll();
        this.#generation++;
      } else if (kind !== 'changed') {
        if (kind === 'deleted') this.#forget(path);
        else if (isSource(path)) this.#files?.add(path);
        this.#generation++;
      }
    }
  }

  #forget(path: string): void {
    this.#files?.delete(path);
    this.#configOf.delete(path);
    if (this.#gathered.has(path)) this.#gather([...this.#gathered].filter((one) => one !== path));
    for (const [config, anchor] of this.#anchors) {
      if (anchor !== path) continue;
      // The configuration needs another file to stay loaded: all its files are asked about again.
      this.#anchors.delete(config);
      for (const [file, of] of this.#configOf) if (of === config) this.#configOf.delete(file);
    }
  }

  async #cover(onProgress: Waiting['onProgress']): Promise<void> {
    const { context, definition } = this.#server;
    if (this.#isStale) {
      this.#isStale = false;
      await this.prepare();
    }
    // Asking about what is open makes the server load it while the files are being listed.
    const open = this.#files === undefined ? this.#server.documents.paths : [];
    const asked = new Map(open.map((path) => [path, this.#askConfig(path)] as const));
    for (const answer of asked.values()) answer.catch(() => undefined);
    this.#files ??= new Set(await context.listFiles(Object.keys(definition.languages)));
    const unknown = [...this.#files].filter((path) => !this.#configOf.has(path));
    if (unknown.length === 0) return;
    for (let start = 0; start < unknown.length; start += batchSize) {
      if (start > 0) onProgress?.('finding the TypeScript projects', start / unknown.length);
      await this.#findConfigs(unknown.slice(start, start + batchSize), asked);
    }
    const loose = unknown.filter((path) => this.#configOf.get(path) === '' && !this.#gathered.has(path));
    if (loose.length > 0 && this.#gather([...this.#gathered, ...loose])) await this.#findConfigs(loose, new Map());
    for (const path of unknown) await this.#place(path, this.#configOf.get(path));
    this.#countLeft();
  }

  async #findConfigs(paths: readonly string[], asked: ReadonlyMap<string, Promise<string>>): Promise<void> {
    const configs = await Promise.all(paths.map((path) => asked.get(path) ?? this.#askConfig(path)));
    for (const [index, path] of paths.entries()) this.#configOf.set(path, configs[index] ?? '');
  }

  /** Shows the server a configuration over these files. False when there is nothing to show, or no place for it. */
  #gather(files: readonly string[]): boolean {
    const { root } = this.#server.context.project;
    const path = looseConfigPath(root);
    const config = path === undefined ? undefined : looseConfig(root, files);
    const isKnown = this.#gathered.size > 0;
    this.#gathered = new Set(config === undefined ? [] : files);
    this.#server.documents.showInstead(
      'loose files',
      new Map(path === undefined || config === undefined ? [] : [[path, config]]),
    );
    if (path !== undefined && (isKnown || config !== undefined)) {
      this.#shown++;
      const type = config === undefined ? 3 : isKnown ? 2 : 1;
      this.#server.client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: pathToUri(path), type }] });
    }
    return config !== undefined;
  }

  async #askConfig(path: string): Promise<string> {
    const info = await this.#server.request<{ configFilePath?: string } | null>('custom/projectInfo', {
      textDocument: { uri: pathToUri(path) },
    });
    return info?.configFilePath ?? '';
  }

  async #place(path: string, config: string | undefined): Promise<void> {
    if (config === undefined) return;
    if (config === '') {
      if (this.#looseCount() <= maxLooseFiles) await this.#open(path);
    } else if (!this.#anchors.has(config) && this.#anchors.size < maxConfigs) {
      // A document that is open anyway serves best: opening another makes the server update the whole program.
      const anchor = this.#openDocumentOf(config) ?? path;
      this.#anchors.set(config, anchor);
      await this.#open(anchor);
    }
  }

  #openDocumentOf(config: string): string | undefined {
    return this.#server.documents.paths.find((path) => this.#configOf.get(path) === config);
  }

  /** A file that vanished or cannot be read meanwhile has no references to find. */
  async #open(path: string): Promise<void> {
    if ((await this.#server.context.texts.tryGet(path)) === undefined) return;
    if (!this.#server.documents.isOpen(path)) this.#shown++;
    await this.#server.documents.open(path, { pinned: true });
  }

  #looseCount(): number {
    let count = 0;
    for (const config of this.#configOf.values()) if (config === '') count++;
    return count;
  }

  #countLeft(): void {
    const configs = new Set([...this.#configOf.values()].filter((config) => config !== ''));
    this.#left = Math.max(this.#looseCount() - maxLooseFiles, 0) + Math.max(configs.size - this.#anchors.size, 0);
  }
}

function isSource(path: string): boolean {
  return isScriptFile(path) && !path.includes('/node_modules/');
}
