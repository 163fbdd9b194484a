import type { Position } from '../../../base/positions.ts';
import { targetAt } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import type { OutlineSymbol, Waiting } from '../model.ts';
import { outlineOf, symbolsAround } from '../queries/requests/outline.ts';
import { classifyReference } from '../syntax/classify.ts';
import { findUses } from './findUses.ts';

/** Functions that are followed for one changed file; beyond that everything that imports the file counts. */
const maxFunctions = 60;

interface UsersQuery {
  path: string;
  /** Lines that changed. */
  lines: ReadonlySet<number>;
  /** Where following ends: what uses a function there is found. */
  isEnd: (path: string) => boolean;
}

/**
 * The files in which the functions around changed lines are used in the end: those that `isEnd` names, and those that use them while they
 * are loaded. Callers are followed from function to function. `unsure` where the index cannot tell for sure: a change outside of
 * functions, methods that are overridden or called by the language itself, uses that nothing resolves.
 */
export async function usersOfChanges(
  workspace: CodeWorkspace,
  { path, lines, isEnd }: UsersQuery,
  waiting: Waiting,
): Promise<Set<string> | 'no index' | 'unsure'> {
  const server = await workspace.requireServer(path);
  await server.documents.open(path);
  const index = await server.waitUntilReady(waiting);
  if (index.state !== 'ready') return 'no index';
  const walk = new UsesWalk(workspace, server, isEnd, waiting.signal);
  for (const line of lines) if (!(await walk.begin(path, line))) return 'unsure';
  return (await walk.run()) ?? 'unsure';
}

interface Named {
  path: string;
  symbol: OutlineSymbol;
}

class UsesWalk {
  readonly #workspace: CodeWorkspace;
  readonly #server: LanguageServer;
  readonly #isEnd: (path: string) => boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #found = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #open: Named[] = [];

  constructor(
    workspace: CodeWorkspace,
    server: LanguageServer,
    isEnd: (path: string) => boolean,
    signal: AbortSignal | undefined,
  ) {
    this.#workspace = workspace;
    this.#server = server;
    this.#isEnd = isEnd;
    this.#signal = signal;
  }

  /** Whether the line belongs to a function whose uses can be followed; an empty line changes nothing. */
  async begin(path: string, line: number): Promise<boolean> {
    const text = (await this.#workspace.texts.tryGet(path))?.lineText(line);
    if (text === undefined) return false;
    if (text.trim() === '') return true;
    const around = await this.#functionAround(path, { line, column: text.search(/\S/) + 1 });
    if (around === undefined) return false;
    this.#add(path, around);
    return true;
  }

  async run(): Promise<Set<string> | undefined> {
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      if (this.#seen.size > maxFunctions) return undefined;
      if (!(await this.#follow(next))) return undefined;
    }
    return this.#found;
  }

  async #follow({ path, symbol }: Named): Promise<boolean> {
    const { start } = symbol.nameRange;
    const target = targetAt(path, start.line, { name: symbol.name, column: start.column }, []);
    const uses = await findUses(this.#workspace, this.#server, target, this.#signal);
    if (uses.unchecked > 0 || uses.overrides.length > 0) return false;
    for (const { path: file, range } of [...uses.resolved, ...uses.possible]) {
      if (file === path && range.start.line === start.line && range.start.column === start.column) continue;
      if (this.#isEnd(file)) {
        this.#found.add(file);
        continue;
      }
      // What only passes a name on is no use of it: those behind are found by themselves.
      if (await this.#isPassedOn(file, range.start)) continue;
      const around = await this.#functionAround(file, range.start);
      if (around === undefined) this.#found.add(file);
      else this.#add(file, around);
    }
    return true;
  }

  async #isPassedOn(path: string, position: Position): Promise<boolean> {
    const text = await this.#workspace.texts.tryGet(path);
    if (text === undefined) return false;
    const kind = classifyReference(extensionOf(path), text, position, { isType: false, isOnlyType: false });
    return kind === 'import' || kind === 'doc' || /^\s*export\s*\{/.test(text.lineText(position.line) ?? '');
  }

  /** The function or method at the top of a file or class that a place lies in, if it is only ever called by its name. */
  async #functionAround(path: string, position: Position): Promise<OutlineSymbol | undefined> {
    const outline = await outlineOf(this.#server, path, this.#signal);
    const around = symbolsAround(outline, position);
    const at = around.findIndex(({ kind }) => kind === 'function' || kind === 'method');
    const symbol = around[at];
    const isReachable = around.slice(0, Math.max(at, 0)).every(({ kind }) => kind === 'class' || kind === 'namespace');
    if (symbol === undefined || !isReachable || !/^[\p{L}_$][\p{L}\d_$]*$/u.test(symbol.name)) return undefined;
    // Called by the language, by a decorator, or by a framework that knows the name.
    if (/^__.*__$|^constructor$|^toString$|^toJSON$|^valueOf$/.test(symbol.name)) return undefined;
    const text = await this.#workspace.texts.tryGet(path);
    const before = text?.lineText(symbol.range.start.line - 1)?.trim() ?? '';
    const first = text?.lineText(symbol.range.start.line)?.trim() ?? '';
    return before.startsWith('@') || first.startsWith('@') ? undefined : symbol;
  }

  #add(path: string, symbol: OutlineSymbol): void {
    const key = `${path}:${symbol.nameRange.start.line}:${symbol.nameRange.start.column}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#open.push({ path, symbol });
  }
}
