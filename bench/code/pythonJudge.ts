import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LspProcess } from '../support/lspProcess.mjs';
import { calleeOfKeyword } from './pythonRules.ts';
import { keyOf, type Place } from './pythonPlaces.ts';

/** `unknown`: the engine infers nothing at one of the two places, so it contradicts nobody. */
export type Opinion = 'same' | 'different' | 'unknown';

/** A language server that is asked whether two places name one symbol. */
export class Judge {
  readonly #server: LspProcess;
  readonly #known = new Map<string, Promise<Set<string>>>();

  private constructor(server: LspProcess) {
    this.#server = server;
  }

  static async start(command: readonly string[], root: string, sources: string): Promise<Judge> {
    const server = new LspProcess([...command], root);
    await server.initialize();
    const files = (readdirSync(sources, { recursive: true }) as string[]).filter((file) => file.endsWith('.py'));
    for (const file of files) {
      const path = join(sources, file);
      const textDocument = {
        uri: pathToFileURL(path).href,
        languageId: 'python',
        version: 1,
        text: readFileSync(path, 'utf8'),
      };
      server.notify('textDocument/didOpen', { textDocument });
    }
    // With every file open and one whole-file question answered, its program is complete.
    for (const file of files)
      await server.request('textDocument/documentSymbol', {
        textDocument: { uri: pathToFileURL(join(sources, file)).href },
      });
    return new Judge(server);
  }

  /**
   * To name the same thing is mutual, but engines find it from one end more easily than from the other: a place counts when it is
   * among the references of the symbol, or the symbol among those of the place, or when both lead to one definition.
   */
  async opinion(place: Place, symbol: Place, agreed: ReadonlySet<string>): Promise<Opinion> {
    if (keyOf(place) === keyOf(symbol)) return (await this.#references(symbol)).has(keyOf(place)) ? 'same' : 'unknown';
    if ((await this.#references(symbol)).has(keyOf(place))) return 'same';
    const definitions = await this.#ask('textDocument/definition', place);
    const own = await this.#ask('textDocument/definition', symbol);
    if ([...definitions].some((definition) => agreed.has(definition) || own.has(definition))) return 'same';
    if ((await this.#references(place)).has(keyOf(symbol))) return 'same';
    if (await this.#areKeywordsOfOneCall(place, symbol)) return 'same';
    return definitions.size === 0 || own.size === 0 ? 'unknown' : 'different';
  }

  /** Keyword arguments of one name name one parameter when what is called is the same: some engines look only at the callee. */
  async #areKeywordsOfOneCall(place: Place, symbol: Place): Promise<boolean> {
    const [callee, other] = [calleeOfKeyword(place), calleeOfKeyword(symbol)];
    if (callee === undefined || other === undefined) return false;
    const definitions = await this.#ask('textDocument/definition', callee);
    return [...(await this.#ask('textDocument/definition', other))].some((definition) => definitions.has(definition));
  }

  end(): Promise<unknown> {
    return this.#server.end();
  }

  #references(place: Place): Promise<Set<string>> {
    return this.#ask('textDocument/references', place);
  }

  #ask(method: string, place: Place): Promise<Set<string>> {
    const key = `${method} ${keyOf(place)}`;
    const known = this.#known.get(key) ?? this.#request(method, place);
    this.#known.set(key, known);
    return known;
  }

  async #request(method: string, [path, line, column]: Place): Promise<Set<string>> {
    const found = (await this.#server.request(method, {
      textDocument: { uri: pathToFileURL(path).href },
      position: { line: line - 1, character: column - 1 },
      context: { includeDeclaration: true },
    })) as WireLocation | WireLocation[] | null;
    const all = found === null || found === undefined ? [] : Array.isArray(found) ? found : [found];
    return new Set(
      all.map((item) => {
        const uri = item.targetUri ?? item.uri ?? '';
        const { start } = item.targetSelectionRange ?? item.range ?? { start: { line: 0, character: 0 } };
        return keyOf([fileURLToPath(uri), start.line + 1, start.character + 1]);
      }),
    );
  }
}

interface WireLocation {
  uri?: string;
  range?: { start: { line: number; character: number } };
  targetUri?: string;
  targetSelectionRange?: { start: { line: number; character: number } };
}
