import { join, relative } from 'node:path';
import type { WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import { silentLogger } from '../../../../base/logger.ts';
import { pathToUri } from '../../../../base/paths.ts';
import { childEnvironment, ManagedProcess } from '../../../../base/processes.ts';
import { RpcConnection } from '../../../../protocol/jsonrpc/connection.ts';
import { LspClient } from '../../../../protocol/lsp/client.ts';
import { fromWireUri } from '../../../../protocol/lsp/convert.ts';

interface TypingError {
  /** Relative to the folder that is checked. */
  file: string;
  line: number;
  column: number;
  message: string;
  code: string;
}

export interface TreeChange {
  path: string;
  kind: 'created' | 'changed' | 'deleted';
  isFolder: boolean;
}

const changeTypes = { created: 1, changed: 2, deleted: 3 } as const;
const errorSeverity = 1;
/** Clients wait 45 seconds at most. */
const patienceMs = 30_000;

/** ty, kept running over one folder: after a change it looks again only at what the change can reach. */
export class TypeChecker {
  readonly #root: string;
  readonly #process: ManagedProcess;
  readonly #client: LspClient;

  private constructor(root: string, process: ManagedProcess, client: LspClient) {
    this.#root = root;
    this.#process = process;
    this.#client = client;
  }

  static async start(
    root: string,
    command: string,
    python: string | undefined,
    env: NodeJS.ProcessEnv,
  ): Promise<TypeChecker> {
    const name = 'ty';
    const child = await ManagedProcess.start({
      name,
      command,
      args: ['server'],
      cwd: root,
      env: childEnvironment(env),
    });
    const connection = new RpcConnection({
      name,
      input: child.stdout,
      output: child.stdin,
      logger: silentLogger,
      logTail: () => child.stderrTail,
    });
    void child.exited.then(({ code, signal }) => connection.close(`it ended (${code ?? signal})`));
    const settings = {
      diagnosticMode: 'workspace',
      configuration: python === undefined ? {} : { environment: { python } },
    };
    try {
      const client = await LspClient.initialize(connection, {
        root,
        initializationOptions: settings,
        configuration: (section) => (section === 'ty' ? settings : null),
        // Without related information a message says everything in itself, as on the command line.
        capabilities: {
          workspace: { configuration: true, workspaceFolders: true, diagnostics: { refreshSupport: true } },
          textDocument: { diagnostic: {} },
        },
        logger: silentLogger,
      });
      return new TypeChecker(root, child, client);
    } catch (error) {
      await child.kill(0);
      throw error;
    }
  }

  get isAlive(): boolean {
    return !this.#client.connection.isClosed;
  }

  /** It is relied on for files that come or change. Where files or folders go, packages do: one that starts afterwards is asked. */
  static canFollow(changes: readonly TreeChange[]): boolean {
    return changes.every(({ kind, isFolder }) => kind !== 'deleted' && !isFolder);
  }

  tell(changes: readonly TreeChange[]): void {
    if (changes.length === 0) return;
    this.#client.notify('workspace/didChangeWatchedFiles', {
      changes: changes.map(({ path, kind }) => ({ uri: pathToUri(path), type: changeTypes[kind] })),
    });
  }

  async errors(signal?: AbortSignal): Promise<TypingError[]> {
    // With nothing to say it would not answer before it has; that a file which is not there has no errors is always something.
    const report = await this.#client.request<WorkspaceDiagnosticReport>(
      'workspace/diagnostic',
      { previousResultIds: [{ uri: pathToUri(join(this.#root, 'none.py')), value: 'none' }] },
      { timeoutMs: patienceMs, ...(signal === undefined ? {} : { signal }) },
    );
    const found: TypingError[] = [];
    for (const item of report.items) {
      if (item.kind !== 'full') continue;
      const file = relative(this.#root, fromWireUri(item.uri));
      for (const { severity, range, message, code = '' } of item.items) {
        if (severity !== errorSeverity) continue;
        // What follows after an empty line explains; it names folders and places that differ from tree to tree.
        const [text = ''] = (typeof message === 'string' ? message : message.value).split('\n\n');
        const { line, character } = range.start;
        found.push({ file, line: line + 1, column: character + 1, message: `${code}: ${text}`, code: String(code) });
      }
    }
    // It answers file by file as each is finished, which is another order each time.
    return found.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column));
  }

  async dispose(): Promise<void> {
    await this.#process.kill(0);
  }
}
