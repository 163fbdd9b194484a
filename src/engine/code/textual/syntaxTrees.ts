import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import type * as TreeSitter from 'web-tree-sitter';
import type { Language, Parser, Query } from 'web-tree-sitter';
import { unreferencedDelay } from '../../../base/cancellation.ts';
import { errorMessage } from '../../../base/errors.ts';
import type { LineIndex } from '../../../base/positions.ts';
import { grammarEngineId, grammarPackages, type GrammarId } from '../../provision/engines/servers/grammars.ts';
import { InstallOnNeed } from '../../provision/installOnNeed.ts';
import type { Provision } from '../../provision/provision.ts';
import { codeCapture, factsOf, importCapture, textCapture, type SyntaxFacts } from './syntaxFacts.ts';
import { grammarOf, syntaxQueries } from './syntaxQueries.ts';

/** Parsing is done on the main thread; of longer files only the lines are looked at. */
const maxChars = 1_500_000;
/** How long a question waits for a grammar that is being fetched. */
const patienceMs = 8000;

interface Loaded {
  parser: Parser;
  query: Query;
}

/** Why there is no syntax tree for a file. */
interface NoSyntax {
  reason: string;
}

/**
 * Syntax trees of languages without a language server. A grammar is a small WebAssembly file that is fetched into the cache on
 * first need; until it is there, and where there is none, the lines are looked at.
 */
export class SyntaxTrees {
  readonly #provision: Provision | undefined;
  readonly #loaded = new Map<GrammarId, Promise<Loaded>>();
  readonly #fetches = new Map<GrammarId, InstallOnNeed>();

  constructor(provision: Provision | undefined) {
    this.#provision = provision;
  }

  /** What the syntax of a text tells, or why there is no telling. */
  async read(text: LineIndex, extension: string): Promise<SyntaxFacts | NoSyntax> {
    const grammar = grammarOf(extension);
    if (grammar === undefined)
      return { reason: `there is no grammar for ${extension === '' ? 'it' : `.${extension} files`}` };
    if (text.text.length > maxChars) return { reason: 'the file is too long to parse' };
    const loaded = await this.#load(grammar);
    if ('reason' in loaded) return loaded;
    const tree = loaded.parser.parse(text.text);
    if (tree === null) return { reason: 'the file could not be parsed' };
    try {
      return factsOf(loaded.query.captures(tree.rootNode), text);
    } finally {
      tree.delete();
    }
  }

  async #load(grammar: GrammarId): Promise<Loaded | NoSyntax> {
    const known = this.#loaded.get(grammar);
    if (known !== undefined) return known;
    const path = await this.#locate(grammar);
    if (typeof path !== 'string') return path;
    const loading = this.#loaded.get(grammar) ?? load(grammar, path);
    this.#loaded.set(grammar, loading);
    try {
      return await loading;
    } catch (error) {
      this.#loaded.delete(grammar);
      return { reason: `the ${grammarPackages[grammar].title} grammar does not load: ${errorMessage(error)}` };
    }
  }

  async #locate(grammar: GrammarId): Promise<string | NoSyntax> {
    const { title } = grammarPackages[grammar];
    if (this.#provision === undefined) return { reason: `the ${title} grammar is not installed` };
    const id = grammarEngineId(grammar);
    const engine = await this.#provision.locate(id);
    if (engine.found) return engine.path;
    const fetch = this.#fetches.get(grammar) ?? new InstallOnNeed(this.#provision, id);
    this.#fetches.set(grammar, fetch);
    if (fetch.failure === undefined) await Promise.race([fetch.ensure(), unreferencedDelay(patienceMs)]);
    if (fetch.failure !== undefined) return { reason: `the ${title} grammar could not be fetched: ${fetch.failure}` };
    const fetched = await this.#provision.locate(id);
    if (fetched.found) return fetched.path;
    return { reason: `the ${title} grammar is being fetched: ask again` };
  }
}

async function load(grammar: GrammarId, path: string): Promise<Loaded> {
  const library = await import('web-tree-sitter');
  await initialise(library);
  const language = await library.Language.load(path);
  const parser = new library.Parser();
  parser.setLanguage(language);
  return { parser, query: new library.Query(language, querySource(grammar, language)) };
}

let initialised: Promise<void> | undefined;

function initialise(library: typeof TreeSitter): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('web-tree-sitter'));
  initialised ??= library.Parser.init({ locateFile: (name: string) => join(folder, name) });
  return initialised;
}

function querySource(grammar: GrammarId, language: Language): string {
  const { declarations, text, code = [], imports = [] } = syntaxQueries[grammar];
  const known = new Set(language.types);
  const nodes = (types: readonly string[], capture: string) =>
    types.filter((type) => known.has(type)).map((type) => `(${type}) @${capture}`);
  return [
    declarations,
    ...nodes(text, textCapture),
    ...nodes(code, codeCapture),
    ...nodes(imports, importCapture),
  ].join('\n');
}
