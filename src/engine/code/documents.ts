import { contentHash } from '../../base/ids.ts';
import { pathToUri } from '../../base/paths.ts';
import { LineIndex } from '../../base/positions.ts';
import type { LspClient } from '../../protocol/lsp/client.ts';
import type { SourceTexts } from './sourceTexts.ts';

interface OpenDocument {
  version: number;
  /** The text the server has. Not held: a hundred open documents would be a hundred texts in memory. */
  seen: WeakRef<LineIndex>;
  hash: string;
  /** Kept open because the server only knows projects of which a file is open. */
  pinned: boolean;
  /** Shows something that is not on disk, for a moment. */
  isTrial: boolean;
}

/** How many documents stay open because they were asked about. */
const maxUnpinned = 100;

/** The documents one server has open. What the server sees is what is on disk, or what an editor holds unsaved. */
export class OpenDocuments {
  readonly #client: LspClient;
  readonly #texts: SourceTexts;
  readonly #languageId: (path: string) => string;
  readonly #open = new Map<string, OpenDocument>();
  /** Files of which the server is shown another text than what is on disk, for as long as it runs, by who shows them. */
  readonly #instead = new Map<string, ReadonlySet<string>>();
  /** Versions are never used twice, so that one stands for one text of one document. */
  #lastVersion = 0;
  /** Told before a text is shown that the server has not seen. */
  onShown: (path: string) => void = () => undefined;

  constructor(client: LspClient, texts: SourceTexts, languageId: (path: string) => string) {
    this.#client = client;
    this.#texts = texts;
    this.#languageId = languageId;
  }

  /** Those that show what is on disk. */
  get paths(): string[] {
    return [...this.#open.keys()].filter((path) => !this.isShownInstead(path));
  }

  get pinnedPaths(): string[] {
    return this.paths.filter((path) => this.#open.get(path)?.pinned);
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
      this.#show(path, text, { pinned: options.pinned ?? false, isTrial: false });
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
    await this.open(path);
    return this.withTexts(new Map([[path, text]]), work);
  }

  /** The same with several files, some of which may not exist at all. */
  async withTexts<T>(texts: ReadonlyMap<string, LineIndex>, work: () => Promise<T>): Promise<T> {
    const opened: string[] = [];
    for (const [path, text] of texts) {
      const document = this.#open.get(path);
      if (document === undefined) {
        opened.push(path);
        this.#show(path, text, { pinned: true, isTrial: true });
      } else {
        document.isTrial = true;
        this.#change(path, document, text);
      }
    }
    try {
      return await work();
    } finally {
      for (const path of opened) this.close(path);
      for (const path of texts.keys()) {
        const document = this.#open.get(path);
        if (document === undefined) continue;
        document.isTrial = false;
        await this.refresh([path]);
      }
    }
  }

  isShownInstead(path: string): boolean {
    return [...this.#instead.values()].some((paths) => paths.has(path));
  }

  /** Shows the server these texts in place of what is on disk, and no others that the same owner showed before. */
  showInstead(owner: string, texts: ReadonlyMap<string, string>): void {
    for (const path of this.#instead.get(owner) ?? []) if (!texts.has(path)) this.close(path);
    for (const [path, content] of texts) {
      const text = new LineIndex(content);
      const known = this.#open.get(path);
      if (known === undefined) this.#show(path, text, { pinned: true, isTrial: true });
      else if (known.hash !== contentHash(content)) this.#change(path, known, text);
    }
    this.#instead.set(owner, new Set(texts.keys()));
  }

  /** Brings every open document among these up to date with the disk; one that is gone is closed. */
  async refresh(paths: Iterable<string>): Promise<void> {
    for (const path of paths) {
      const document = this.#open.get(path);
      if (document === undefined) continue;
      const text = await this.#texts.tryGet(path);
      if (text !== undefined) this.#update(path, document, text);
      else if (!document.isTrial) this.close(path);
    }
  }

  /** Nothing needs to stay open any more for its project's sake. */
  unpinAll(): void {
    for (const document of this.#open.values()) document.pinned = document.isTrial;
    this.#trim();
  }

  close(path: string): void {
    if (this.#open.delete(path))
      this.#client.notify('textDocument/didClose', { textDocument: { uri: pathToUri(path) } });
  }

  /** A text that was read again is only news to the server when it differs. */
  #update(path: string, document: OpenDocument, text: LineIndex): void {
    if (document.isTrial) return;
    if (document.seen.deref() === text) return;
    const identity = identityOf(text);
    if (document.hash === identity.hash) document.seen = identity.seen;
    else this.#change(path, document, text);
  }

  #show(path: string, text: LineIndex, kept: { pinned: boolean; isTrial: boolean }): void {
    this.onShown(path);
    const version = ++this.#lastVersion;
    this.#open.set(path, { version, ...identityOf(text), ...kept });
    this.#client.notify('textDocument/didOpen', {
      textDocument: { uri: pathToUri(path), languageId: this.#languageId(path), version, text: text.text },
    });
  }

  #change(path: string, document: OpenDocument, text: LineIndex): void {
    this.onShown(path);
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
