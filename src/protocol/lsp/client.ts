import type {
  ApplyWorkspaceEditParams,
  ClientCapabilities,
  ConfigurationParams,
  InitializeResult,
  PublishDiagnosticsParams,
  Registration,
  RegistrationParams,
  ServerCapabilities,
  UnregistrationParams,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from 'vscode-languageserver-protocol';
import { delay } from '../../base/cancellation.ts';
import { Emitter } from '../../base/emitter.ts';
import { PeerError, TransportError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { pathToUri } from '../../base/paths.ts';
import { rpcCodes, type RequestOptions, type RpcConnection } from '../jsonrpc/connection.ts';
import { clientCapabilities } from './capabilities.ts';

interface LspSettings {
  root: string;
  initializationOptions?: unknown;
  /** The value of a configuration section; servers take a missing answer badly, null is "use your default". */
  configuration?: (section: string | undefined) => unknown;
  /** What is told to be supported, where less than all of it makes the server say things differently. */
  capabilities?: ClientCapabilities;
  initializeTimeoutMs?: number;
  logger: Logger;
}

export type ProgressValue = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** An edit the server wants made while it carries out a command. Answers whether it was made. */
type ApplyEditHandler = (params: ApplyWorkspaceEditParams) => Promise<{ applied: boolean; failureReason?: string }>;

/** A language server after its handshake. It knows the protocol; it knows nothing of projects, documents or readiness. */
export class LspClient {
  readonly connection: RpcConnection;
  readonly capabilities: ServerCapabilities;
  readonly serverName: string;
  readonly serverVersion: string | undefined;
  readonly onProgress = new Emitter<{ token: string | number; value: ProgressValue }>();
  readonly onDiagnostics = new Emitter<PublishDiagnosticsParams>();
  /** Everything else the server announces: `language/status`, `experimental/serverStatus`, ... */
  readonly onOtherNotification = new Emitter<{ method: string; params: unknown }>();
  readonly #registrations: Map<string, Registration>;
  #applyEdit: ApplyEditHandler | undefined;
  #isEnding = false;

  private constructor(connection: RpcConnection, result: InitializeResult, registrations: Map<string, Registration>) {
    this.connection = connection;
    this.capabilities = result.capabilities;
    this.serverName = result.serverInfo?.name ?? connection.name;
    this.serverVersion = result.serverInfo?.version;
    this.#registrations = registrations;
  }

  static async initialize(connection: RpcConnection, settings: LspSettings): Promise<LspClient> {
    const registrations = new Map<string, Registration>();
    connection.handle('client/registerCapability', (params) => {
      for (const item of (params as RegistrationParams).registrations) registrations.set(item.id, item);
    });
    connection.handle('client/unregisterCapability', (params) => {
      for (const item of (params as UnregistrationParams).unregisterations) registrations.delete(item.id);
    });
    connection.handle('workspace/configuration', (params) =>
      (params as ConfigurationParams).items.map((item) => settings.configuration?.(item.section) ?? null),
    );
    const folder = { uri: pathToUri(settings.root), name: settings.root.split('/').at(-1) ?? settings.root };
    connection.handle('workspace/workspaceFolders', () => [folder]);
    for (const method of [
      'window/workDoneProgress/create',
      'window/showMessageRequest',
      'workspace/diagnostic/refresh',
      'workspace/semanticTokens/refresh',
      'workspace/inlayHint/refresh',
      'workspace/codeLens/refresh',
    ])
      connection.handle(method, () => null);
    connection.handle('window/showDocument', () => ({ success: false }));
    // Progress may begin before the handshake's answer has been read: nothing of it may be lost.
    const early: { method: string; params: unknown }[] = [];
    let deliver = (event: { method: string; params: unknown }): void => void early.push(event);
    connection.onNotification.on((event) => deliver(event));
    const result = await connection.request<InitializeResult>(
      'initialize',
      {
        processId: process.pid,
        clientInfo: { name: 'sightline' },
        rootUri: folder.uri,
        rootPath: settings.root,
        workspaceFolders: [folder],
        capabilities: settings.capabilities ?? clientCapabilities,
        initializationOptions: settings.initializationOptions ?? {},
      },
      { timeoutMs: settings.initializeTimeoutMs ?? 30_000 },
    );
    const encoding = result.capabilities.positionEncoding ?? 'utf-16';
    if (encoding !== 'utf-16')
      throw new TransportError(
        connection.name,
        `${connection.name} insists on ${encoding} positions, which were not offered.`,
      );
    const client = new LspClient(connection, result, registrations);
    connection.handle('workspace/applyEdit', (params) => client.#answerApplyEdit(params as ApplyWorkspaceEditParams));
    deliver = (event) => client.#receive(event, settings.logger);
    for (const event of early) deliver(event);
    connection.notify('initialized', {});
    return client;
  }

  /** Whether the server offers a method, announced at the handshake or registered later. */
  offers(capability: keyof ServerCapabilities, method: string): boolean {
    const announced = this.capabilities[capability];
    if (announced !== undefined && announced !== null && announced !== false) return true;
    return [...this.#registrations.values()].some((item) => item.method === method);
  }

  get registrations(): Registration[] {
    return [...this.#registrations.values()];
  }

  /**
   * Servers answer "content modified" or "server cancelled" when the text moved under a request: the same question is asked again,
   * because the caller's question has not changed.
   */
  async request<T>(method: string, params: unknown, options: RequestOptions = {}): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.connection.request<T>(method, params, options);
      } catch (error) {
        const again =
          error instanceof PeerError &&
          (error.peerCode === rpcCodes.contentModified || error.peerCode === rpcCodes.serverCancelled);
        if (!again || attempt >= 5) throw error;
        await delay(30 * 2 ** attempt, options.signal);
      }
    }
  }

  notify(method: string, params: unknown): void {
    this.connection.notify(method, params);
  }

  /** Takes the edits a server sends back while `work` runs; without it they are refused, so no server edits on its own. */
  async whileApplyingEdits<T>(handler: ApplyEditHandler, work: () => Promise<T>): Promise<T> {
    this.#applyEdit = handler;
    try {
      return await work();
    } finally {
      this.#applyEdit = undefined;
    }
  }

  async shutdown(timeoutMs: number): Promise<void> {
    this.#isEnding = true;
    if (this.connection.isClosed) return;
    await this.connection.request('shutdown', undefined, { timeoutMs });
    this.connection.notify('exit', undefined);
  }

  async #answerApplyEdit(params: ApplyWorkspaceEditParams): Promise<{ applied: boolean; failureReason?: string }> {
    if (this.#applyEdit === undefined) return { applied: false, failureReason: 'No edit was asked for.' };
    return this.#applyEdit(params);
  }

  #receive(event: { method: string; params: unknown }, logger: Logger): void {
    switch (event.method) {
      case '$/progress': {
        const { token, value } = event.params as { token: string | number; value: ProgressValue };
        this.onProgress.fire({ token, value });
        return;
      }
      case 'textDocument/publishDiagnostics':
        this.onDiagnostics.fire(event.params as PublishDiagnosticsParams);
        return;
      case 'window/logMessage':
      case 'window/showMessage': {
        const { type, message } = event.params as { type: number; message: string };
        if (type === 1 && !this.#isEnding) logger.warn(`${this.serverName}: ${message.slice(0, 2000)}`);
        else logger.debug(`${this.serverName}: ${message.slice(0, 500)}`);
        break;
      }
      default:
    }
    this.onOtherNotification.fire(event);
  }
}
