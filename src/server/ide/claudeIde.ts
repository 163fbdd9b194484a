import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { randomToken } from '../../base/ids.ts';
import { isInside, pathToUri, uriToPath } from '../../base/paths.ts';
import { AskedProblems } from './askedProblems.ts';
import { livingIdes, publishPrivately, type FoundIde } from './discoveryFiles.ts';
import type { IdeActions } from './ideActions.ts';
import {
  answerMcp,
  groupedProblems,
  ideName,
  objectSchema,
  record,
  selectionParams,
  words,
  type IdeServer,
  type IdeSurface,
  type Selection,
  type TextPart,
} from './ideMcp.ts';
import { TabReviews } from './tabReviews.ts';

const maxMessageBytes = 16 * 1024 * 1024;
const clientName = 'Claude Code';

/** What belongs to one command line. */
interface Connection {
  reviews: TabReviews;
  problems: AskedProblems;
  signal: AbortSignal;
}

/**
 * The IDE that Claude Code looks for, and opencode with it: a lock file named after the port, and MCP over a WebSocket behind it. The
 * protocol is not published; what is here follows what others have written down of it, and what is asked besides is answered as unknown.
 */
export class ClaudeIde implements IdeServer {
  readonly port: number;
  readonly #file: string;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #actions: IdeActions;
  readonly #gone = new AbortController();
  #selection: Selection | undefined;

