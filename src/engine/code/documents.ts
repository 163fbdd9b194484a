import { contentHash } from '../../base/ids.ts';
import { pathToUri } from '../../base/paths.ts';
import type { LineIndex } from '../../base/positions.ts';
import { ToolError } from '../../base/errors.ts';
import type { LspClient } from '../../protocol/lsp/client.ts';
import type { SourceTexts } from './sourceTexts.ts';

interface OpenDocument {
  version: number;
  /** The text the server has. Not held: a hundred open documents would be a hundred texts in memory. */
  seen: WeakRef<LineIndex>;
  hash: string;
  /** Kept open because the server only knows projects of which a file is open. */
  pinned: boolean;
}

/** How many documents stay open because they were asked about. */
const maxUnpinned = 100;

/** The documents one server has open. What the server sees is what is on disk: there is no editor, so nothing is unsaved. */
export class OpenDocuments {
  readonly #client: LspClient;
  readonly #texts: SourceTexts;
  readonly #languageId: (path: string) => string;
  readonly #open = new Map<string, OpenDocument>();
  /** Versions are never used twice, so that one stands for one text of one document. */
  #lastVersion = 0;

  constructor(client: LspClient, texts: SourceTexts, languageId: (path: string) => string) {
    this.#client = client;
    this.#texts = texts;
    this.#languageId = languageId;
  }

  get paths(): string[] {
    return [...this.#open.keys()];
  }

  get pinnedPaths(): string[] {
    return [...this.#open].filter(([, document]) => document.pinned).map(([path]) => path);
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  version(path: string): number | undefined {
    return this.#open.get(path)?.version;
  }

  /** Opens the document, or brings it up to date. */
  async open(path: string, options: { pinned?: boolean } = {}): Promise<LineIndex> {
    const text = await this.#texts.get(path);
    const known = this.#open.get(path);
    if (known === undefined) {
      const version = ++this.#lastVersion;
      this.#open.set(path, { version, ...identityOf(text), pinned: options.pinned ?? false });
      this.#client.notify('textDocument/didOpen', {
        textDocument: { uri: pathToUri(path), languageId: this.#languageId(path), version, text: text.text },
      });
      this.#trim();
      return text;
    }
    known.pinned ||= options.pinned ?? false;
    this.#update(path, known, text);
    // Asked about again: it is the youngest now.
    this.#open.delete(path);
    this.#open.set(path, known);
    return text;
  }

  /** Shows the server a text that is not on disk while `work` runs: a hypothetical edit. */
  async withText<T>(path: string, text: LineIndex, work: () => Promise<T>): Promise<T> {
    const original = await this.open(path);
    const document = this.#open.get(path);
    if (document === undefined) throw new ToolError('internal_error', `${path} was closed while it was asked about.`);
    this.#change(path, document, text);
    try {
      return await work();
    } finally {
      if (this.#open.get(path) === document) this.#change(path, document, original);
    }
  }

  /** Brings every open document among these up to date with the disk; one that is gone is closed. */
  async refresh(paths: Iterable<string>): Promise<void> {
    for (const path of paths) {
      const document = this.#open.get(path);
      if (document === undefined) continue;
      const text = await this.#texts.tryGet(path);
      if (text === undefined) this.close(path);
      else this.#update(path, document, text);
    }
  }

  close(path: string): void {
    if (this.#open.delete(path))
      this.#client.notify('textDocument/didClose', { textDocument: { uri: pathToUri(path) } });
  }

  /** A text that was read again is only news to the server when it differs. */
  #update(path: string, document: OpenDocument, text: LineIndex): void {
    if (document.seen.deref() === text) return;
    const identity = identityOf(text);
    if (document.hash === identity.hash) document.seen = identity.seen;
    else this.#change(path, document, text);
  }

  #change(path: string, document: OpenDocument, text: LineIndex): void {
    document.version = ++this.#lastVersion;
    Object.assign(document, identityOf(text));
    this.#client.notify('textDocument/didChange', {
      textDocument: { uri: pathToUri(path), version: document.version },
      contentChanges: [{ text: text.text }],
    });
  }

  #trim(): void {
    const unpinned = [...this.#open].filter(([, document]) => !document.pinned);
    for (const [path] of unpinned.slice(0, Math.max(unpinned.length - maxUnpinned, 0))) this.close(path);
  }
}

function identityOf(text: LineIndex): Pick<OpenDocument, 'seen' | 'hash'> {
  return { seen: new WeakRef(text), hash: contentHash(text.text) };
}
