import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomToken } from '../../base/ids.ts';
import { isInside, uriToPath } from '../../base/paths.ts';
import { sightlineVersion } from '../../base/version.ts';
import { livingIdes, publishPrivately, type FoundIde } from './discoveryFiles.ts';
import type { IdeActions } from './ideActions.ts';
import { IdeHttp } from './ideHttp.ts';
import {
  groupedProblems,
  ideName,
  objectSchema,
  record,
  selectionParams,
  words,
  type IdeServer,
  type Selection,
  type TextPart,
} from './ideMcp.ts';

/** Where Copilot CLI looks for IDEs. */
export function copilotFolder(home: string): string {
  return join(home, '.copilot', 'ide');
}

/** The IDE that Copilot CLI looks for: a lock file, and MCP over HTTP on a socket behind it. Its protocol is not published either. */
export class CopilotIde implements IdeServer {
  readonly socketPath: string;
  readonly #http: IdeHttp;
  readonly #file: string;
  readonly #surface: Surface;

  private constructor(http: IdeHttp, socketPath: string, file: string, surface: Surface) {
    this.#http = http;
    this.socketPath = socketPath;
    this.#file = file;
    this.#surface = surface;
    http.onStream = () => surface.selection !== undefined && this.select(surface.selection);
  }

  /** Undefined when a real IDE has this folder open. The socket lies in a folder of this user's alone. */
  static async open(folder: string, sockets: string, actions: IdeActions): Promise<CopilotIde | undefined> {
    const { root } = actions.project;
    const others = await livingIdes(folder, readLock, ideName);
    if (others.some(({ folders, pid }) => pid !== process.pid && folders.some((each) => isInside(each, root))))
      return undefined;
    const id = randomUUID();
    const socketPath = join(sockets, `ide-${id.slice(0, 8)}.sock`);
    await mkdir(dirname(socketPath), { recursive: true, mode: 0o700 });
    const authorization = `Nonce ${randomToken()}`;
    const surface = new Surface(actions);
    const http = await IdeHttp.open({ socketPath }, surface, authorization);
    const file = await publishPrivately(folder, `${id}.lock`, {
      socketPath,
      scheme: 'unix',
      headers: { Authorization: authorization },
      pid: process.pid,
      ideName,
      timestamp: Date.now(),
      workspaceFolders: [root],
      isTrusted: actions.project.trusted,
    });
    return new CopilotIde(http, socketPath, file, surface);
  }

  get connections(): number {
    return this.#http.connections;
  }

  select(selection: Selection): void {
    this.#surface.selection = selection;
    this.#http.tell('selection_changed', selectionParams(selection));
  }

  async dispose(): Promise<void> {
    await rm(this.#file, { force: true });
    await this.#http.dispose();
    await this.#surface.dispose();
  }
}

/** The six tools of the protocol. */
class Surface {
  readonly protocolVersion = '2025-11-25';
  /** The command line looks for this very name. */
  readonly serverName = 'vscode-copilot-cli';
  readonly tools = tools;
  selection: Selection | undefined;
  readonly #actions: IdeActions;
  readonly #reviews = new Map<string, AbortController>();

  constructor(actions: IdeActions) {
    this.#actions = actions;
  }

  heard(message: Record<string, unknown>): void {
    this.#actions.onDidHear.fire(message);
  }

  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<TextPart[]> {
    switch (name) {
      case 'get_vscode_info':
        return words({ ideName, appName: ideName, version: sightlineVersion, processId: process.pid });
      case 'get_selection':
        return words(
          this.selection === undefined ? { current: false } : { current: true, ...selectionParams(this.selection) },
        );
      case 'get_diagnostics': {
        const uri = typeof args['uri'] === 'string' && args['uri'] !== '' ? args['uri'] : undefined;
        const path = uri === undefined ? undefined : (uriToPath(uri) ?? uri);
        return words(groupedProblems(await this.#actions.problems(path, signal), (severity) => severity));
      }
      case 'open_diff':
        return this.#openDiff(args, signal);
      case 'close_diff': {
        const tab = String(args['tab_name']);
        const review = this.#reviews.get(tab);
        review?.abort();
        await this.#actions.settle();
        const message = review === undefined ? 'It was closed before.' : 'The review was closed.';
        return words({ success: true, already_closed: review === undefined, tab_name: tab, message });
      }
      case 'update_session_name':
        return words({ success: true });
      default:
        throw new Error(`There is no tool ${name}.`);
    }
  }

  async dispose(): Promise<void> {
    for (const review of this.#reviews.values()) review.abort();
    await this.#actions.dispose();
  }

  /** Blocks until somebody has answered. The command line writes what was agreed to. */
  async #openDiff(args: Record<string, unknown>, signal: AbortSignal): Promise<TextPart[]> {
    const { original_file_path: path, new_file_contents: contents } = args;
    if (typeof path !== 'string' || typeof contents !== 'string')
      throw new Error('open_diff needs a path and contents.');
    const tab = typeof args['tab_name'] === 'string' ? args['tab_name'] : path;
    const closed = new AbortController();
    this.#reviews.set(tab, closed);
    try {
      const ending = AbortSignal.any([signal, closed.signal]);
      const isAllowed = await this.#actions.review(path, contents, 'Copilot CLI', ending);
      // Answered in the command line: if that was yes, what it writes next is its change.
      if (closed.signal.aborted) await this.#actions.expectWriting(path, 'Copilot CLI');
      const trigger = closed.signal.aborted
        ? 'closed_via_tool'
        : isAllowed
          ? 'accepted_via_button'
          : 'rejected_via_button';
      const message = `The change to ${basename(path)} was ${isAllowed ? 'accepted' : 'rejected'}.`;
      return words({ success: true, result: isAllowed ? 'SAVED' : 'REJECTED', trigger, tab_name: tab, message });
    } finally {
      if (this.#reviews.get(tab) === closed) this.#reviews.delete(tab);
    }
  }
}

function readLock(file: string, text: string): FoundIde | undefined {
  if (!basename(file).endsWith('.lock')) return undefined;
  const { pid, workspaceFolders, ideName: name } = record(JSON.parse(text));
  return {
    file,
    pid: typeof pid === 'number' ? pid : undefined,
    folders: Array.isArray(workspaceFolders) ? workspaceFolders.filter((each) => typeof each === 'string') : [],
    name: typeof name === 'string' ? name : undefined,
  };
}

const string = { type: 'string' };
const tools = [
  { name: 'get_vscode_info', description: 'Which IDE this is.', inputSchema: objectSchema({}) },
  { name: 'get_selection', description: 'What the person has selected.', inputSchema: objectSchema({}) },
  {
    name: 'get_diagnostics',
    description: 'Problems of a file or of the project, found now.',
    inputSchema: objectSchema({ uri: string }),
  },
  {
    name: 'open_diff',
    description: 'Shows a change for review and waits for the answer.',
    inputSchema: objectSchema({ original_file_path: string, new_file_contents: string, tab_name: string }, [
      'original_file_path',
      'new_file_contents',
      'tab_name',
    ]),
  },
  {
    name: 'close_diff',
    description: 'Closes a review.',
    inputSchema: objectSchema({ tab_name: string }, ['tab_name']),
  },
  {
    name: 'update_session_name',
    description: 'Names the session of the command line.',
    inputSchema: objectSchema({ name: string }, ['name']),
  },
];
