import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isInside, uriToPath } from '../../../../base/paths.ts';
import { loadScriptMap, ScriptMap, sourceMapUrlOf } from '../../../../base/sourceMaps.ts';
import { mergeCoverage, type NamedCoverage } from '../model.ts';
import { statementStarts, type StatementStart } from './statements.ts';
import { V8Ranges } from './v8Ranges.ts';
import { numbersIn, recordsIn } from './values.ts';
import { isRecord } from '../../../../base/text/records.ts';

/**
 * What Node leaves in the folder that NODE_V8_COVERAGE names, one file for each process, and what our provider for vitest writes
 * there. V8 counts ranges of the code that ran; lines are told by where the statements of the source begin.
 */
export async function readV8(folder: string, root: string): Promise<NamedCoverage[]> {
  const reader = new V8Reader(root);
  const found: NamedCoverage[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.json')) continue;
    // A process that was killed while it wrote has left half a file: the others still count.
    const report = parsed(await readFile(join(folder, name), 'utf8'));
    if (report === undefined) continue;
    const maps = isRecord(report['source-map-cache']) ? report['source-map-cache'] : {};
    for (const script of recordsIn(report['result'])) found.push(...(await reader.linesOf(script, maps)));
  }
  return mergeCoverage(found);
}

class V8Reader {
  readonly #root: string;
  readonly #sources = new Map<string, readonly StatementStart[]>();

  constructor(root: string) {
    this.#root = root;
  }

  async linesOf(script: Record<string, unknown>, maps: Record<string, unknown>): Promise<NamedCoverage[]> {
    const { url, functions } = script;
    const path = typeof url === 'string' ? localPath(url) : undefined;
    if (typeof url !== 'string' || path === undefined || !this.#isOwn(path)) return [];
    const ranges = new V8Ranges(functions);
    const generated = await this.#generated(script, maps[url], path);
    if (generated === undefined) {
      const shift = typeof script['codeStart'] === 'number' ? script['codeStart'] : 0;
      return [{ name: path, lines: await this.#plainLines(path, ranges, shift) }];
    }
    const { map, offsetOf } = generated;
    const files = map.files.filter((file) => this.#isOwn(file));
    return Promise.all(
      files.map(async (file) => {
        const lines = new Map<number, number>();
        for (const { line, column } of await this.#statements(file, map.content(file))) {
          const places = map.toGenerated(file, line, column, 0)?.at ?? [];
          if (places.length === 0) continue;
          const count = Math.max(...places.map((place) => ranges.at(offsetOf(place.line, place.column))));
          lines.set(line, Math.max(lines.get(line) ?? 0, count));
        }
        return { name: file, lines };
      }),
    );
  }

  async #plainLines(path: string, ranges: V8Ranges, shift: number): Promise<Map<number, number>> {
    const lines = new Map<number, number>();
    for (const { line, offset } of await this.#statements(path))
      lines.set(line, Math.max(lines.get(line) ?? 0, ranges.at(offset + shift)));
    return lines;
  }

  /** The map of a script that was compiled before it ran, and where its lines lie in what V8 saw. */
  async #generated(
    script: Record<string, unknown>,
    cached: unknown,
    path: string,
  ): Promise<{ map: ScriptMap; offsetOf: (line: number, column: number) => number } | undefined> {
    const { source, codeStart } = script;
    if (typeof source === 'string') {
      const mapUrl = sourceMapUrlOf(source);
      const map = mapUrl === undefined ? undefined : await loadScriptMap(mapUrl, path, (each) => each);
      const before = typeof codeStart === 'number' ? codeStart : 0;
      return map === undefined ? undefined : { map, offsetOf: offsets(lengthsOf(source.slice(before)), before) };
    }
    if (!isRecord(cached) || !isRecord(cached['data'])) return undefined;
    const map = scriptMap(cached['data'], path);
    return map === undefined ? undefined : { map, offsetOf: offsets(numbersIn(cached['lineLengths']), 0) };
  }

  async #statements(path: string, content?: string): Promise<readonly StatementStart[]> {
    const known = this.#sources.get(path);
    if (known !== undefined) return known;
    const text = await readFile(path, 'utf8').catch(() => content ?? '');
    const found = statementStarts(text.replace(/^\uFEFF/, ''), path);
    this.#sources.set(path, found);
    return found;
  }

  #isOwn(path: string): boolean {
    return isInside(this.#root, path) && !path.includes('/node_modules/') && isAbsolute(path);
  }
}

function scriptMap(data: Record<string, unknown>, path: string): ScriptMap | undefined {
  try {
    return new ScriptMap(JSON.stringify(data), path, (each) => each);
  } catch {
    return undefined;
  }
}

/** V8 counts in UTF-16 units from the beginning; Node tells the length of each line without its end. */
function offsets(lengths: readonly number[], before: number): (line: number, column: number) => number {
  const starts = [before];
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length + 1);
  return (line, column) => (starts[line - 1] ?? Number.POSITIVE_INFINITY) + column - 1;
}

function lengthsOf(text: string): number[] {
  return text.split('\n').map(({ length }) => length);
}

function localPath(url: string): string | undefined {
  const path = isAbsolute(url) ? url : uriToPath(url.replace(/[?#].*$/, ''));
  return path?.replace(/\?.*$/, '');
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