  private constructor(server: Server, sockets: WebSocketServer, file: string, port: number, actions: IdeActions) {
    this.#server = server;
    this.#sockets = sockets;
    this.#file = file;
    this.port = port;
    this.#actions = actions;
    sockets.on('connection', (socket) => this.#serve(socket));
  }

  /** Undefined when a real IDE has this folder open: it is never in that one's way. */
  static async open(folder: string, actions: IdeActions): Promise<ClaudeIde | undefined> {
    const { root } = actions.project;
    const others = await livingIdes(folder, readLock, ideName);
    if (others.some(({ folders, pid }) => pid !== process.pid && folders.some((each) => isInside(each, root))))
      return undefined;
    const token = randomToken();
    const server = createServer((_request, response) => response.writeHead(426).end());
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: maxMessageBytes,
      handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    server.on('upgrade', (request, socket, head) => {
      const status = refusal(request, port, token);
      if (status !== undefined) return void socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
      sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted, request));
    });
    const file = await publishPrivately(folder, `${port}.lock`, {
      pid: process.pid,
      workspaceFolders: [root],
      ideName,
      transport: 'ws',
      runningInWindows: false,
      authToken: token,
    });
    return new ClaudeIde(server, sockets, file, port, actions);
  }

  get connections(): number {
    return this.#sockets.clients.size;
  }

  /** What a person chose to ask about: the command line takes it into its next prompt. */
  select(selection: Selection, isMentioned: boolean): void {
    this.#selection = selection;
    const { path, fromLine, toLine } = selection;
    this.#tell('selection_changed', selectionParams(selection));
    if (isMentioned) this.#tell('at_mentioned', { filePath: path, lineStart: fromLine - 1, lineEnd: toLine - 1 });
  }

  async dispose(): Promise<void> {
    this.#gone.abort();
    await rm(this.#file, { force: true });
    for (const socket of this.#sockets.clients) socket.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#actions.dispose();
  }

  #tell(method: string, params: unknown): void {
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  #serve(socket: WebSocket): void {
    const left = new AbortController();
    socket.on('close', () => left.abort());
    socket.on('error', () => undefined);
    // What one command line closes, or has asked about, is not another's.
    const reviews = new TabReviews(this.#actions, clientName);
    const problems = new AskedProblems(this.#actions);
    const surface: IdeSurface = {
      protocolVersion: '2024-11-05',
      serverName: ideName,
      tools,
      heard: (message) => this.#actions.onDidHear.fire(message),
      call: (name, args, signal) => this.#call(name, args, { reviews, problems, signal }),
    };
    socket.on('message', (data: Buffer) => {
      const signal = AbortSignal.any([left.signal, this.#gone.signal]);
      void answerMcp(parse(data.toString('utf8')), surface, signal).then((answer) => {
        if (answer !== undefined && socket.readyState === socket.OPEN) socket.send(JSON.stringify(answer));
      });
    });
  }

  async #call(name: string, args: Record<string, unknown>, connection: Connection): Promise<TextPart[]> {
    const { reviews, problems, signal } = connection;
    switch (name) {
      case 'openDiff':
        return reviews.open(args, signal);
      case 'getDiagnostics': {
        const uri = typeof args['uri'] === 'string' ? args['uri'] : undefined;
        const path = uri === undefined ? undefined : (uriToPath(uri) ?? uri);
        return words(groupedProblems(await problems.of(path, signal), capitalised));
      }
      case 'getCurrentSelection':
      case 'getLatestSelection':
        return words(selected(this.#selection));
      case 'getWorkspaceFolders': {
        const { name: folder, root } = this.#actions.project;
        return words({ success: true, rootPath: root, folders: [{ name: folder, uri: pathToUri(root), path: root }] });
      }
      case 'getOpenEditors':
        return words({ tabs: [] });
      case 'checkDocumentDirty':
      case 'saveDocument':
        // There is no editor here, so what is on disk is all there is.
        return words({ success: true, filePath: args['filePath'], isDirty: false, saved: true });
      case 'openFile':
        return words('No window shows files here.');
      case 'close_tab':
        await reviews.close(String(args['tab_name']));
        return words('TAB_CLOSED');
      case 'closeAllDiffTabs':
        return words(`CLOSED_${await reviews.closeAll()}_DIFF_TABS`);
      default:
        throw new Error(`There is no tool ${name}.`);
    }
  }
}

/** Where Claude Code looks for IDEs. */
export function claudeFolder(env: NodeJS.ProcessEnv, home: string): string {
  return join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'ide');
}

/** A page in a browser always names its origin, and no command line does. */
function refusal(request: IncomingMessage, port: number, token: string): string | undefined {
  const { host, origin } = request.headers;
  if (origin !== undefined || ![`127.0.0.1:${port}`, `localhost:${port}`].includes(host ?? '')) return '403 Forbidden';
  const given = request.headers['x-claude-code-ide-authorization'];
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token)) ? undefined : '401 Unauthorized';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function readLock(file: string, text: string): FoundIde | undefined {
  if (!file.endsWith('.lock')) return undefined;
  const { pid, workspaceFolders, ideName: name } = record(JSON.parse(text));
  return {
    file,
    pid: typeof pid === 'number' ? pid : undefined,
    folders: Array.isArray(workspaceFolders) ? workspaceFolders.filter((each) => typeof each === 'string') : [],
    name: typeof name === 'string' ? name : undefined,
  };
}

function capitalised(severity: string): string {
  return severity.charAt(0).toUpperCase() + severity.slice(1);
}

function selected(selection: Selection | undefined): unknown {
  if (selection === undefined) return { success: false, message: 'Nothing is selected.' };
  return { success: true, ...selectionParams(selection) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const string = { type: 'string' };

const tools = [
  {
    name: 'openDiff',
    description: 'Shows a change for review and waits for the answer.',
    inputSchema: objectSchema(
      { old_file_path: string, new_file_path: string, new_file_contents: string, tab_name: string },
      ['old_file_path', 'new_file_path', 'new_file_contents', 'tab_name'],
    ),
  },
  {
    name: 'getDiagnostics',
    description:
      'Problems of a file, found now; without a file those of all that were asked about, and of the project if they are found soon.',
    inputSchema: objectSchema({ uri: string }),
  },
  { name: 'getCurrentSelection', description: 'What the person has selected.', inputSchema: objectSchema({}) },
  { name: 'getLatestSelection', description: 'What the person has selected last.', inputSchema: objectSchema({}) },
  { name: 'getWorkspaceFolders', description: 'The folders of the workspace.', inputSchema: objectSchema({}) },
  { name: 'getOpenEditors', description: 'Files that are open in editors.', inputSchema: objectSchema({}) },
  { name: 'openFile', description: 'Opens a file.', inputSchema: objectSchema({ filePath: string }, ['filePath']) },
  {
    name: 'checkDocumentDirty',
    description: 'Whether a file has unsaved changes.',
    inputSchema: objectSchema({ filePath: string }, ['filePath']),
  },
  { name: 'saveDocument', description: 'Saves a file.', inputSchema: objectSchema({ filePath: string }, ['filePath']) },
  { name: 'close_tab', description: 'Closes a review.', inputSchema: objectSchema({ tab_name: string }, ['tab_name']) },
  { name: 'closeAllDiffTabs', description: 'Closes all reviews.', inputSchema: objectSchema({}) },
];
