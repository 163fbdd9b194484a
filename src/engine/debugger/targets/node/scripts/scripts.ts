import { fileURLToPath } from 'node:url';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { SourceLocation } from '../../../model.ts';
import { maxParsedChars } from './originalNames.ts';
import { loadScriptMap, type ScriptMap } from '../../../../../base/sourceMaps.ts';
import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

/** A piece of code V8 has compiled. */
export class Script {
  readonly id: string;
  readonly url: string;
  /** The file it was compiled from or pretends to be; undefined for `node:` modules and evaluations. */
  readonly path: string | undefined;
  readonly sourceMapUrl: string | undefined;
  readonly length: number;
  readonly lastLine: number;
  #map: Promise<ScriptMap | undefined> | undefined;
  #loadedMap: ScriptMap | undefined;
  readonly #toLocalPath: (path: string) => string;

  constructor(event: Protocol.Debugger.ScriptParsedEvent, toLocalPath: (path: string) => string) {
    this.id = event.scriptId;
    this.url = event.url;
    const path = pathOfUrl(event.url);
    this.path = path === undefined ? undefined : toLocalPath(path);
    this.sourceMapUrl = event.sourceMapURL === undefined || event.sourceMapURL === '' ? undefined : event.sourceMapURL;
    this.length = event.length ?? 0;
    this.lastLine = event.endLine;
    this.#toLocalPath = toLocalPath;
  }

  /** Whether it names a source map. */
  get isMapped(): boolean {
    return this.sourceMapUrl !== undefined && this.path !== undefined;
  }

  /** Its source map, read once. */
  async map(): Promise<ScriptMap | undefined> {
    if (this.sourceMapUrl === undefined || this.path === undefined) return undefined;
    this.#map ??= loadScriptMap(this.sourceMapUrl, this.path, this.#toLocalPath);
    this.#loadedMap = await this.#map;
    return this.#loadedMap;
  }

  /** Whether its variables have the names of the compiled code though the map knows others: it is too large to be read for them. */
  get keepsCompiledNames(): boolean {
    return this.#loadedMap?.hasNames === true && this.length > maxParsedChars;
  }

  get isLibrary(): boolean {
    return this.path === undefined || isLibraryPath(this.path);
  }

  /** Where a position of V8 (0-based) lies for the user. The map must have been loaded. */
  locate(line: number, column: number): SourceLocation | undefined {
    const mapped = this.#loadedMap?.toOriginal(line + 1, column + 1);
    if (mapped !== undefined) return { file: mapped.file, line: mapped.line, column: mapped.column };
    return this.path === undefined ? undefined : { file: this.path, line: line + 1, column: column + 1 };
  }

  /** Whether the position is code that the compiler added and no one wrote. */
  isUnmapped(line: number, column: number): boolean {
    return this.#loadedMap !== undefined && this.#loadedMap.toOriginal(line + 1, column + 1) === undefined;
  }
}

export function pathOfUrl(url: string): string | undefined {
  const plain = url.replace(/[?#].*$/, '');
  if (plain.startsWith('file:')) {
    try {
      return fileURLToPath(plain);
    } catch {
      return undefined;
    }
  }
  return plain.startsWith('/') ? plain : undefined;
}

export function isPreload(path: string | undefined): boolean {
  return /[\\/]sightline-debug-[^\\/]+[\\/]preload\.cjs$/.test(path ?? '');
}

export function isLibraryPath(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path) || isPreload(path);
}

/** Matches the URLs under which V8 may know a file: `file:` URL or bare path, with or without a query. */
export function urlRegexOfPath(path: string): string {
  const url = new URL('file:///');
  url.pathname = path;
  const forms = [...new Set([url.href, `file://${path}`, path])].map((form) => escapeRegExp(form));
  return `^(?:${forms.join('|')})(?:[?#].*)?$`;
}
