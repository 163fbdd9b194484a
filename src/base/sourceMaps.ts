import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  allGeneratedPositionsFor,
  AnyMap,
  eachMapping,
  GREATEST_LOWER_BOUND,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
  traceSegment,
} from '@jridgewell/trace-mapping';

interface MappedPosition {
  file: string;
  line: number;
  column: number;
  /** The name the code had before it was compiled, when the map kept it. */
  name?: string;
}

interface GeneratedPosition {
  line: number;
  column: number;
}

/** One script's source map, with sources as absolute paths. Lines and columns are 1-based on both sides. */
export class ScriptMap {
  readonly #map: TraceMap;
  /** The map's own (resolved) names of sources by absolute path, and back. */
  readonly #sourceOfFile = new Map<string, string>();
  readonly #fileOfSource = new Map<string, string>();
  readonly #lines = new Map<string, readonly string[]>();

  /** `path` is where the map lies: its sources are told from there. */
  constructor(json: string, path: string, toLocalPath: (path: string) => string) {
    this.#map = AnyMap(json);
    for (const source of this.#map.resolvedSources) {
      if (source === '') continue;
      const file = toLocalPath(sourcePath(source, path));
      this.#sourceOfFile.set(file, source);
      this.#fileOfSource.set(source, file);
    }
  }

  get files(): string[] {
    return [...this.#sourceOfFile.keys()];
  }

  has(file: string): boolean {
    return this.#sourceOfFile.has(file);
  }

  toOriginal(line: number, column: number): MappedPosition | undefined {
    const wanted = { line, column: column - 1 };
    let found = originalPositionFor(this.#map, { ...wanted, bias: GREATEST_LOWER_BOUND });
    if (found.source === null) found = originalPositionFor(this.#map, { ...wanted, bias: LEAST_UPPER_BOUND });
    const file = found.source === null ? undefined : this.#fileOfSource.get(found.source);
    if (file === undefined || found.line === null) return undefined;
    return { file, line: found.line, column: found.column + 1, ...(found.name === null ? {} : { name: found.name }) };
  }

  /** Where the code of an original line went: the first line at or after it that has any, at most `reach` lines on. */
  toGenerated(
    file: string,
    line: number,
    column: number | undefined,
    reach = 40,
  ): { line: number; at: GeneratedPosition[] } | undefined {
    const source = this.#sourceOfFile.get(file);
    if (source === undefined) return undefined;
    for (let wanted = line; wanted <= line + reach; wanted++) {
      const at = this.#generatedOfLine(source, wanted, wanted === line ? column : undefined);
      if (at.length > 0) return { line: wanted, at };
    }
    return undefined;
  }

  /** Original lines of a file that have code. */
  linesWithCode(file: string): number[] {
    const source = this.#sourceOfFile.get(file);
    const lines = new Set<number>();
    eachMapping(this.#map, (mapping) => {
      if (mapping.source !== null && mapping.source === source) lines.add(mapping.originalLine);
    });
    return [...lines].toSorted((a, b) => a - b);
  }

  /** Whether the compiler kept any names that it changed. */
  get hasNames(): boolean {
    return this.#map.names.length > 0;
  }

  /** The name that the identifier at exactly this generated position had in the source. */
  originalName(line: number, column: number): string | undefined {
    const segment = traceSegment(this.#map, line - 1, column - 1);
    if (segment?.length !== 5 || segment[0] !== column - 1) return undefined;
    return this.#map.names[segment[4]];
  }

  /** The identifier that stands in the source where the code at exactly this generated position came from, and what follows it. */
  wordBehind(line: number, column: number): { file: string; word: string; after: string } | undefined {
    const segment = traceSegment(this.#map, line - 1, column - 1);
    if (segment === null || segment.length === 1 || segment[0] !== column - 1) return undefined;
    const source = this.#map.resolvedSources[segment[1]] ?? '';
    const file = this.#fileOfSource.get(source);
    if (file === undefined) return undefined;
    let lines = this.#lines.get(file);
    if (lines === undefined) this.#lines.set(file, (lines = this.content(file)?.split(/\r?\n/) ?? []));
    const text = lines[segment[2]]?.slice(segment[3]) ?? '';
    const word = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(text)?.[0];
    return word === undefined ? undefined : { file, word, after: text.slice(word.length) };
  }

  content(file: string): string | undefined {
    const source = this.#sourceOfFile.get(file);
    return source === undefined ? undefined : (sourceContentFor(this.#map, source) ?? undefined);
  }

  #generatedOfLine(source: string, line: number, column: number | undefined): GeneratedPosition[] {
    const found = allGeneratedPositionsFor(this.#map, {
      source,
      line,
      column: column === undefined ? 0 : column - 1,
      bias: LEAST_UPPER_BOUND,
    });
    return found.flatMap((position) =>
      position.line === null ? [] : [{ line: position.line, column: position.column + 1 }],
    );
  }
}

/** Reads the map a script names: inline, or a file beside it. Undefined when there is none to read. */
export async function loadScriptMap(
  sourceMapUrl: string,
  generatedPath: string,
  toLocalPath: (path: string) => string,
): Promise<ScriptMap | undefined> {
  try {
    const { path, json } = await readMap(sourceMapUrl, generatedPath);
    return new ScriptMap(json, path, toLocalPath);
  } catch {
    // A map that cannot be read or understood is no map: positions stay those of the generated file.
    return undefined;
  }
}

/** The last source map that a script's text names. */
export function sourceMapUrlOf(content: string): string | undefined {
  const last = content.lastIndexOf('sourceMappingURL=');
  return last < 3 ? undefined : /^[#@]\s*sourceMappingURL=(\S+)/.exec(content.slice(last - 2, last + maxUrlChars))?.[1];
}

/** The file a map's URL means; undefined for a map inside the script, or somewhere on the network. */
export function mapPathOf(url: string, generatedPath: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]+:/i.test(url) && !url.startsWith('file:')) return undefined;
  return url.startsWith('file:') ? fileURLToPath(url) : resolve(dirname(generatedPath), decodeURI(url));
}

const maxUrlChars = 100_000_000;

async function readMap(url: string, generatedPath: string): Promise<{ path: string; json: string }> {
  const inline = /^data:[^,]*?(;base64)?,/.exec(url);
  if (inline !== null) {
    const body = url.slice(inline[0].length);
    const json = inline[1] === undefined ? decodeURIComponent(body) : Buffer.from(body, 'base64').toString('utf8');
    return { path: generatedPath, json };
  }
  const path = mapPathOf(url, generatedPath);
  if (path === undefined) throw new Error(`${url} is not a file`);
  const text = await readFile(path, 'utf8');
  return { path, json: text.startsWith(")]}'") ? text.slice(text.indexOf('\n') + 1) : text };
}

function sourcePath(source: string, mapPath: string): string {
  if (source.startsWith('file:')) return fileURLToPath(source);
  const bundled = /^(?:webpack|vite|turbopack|rollup):\/\/[^/]*\//.exec(source)?.[0];
  if (bundled === undefined) return resolve(dirname(mapPath), source.replace(/\?.*$/, ''));
  // Such names start at the folder the bundler ran in, which the map does not tell: the first around it that fits.
  const plain = source.slice(bundled.length).replace(/\?.*$/, '');
  for (let folder = dirname(mapPath); folder !== dirname(folder); folder = dirname(folder)) {
    const path = resolve(folder, plain);
    if (existsSync(path)) return path;
  }
  return resolve(dirname(mapPath), plain);
}
