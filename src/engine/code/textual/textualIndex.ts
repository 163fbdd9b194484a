import { LineIndex } from '../../../base/positions.ts';
import { extensionOf } from '../languageServer.ts';
import type { OutlineSymbol } from '../model.ts';
import { flattenOutline } from '../queries/requests/outline.ts';
import type { SourceTexts } from '../sourceTexts.ts';
import { languageByName, lineLanguages, type LineLanguage } from './lineLanguages.ts';
import { blanked, lineOutline } from './lineOutline.ts';
import { isWithin } from './syntaxFacts.ts';
import type { SyntaxTrees } from './syntaxTrees.ts';
import { textualOutline } from './textualOutline.ts';

/** What is known of a file without a language server. */
export interface TextualFile {
  outline: OutlineSymbol[];
  /** False within comments and literals. */
  isCode(offset: number): boolean;
  isImport(offset: number): boolean;
  /** Why only its lines were looked at; undefined when its syntax tree was. */
  linesOnly?: string;
}

/** Files are kept up to this many symbols in sum. */
const maxKeptSymbols = 40_000;

/** What the files of a project declare, read once from their syntax and kept until they change. */
export class TextualIndex {
  readonly #texts: SourceTexts;
  readonly #trees: SyntaxTrees;
  readonly #isWatched: (path: string) => boolean;
  readonly #kept = new Map<string, { file: TextualFile; text: WeakRef<LineIndex>; size: number }>();
  #keptSymbols = 0;

  constructor(texts: SourceTexts, trees: SyntaxTrees, isWatched: (path: string) => boolean) {
    this.#texts = texts;
    this.#trees = trees;
    this.#isWatched = isWatched;
  }

  async get(path: string): Promise<TextualFile> {
    const kept = this.#kept.get(path);
    if (kept !== undefined && this.#isWatched(path)) return kept.file;
    const text = await this.#texts.get(path);
    if (kept?.text.deref() === text) return kept.file;
    const file = await this.#read(text, languageByName(path) ?? extensionOf(path));
    this.forget(path);
    // A file read by its lines alone is read again: the grammar may have come meanwhile.
    if (file.linesOnly === undefined) this.#keep(path, text, file);
    return file;
  }

  /** The file when it can be read. */
  async tryGet(path: string): Promise<TextualFile | undefined> {
    return this.#kept.has(path) || (await this.#texts.tryGet(path)) !== undefined ? this.get(path) : undefined;
  }

  forget(path: string): void {
    this.#keptSymbols -= this.#kept.get(path)?.size ?? 0;
    this.#kept.delete(path);
  }

  async #read(text: LineIndex, extension: string): Promise<TextualFile> {
    const language = lineLanguages[extension];
    if (language !== undefined) return readLines(text, language, extension);
    const facts = await this.#trees.read(text, extension);
    if ('reason' in facts)
      return {
        outline: textualOutline(text, extension),
        isCode: () => true,
        isImport: () => false,
        // The headings of a text are all there is to know of it.
        ...(/^(md|markdown)$/.test(extension) ? {} : { linesOnly: facts.reason }),
      };
    return {
      outline: facts.outline,
      isCode: (offset) => !isWithin(facts.text, offset),
      isImport: (offset) => isWithin(facts.imports, offset),
    };
  }

  #keep(path: string, text: LineIndex, file: TextualFile): void {
    const size = flattenOutline(file.outline).length + 1;
    this.#kept.set(path, { file, text: new WeakRef(text), size });
    this.#keptSymbols += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptSymbols <= maxKeptSymbols || oldest === path) break;
      this.forget(oldest);
    }
  }
}

function readLines(text: LineIndex, language: LineLanguage, extension: string): TextualFile {
  const code = blanked(text.text, language);
  return {
    outline: lineOutline(new LineIndex(code), language),
    isCode: (offset) => code.charAt(offset) === text.text.charAt(offset),
    isImport: () => false,
    linesOnly: `there is no grammar for ${extension.endsWith('file') ? '' : '.'}${extension} files`,
  };
}
