import { rm } from 'node:fs/promises';
import { randomToken } from '../../base/ids.ts';
import { errorMessage } from '../../base/errors.ts';
import { publishPrivately } from './discoveryFiles.ts';
import type { IdeActions } from './ideActions.ts';
import { IdeHttp } from './ideHttp.ts';
import { objectSchema, words, type IdeServer, type Selection, type TextPart } from './ideMcp.ts';

const maxSelectionBytes = 16 * 1024;

/** What differs between the command lines that speak the protocol of Gemini's companion. */
interface CompanionKind {
  clientName: string;
  folder: string;
  fileName(port: number): string;
  content(port: number, authToken: string): unknown;
}

/**
 * The companion that Gemini CLI has published a specification of, and Qwen Code with it. A review is opened at once and answered later by
 * a notification; the command line writes what was agreed to.
 */
export class Companion implements IdeServer {
  readonly #http: IdeHttp;
  readonly #file: string;
  readonly #actions: IdeActions;
  readonly #clientName: string;
  readonly #reviews: Reviews;
  #selection: Selection | undefined;

  private constructor(http: IdeHttp, file: string, actions: IdeActions, clientName: string, reviews: Reviews) {
    this.#http = http;
    this.#file = file;
    this.#actions = actions;
    this.#clientName = clientName;
    this.#reviews = reviews;
    http.onStream = () => this.#tellContext();
  }

  static async open(kind: CompanionKind, actions: IdeActions): Promise<Companion> {
    const token = randomToken();
    const reviews = new Reviews(actions, kind.clientName);
    const surface = {
      protocolVersion: '2025-06-18',
      serverName: 'sightline-ide-companion',
      tools,
      heard: (message: Record<string, unknown>) => actions.onDidHear.fire(message),
      call: (name: string, args: Record<string, unknown>) => reviews.call(name, args),
    };
    const http = await IdeHttp.open({ port: true }, surface, `Bearer ${token}`);
    reviews.tell = (method, params) => http.tell(method, params);
    const file = await publishPrivately(kind.folder, kind.fileName(http.port), kind.content(http.port, token));
    return new Companion(http, file, actions, kind.clientName, reviews);
  }

  get port(): number {
    return this.#http.port;
  }

  get connections(): number {
    return this.#http.connections;
  }

  get clientName(): string {
    return this.#clientName;
  }

  select(selection: Selection): void {
    this.#selection = selection;
    this.#tellContext();
  }

  async dispose(): Promise<void> {
    await rm(this.#file, { force: true });
    this.#reviews.dispose();
    await this.#http.dispose();
    await this.#actions.dispose();
  }

  /** Nothing is said of trust: that is between the command line and its person. */
  #tellContext(): void {
    const selection = this.#selection;
    const openFiles =
      selection === undefined
        ? []
        : [
            {
              path: selection.path,
              timestamp: Date.now(),
              isActive: true,
              selectedText: selection.text.slice(0, maxSelectionBytes),
              cursor: { line: selection.fromLine, character: 1 },
            },
          ];
    this.#http.tell('ide/contextUpdate', { workspaceState: { openFiles } });
  }
}

/** Reviews under way, by file: a command line has one at a time of each. */
class Reviews {
  tell: (method: string, params: unknown) => void = () => undefined;
  readonly #actions: IdeActions;
  readonly #clientName: string;
  readonly #open = new Map<string, { content: string; end: AbortController }>();

  constructor(actions: IdeActions, clientName: string) {
    this.#actions = actions;
    this.#clientName = clientName;
  }

  async call(name: string, args: Record<string, unknown>): Promise<TextPart[]> {
    const { filePath, newContent } = args;
    if (typeof filePath !== 'string') throw new Error(`${name} needs filePath.`);
    if (name === 'openDiff') {
      if (typeof newContent !== 'string') throw new Error('openDiff needs newContent.');
      await this.#begin(filePath, newContent);
      return [];
    }
    if (name === 'closeDiff') return words({ content: await this.#close(filePath) });
    throw new Error(`There is no tool ${name}.`);
  }

  dispose(): void {
    for (const { end } of this.#open.values()) end.abort();
    this.#open.clear();
  }

  async #begin(filePath: string, content: string): Promise<void> {
    // What lies outside is refused in the answer and not later.
    await this.#actions.mustBeInside(filePath);
    this.#open.get(filePath)?.end.abort();
    const review = { content, end: new AbortController() };
    this.#open.set(filePath, review);
    void this.#actions
      .review(filePath, content, this.#clientName, review.end.signal)
      .then((isAllowed) => this.#answered(filePath, review, isAllowed))
      .catch((error: unknown) => {
        this.tell('ide/diffRejected', { filePath, reason: errorMessage(error) });
      });
  }

  #answered(filePath: string, review: { content: string; end: AbortController }, isAllowed: boolean): void {
    if (this.#open.get(filePath) !== review) return;
    this.#open.delete(filePath);
    if (isAllowed) this.tell('ide/diffAccepted', { filePath, content: review.content });
    else this.tell('ide/diffRejected', { filePath });
  }

  /** The person has answered in the command line; if that was yes, what it writes next is its change. */
  async #close(filePath: string): Promise<string | null> {
    const review = this.#open.get(filePath);
    if (review === undefined) {
      await this.#actions.written(filePath);
      return null;
    }
    this.#open.delete(filePath);
    review.end.abort();
    await this.#actions.expectWriting(filePath, this.#clientName);
    return review.content;
  }
}

const string = { type: 'string' };
const tools = [
  {
    name: 'openDiff',
    description: 'Shows a change for review; the answer comes as a notification.',
    inputSchema: objectSchema({ filePath: string, newContent: string }, ['filePath', 'newContent']),
  },
  {
    name: 'closeDiff',
    description: 'Ends a review and gives back what it showed.',
    inputSchema: objectSchema({ filePath: string, suppressNotification: { type: 'boolean' } }, ['filePath']),
  },
];
