import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { RecorderOrders } from '../../../../ask/model.ts';
import { isInFocus, wantsFunction } from './focus.ts';
import { openMark } from './insertions.ts';
import { instrument } from './instrument.ts';
import type { CodeForm, Place, WriteWishes } from './wishes.ts';
import type { FileSites, SiteNumbers } from './sites.ts';
import { watchedPath } from './writeNotes.ts';

/** Rewrites the code of files in the focus as it is loaded. Files on disk are only read. */
export class Rewriting {
  readonly #orders: RecorderOrders;
  readonly #numbers: SiteNumbers;
  readonly #onSites: (sites: FileSites) => void;
  readonly #onProblem: (file: string, reason: string) => void;
  readonly #known = new Map<string, { code: string; form: CodeForm; result: string }>();

  constructor(
    orders: RecorderOrders,
    numbers: SiteNumbers,
    onSites: (sites: FileSites) => void,
    onProblem: (file: string, reason: string) => void,
  ) {
    this.#orders = orders;
    this.#numbers = numbers;
    this.#onSites = onSites;
    this.#onProblem = onProblem;
  }

  /** The code to run instead; the same text when nothing in it is wanted. Never throws. */
  rewrite(code: string, file: string, form: CodeForm): string {
    try {
      if (file === '' || code.includes(openMark)) return code;
      // Test runners load the same module once for each file of tests.
      const known = this.#known.get(file);
      if (known?.code === code && known.form === form) return known.result;
      const result = this.#rewritten(code, pathOf(file), form);
      this.#known.set(file, { code, form, result });
      return result;
    } catch (error) {
      this.#onProblem(file, String(error));
      return code;
    }
  }

  #rewritten(code: string, path: string, form: CodeForm): string {
    const map = mayBeInFocus(this.#orders, path, code) ? mapOf(code, path) : undefined;
    const files = map?.files ?? [path];
    if (!files.some((each) => isInFocus(this.#orders, each))) return code;
    return this.#instrumented(/\.[mc]?ts$/.test(path) ? withoutTypes(code) : code, path, map, form) ?? code;
  }

  #instrumented(code: string, path: string, map: CodeMap | undefined, form: CodeForm): string | undefined {
    const made = instrument(code, {
      placeOf: (line, column) => {
        const place = map === undefined ? { file: path, line } : map.placeOf(line, column);
        return place !== undefined && isInFocus(this.#orders, place.file) ? place : undefined;
      },
      numbers: this.#numbers,
      wantsFunction: (name) => wantsFunction(this.#orders, name),
      writes: writeWishes(this.#orders),
      probes: this.#orders.probes,
      countsLines: this.#orders.record === 'lines',
      form,
    });
    if (made === undefined) {
      this.#onProblem(path, 'its code could not be read');
      return undefined;
    }
    this.#onSites(made.sites);
    return made.code;
  }
}

/** Newer Nodes run TypeScript by blanking its types out; they do so after this, and find nothing left to do. */
function withoutTypes(code: string): string {
  const strip: unknown = Reflect.get(Module, 'stripTypeScriptTypes');
  if (typeof strip !== 'function') return code;
  const emitWarning: unknown = Reflect.get(process, 'emitWarning');
  try {
    // That it is new is no news to the program.
    process.emitWarning = () => undefined;
    return String(Reflect.apply(strip, Module, [code]));
  } catch {
    return code;
  } finally {
    Reflect.set(process, 'emitWarning', emitWarning);
  }
}

function writeWishes({ allWrites, watches }: RecorderOrders): WriteWishes {
  const names = new Set(watches.map((watch) => watchedPath(watch).last));
  return { mode: allWrites ? 'all' : names.size > 0 ? 'watched' : 'none', names };
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file.replace(/[?#].*$/, '')) : file.replace(/\?.*$/, '');
}

/** Compiled code lies elsewhere than its source: any code with a map, outside of packages, may be of the focus. */
function mayBeInFocus(orders: RecorderOrders, path: string, code: string): boolean {
  if (!code.includes('sourceMappingURL=')) return false;
  return isInFocus(orders, path) || !/[\\/]node_modules[\\/]/.test(path);
}

interface CodeMap {
  files: string[];
  placeOf(line: number, column: number): Place | undefined;
}

/** The last map that the code names: inside it, or a file beside it. */
function mapOf(code: string, path: string): CodeMap | undefined {
  const at = code.lastIndexOf('sourceMappingURL=');
  const url = /^sourceMappingURL=([^\s'"`]+)/.exec(code.slice(at, at + 50_000_000))?.[1];
  if (url === undefined) return undefined;
  const inline = /^data:[^,]*?(;base64)?,/.exec(url);
  let json: string;
  let from = path;
  try {
    if (inline !== null) {
      const body = url.slice(inline[0].length);
      json = inline[1] === undefined ? decodeURIComponent(body) : Buffer.from(body, 'base64').toString('utf8');
    } else {
      from = url.startsWith('file:') ? fileURLToPath(url) : resolve(dirname(path), decodeURI(url));
      json = readFileSync(from, 'utf8');
    }
    return codeMap(new TraceMap(json), from);
  } catch {
    return undefined;
  }
}

function codeMap(map: TraceMap, from: string): CodeMap {
  const fileOf = (source: string) =>
    source.startsWith('file:') ? fileURLToPath(source) : resolve(dirname(from), source);
  const files = new Map(map.resolvedSources.map((source) => [source, fileOf(source)]));
  return {
    files: [...files.values()],
    placeOf: (line, column) => {
      const found = originalPositionFor(map, { line, column: column - 1 });
      const file = found.source === null ? undefined : files.get(found.source);
      return file === undefined || found.line === null ? undefined : { file, line: found.line };
    },
  };
}
