import { dirname, extname, join } from 'node:path';
import {
  isDeclarationFile,
  isPythonFile,
  javascriptEnding,
  scriptEnding,
  scriptExtensions,
} from '../../../base/languages/byPath.ts';
import { readText } from '../testRunners/packages.ts';
import { escapeRegExp } from '../../../base/text/escapeRegExp.ts';

const importable = ['.json', '.vue', '.svelte'];
const importedEndings = ['', ...scriptExtensions, ...importable];
const maxChars = 400_000;

/**
 * Which files of a project need which, by what they import. Told from the text: a name that cannot be resolved counts for every file it
 * may mean, so that rather too much depends on a file than too little.
 */
export class ImportGraph {
  /** From a file to those that import it. */
  readonly #importers = new Map<string, Set<string>>();
  readonly #files: ReadonlySet<string>;
  /** By the last part of the path without its extension. */
  readonly #byName = new Map<string, string[]>();
  /** Names of the packages in the project. */
  readonly #packages = new Map<string, string>();

  private constructor(files: readonly string[]) {
    this.#files = new Set(files);
    for (const file of files) {
      const name = baseName(file);
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), file]);
    }
  }

  /** `gone`: files that are no longer there but may still be imported. */
  static async read(files: readonly string[], gone: readonly string[]): Promise<ImportGraph> {
    const sources = [...files, ...gone].filter(isSource);
    const graph = new ImportGraph(sources);
    for (const file of files) if (file.endsWith('/package.json')) graph.#addPackage(file);
    let count = 0;
    for (const file of sources) {
      graph.#readFile(file);
      // Many files are read in parts, with room for other calls in between.
      if (++count % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return graph;
  }

  /** The files and all that import them, directly or by others. */
  reachedFrom(files: readonly string[]): Set<string> {
    const reached = new Set(files);
    const open = [...files];
    for (let file = open.pop(); file !== undefined; file = open.pop())
      for (const importer of this.#importers.get(file) ?? [])
        if (!reached.has(importer)) {
          reached.add(importer);
          open.push(importer);
        }
    return reached;
  }

  #addPackage(file: string): void {
    const name = /"name"\s*:\s*"([^"]+)"/.exec(readText(file) ?? '')?.[1];
    if (name !== undefined) this.#packages.set(name, dirname(file));
  }

  #readFile(file: string): void {
    if (file.endsWith('.json')) return;
    const text = (readText(file) ?? '').slice(0, maxChars);
    const imported = isPythonFile(file) ? this.#pythonImports(file, text) : this.#scriptImports(file, text);
    for (const target of imported) {
      const importers = this.#importers.get(target) ?? new Set();
      importers.add(file);
      this.#importers.set(target, importers);
    }
  }

  #scriptImports(file: string, text: string): string[] {
    const pattern =
      /(?:\bfrom|\bimport|\b(?:require|import|mock|doMock|importActual|requireActual|URL)\s*\()\s*['"`]([^'"`\n]+)['"`]/g;
    return [...text.matchAll(pattern)].flatMap(([, name = '']) => this.#resolveScript(file, name.replace(/\?.*$/, '')));
  }

  #resolveScript(file: string, name: string): string[] {
    if (name.startsWith('.')) return this.#withExtension(join(dirname(file), name));
    const owner = [...this.#packages.keys()].find((each) => name === each || name.startsWith(`${each}/`));
    if (owner !== undefined) {
      const folder = this.#packages.get(owner) ?? '';
      return [...this.#files].filter((each) => each.startsWith(`${folder}/`) && !each.endsWith('.json'));
    }
    // `@/lib/x`, `~/x`, `#x`: an alias of the project's own, whose end is a path.
    const alias = /^(?:@|~|#)\/?(.+)$/.exec(name)?.[1];
    if (alias === undefined || !name.includes('/')) return [];
    const end = alias.replace(scriptEnding, '');
    return (this.#byName.get(baseName(end)) ?? []).filter((each) =>
      new RegExp(`/${escapeRegExp(end)}(?:/index)?\\.[^./]+$`).test(each),
    );
  }

  #withExtension(path: string): string[] {
    const bare = path.replace(javascriptEnding, '');
    const candidates = [path, bare, join(path, 'index')].flatMap((each) => importedEndings.map((end) => each + end));
    return [...new Set(candidates)].filter((each) => this.#files.has(each));
  }

  #pythonImports(file: string, text: string): string[] {
    const found: string[] = [];
    for (const [, from, names = '', plain = ''] of text.matchAll(
      /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#]+))/gm,
    )) {
      if (from === undefined) {
        for (const each of plain.split(',')) found.push(...this.#pythonModule(file, each.trim().split(/\s/)[0] ?? ''));
        continue;
      }
      found.push(...this.#pythonModule(file, from));
      for (const each of names.replaceAll(/[()]/g, '').split(','))
        found.push(
          ...this.#pythonModule(file, `${from.endsWith('.') ? from : `${from}.`}${each.trim().split(/\s/)[0] ?? ''}`),
        );
    }
    // What pytest loads for every test below.
    for (let folder = dirname(file); folder.length > 1; folder = dirname(folder)) {
      const shared = join(folder, 'conftest.py');
      if (shared !== file && this.#files.has(shared)) found.push(shared);
    }
    return found;
  }

  #pythonModule(file: string, module: string): string[] {
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const path = module.slice(dots).replaceAll('.', '/');
    if (path === '' && dots === 0) return [];
    if (dots > 0) {
      const base = join(dirname(file), ...Array.from({ length: dots - 1 }, () => '..'), path);
      return [`${base}.py`, join(base, '__init__.py')].filter((each) => this.#files.has(each));
    }
    const last = path.slice(path.lastIndexOf('/') + 1);
    const found = [...(this.#byName.get(last) ?? []), ...(this.#byName.get('__init__') ?? [])].filter(
      (each) => each.endsWith(`/${path}.py`) || each.endsWith(`/${path}/__init__.py`),
    );
    // What lies beside the file is found before anything of the same name elsewhere.
    const beside = found.filter((each) => each.startsWith(`${join(dirname(file), path)}`));
    return beside.length > 0 ? beside : found;
  }
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}

function isSource(file: string): boolean {
  if (isPythonFile(file)) return !isDeclarationFile(file);
  return scriptEnding.test(file) || importable.includes(extname(file));
}
