import type { Diagnostic, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { untilCancelled } from '../../../../../base/cancellation.ts';
import { PeerError, ToolError } from '../../../../../base/errors.ts';
import { pathToUri } from '../../../../../base/paths.ts';
import { LineIndex, type Position, type Range } from '../../../../../base/positions.ts';
import { fromWirePosition, fromWireRange, fromWireUri, toWirePosition } from '../../../../../protocol/lsp/convert.ts';
import type { LoadedVersion } from '../../../../workspace/edits/readVersion.ts';
import { SeenFiles } from '../../../../workspace/edits/seenFiles.ts';
import type { Project } from '../../../../workspace/project.ts';
import type { CodeWorkspace } from '../../../codeWorkspace.ts';
import type { LanguageServer } from '../../../languageServer.ts';
import { askDefinition } from '../../../queries/requests/definition.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { IndexState } from '../../../model.ts';
import { typescriptServer } from '../../../servers/typescript/server.ts';
import type { CheckedProblem, RefactorWaiting } from '../../model.ts';
import { indexNotReady } from '../../indexNotReady.ts';
import type { RenamePlace, RenameBackend } from './backend.ts';
import { sourcePattern } from './tsService.ts';

const concurrentChecks = 8;

/** Contents that are only tried out are shown to a server of their own: what others ask meanwhile is answered from the disk. */
const trialServer: ServerDefinition = { ...typescriptServer, id: 'typescript-trial', title: 'TypeScript trial server' };

/**
 * TypeScript 7's own server, the one that answers the navigation tools and is warm when a refactoring comes. One of these serves
 * one operation: what it has read stays as it was.
 */
export class NativeBackend implements RenameBackend {
  readonly #workspace: CodeWorkspace;
  readonly seen = new SeenFiles();
  readonly #known = new Map<string, LoadedVersion>();
  readonly #texts = new Map<string, LineIndex>();
  #trial: LanguageServer | undefined;

  constructor(workspace: CodeWorkspace) {
    this.#workspace = workspace;
  }

  get project(): Project {
    return this.#workspace.project;
  }

  async open(paths: readonly string[]): Promise<void> {
    await Promise.all(
      paths.map(async (path) => {
        const found = await this.seen.read(path).catch(() => null);
        if (found?.isText === true) this.#known.set(path, found);
      }),
    );
  }

  async text(path: string): Promise<LineIndex> {
    await this.open([path]);
    const text = this.#texts.get(path);
    if (text !== undefined) return text;
    const known = this.#known.get(path)?.decoded;
    if (known === undefined) throw new ToolError('file_not_found', `${path} does not exist or is not text.`);
    const index = new LineIndex(known.text);
    this.#texts.set(path, index);
    return index;
  }

  hashOf(path: string): string | undefined {
    return this.#known.get(path)?.version.hash;
  }

  async definitions(
    path: string,
    position: Position,
    waiting: RefactorWaiting,
  ): Promise<{ path: string; range: Range }[]> {
    const server = this.#trial ?? (await this.#ready(path, waiting));
    return askDefinition(server, 'textDocument/definition', { path, position }, waiting.signal);
  }

  async renamePlaces(
    path: string,
    position: Position,
    newName: string,
    waiting: RefactorWaiting,
  ): Promise<RenamePlace[] | { refused: string }> {
    const server = this.#trial ?? (await this.#shown(path));
    const place = { textDocument: { uri: pathToUri(path) }, position: toWirePosition(position) };
    const options = waiting.signal === undefined ? {} : { signal: waiting.signal };
    const ask = () => server.request<WorkspaceEdit | null>('textDocument/rename', { ...place, newName }, options);
    const { answer: edit, state } = await server.askWhenReady(options, ask);
    demandReady(state, waiting);
    if (edit?.changes === undefined) return { refused: await this.#refusal(server, place, options) };
    return Object.entries(edit.changes).flatMap(([uri, edits]) =>
      edits.map(({ range, newText }) => {
        const at = newText.indexOf(newName);
        // Shorthands and exports come with the other name around the new one: `old: new`, `new as old`.
        const isLast = newText.endsWith(newName) && /(: | as )/.test(newText);
        const start = isLast ? newText.length - newName.length : at;
        return {
          path: fromWireUri(uri),
          range: fromWireRange(range),
          prefix: newText.slice(0, start),
          suffix: newText.slice(start + newName.length),
        };
      }),
    );
  }

  async overlaid<T>(
    contents: ReadonlyMap<string, string | null>,
    work: () => Promise<T>,
    waiting: RefactorWaiting = {},
  ): Promise<T> {
    const server = await this.#trialServer(waiting);
    const texts = new Map([...contents].map(([path, text]) => [path, new LineIndex(text ?? '')]));
    this.#trial = server;
    try {
      return await server.documents.withTexts(texts, work);
    } finally {
      this.#trial = undefined;
    }
  }

  async problems(paths: readonly string[], waiting: RefactorWaiting): Promise<CheckedProblem[]> {
    return checked(this.#trial ?? (await this.#trialServer(waiting)), paths, waiting);
  }

  /** By the server that answers the navigation tools: it is warm, and no trial takes what it knows from it. */
  async problemsBeside(paths: readonly string[], waiting: RefactorWaiting): Promise<CheckedProblem[]> {
    const [first] = paths;
    return first === undefined ? [] : checked(await this.#ready(first, waiting), paths, waiting);
  }

  /** The shared server, knowing everything that is on disk. */
  async #ready(path: string, waiting: RefactorWaiting): Promise<LanguageServer> {
    const server = await this.#shown(path);
    demandReady(await server.waitUntilReady(waiting.signal === undefined ? {} : { signal: waiting.signal }), waiting);
    return server;
  }

  async #shown(path: string): Promise<LanguageServer> {
    const server = await this.#workspace.requireServer(path);
    await server.documents.open(path);
    return server;
  }

  /** Whoever cannot wait for its start leaves it to start: the next one will need it too. */
  #trialServer({ signal }: RefactorWaiting): Promise<LanguageServer> {
    return untilCancelled(this.#startedTrialServer(), signal);
  }

  async #startedTrialServer(): Promise<LanguageServer> {
    const server = await this.#workspace.server(trialServer);
    if (server === undefined)
      throw new ToolError('engine_missing', `The ${trialServer.title} is not installed.`, {
        hint: trialServer.missing,
      });
    await server.waitUntilReady({});
    return server;
  }

  async #refusal(server: LanguageServer, place: unknown, options: { signal?: AbortSignal }): Promise<string> {
    try {
      await server.request('textDocument/prepareRename', place, options);
      return 'the TypeScript server gives no reason';
    } catch (error) {
      if (error instanceof PeerError) return error.message;
      throw error;
    }
  }
}

function demandReady(index: IndexState, waiting: RefactorWaiting): void {
  if (index.state === 'ready') return;
  if (waiting.onIncomplete === undefined) throw indexNotReady(index);
  waiting.onIncomplete(index);
}

/** Syntax and type errors of files, as a server sees them. */
async function checked(
  server: LanguageServer,
  paths: readonly string[],
  waiting: RefactorWaiting,
): Promise<CheckedProblem[]> {
  const options = waiting.signal === undefined ? {} : { signal: waiting.signal };
  const found: CheckedProblem[] = [];
  const left = paths.filter((path) => sourcePattern.test(path));
  const check = async (): Promise<void> => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const document = { textDocument: { uri: pathToUri(path) } };
      const { items } = await server.request<{ items?: Diagnostic[] }>('textDocument/diagnostic', document, options);
      for (const { severity, range, message, code } of items ?? [])
        if (severity === 1)
          found.push({
            file: path,
            ...fromWirePosition(range.start),
            message: typeof message === 'string' ? message : message.value,
            code: `TS${code ?? ''}`,
          });
    }
  };
  await Promise.all(Array.from({ length: concurrentChecks }, check));
  return found;
}
