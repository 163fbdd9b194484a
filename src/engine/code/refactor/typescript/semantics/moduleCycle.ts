import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type ts from 'typescript-classic';
import { isScriptFile } from '../../../../../base/languages/byPath.ts';
import { displayPath } from '../../../../../base/paths.ts';
import type { Conflict } from '../../model.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { declaresFunction, importedFrom, neededWhileLoading } from './loadCycle.ts';
import { because } from '../../refusals/refuse.ts';

type ReadText = (path: string) => string | undefined;

/** More files than this are not followed: a cycle that long is one of a whole program, which is there before and after. */
const maxFiles = 1500;

/**
 * Modules that import each other in a circle load one before another, and what that one needs of the others while it loads is not there
 * yet: a class to extend, a constant. A new import can close such a circle through any number of files. Told is what fails to load after
 * a change and did load before, whichever file of the circle is loaded first.
 */
export function moduleCycle(root: string, texts: ReadonlyMap<string, string>, before: ReadText): Conflict[] {
  const after = new ModuleGraph((path) => texts.get(path) ?? before(path));
  const known = new ModuleGraph(before);
  const entries = new Set<string>();
  for (const path of texts.keys()) {
    const had = new Set(known.loads(path));
    for (const added of after.loads(path).filter((one) => !had.has(one)))
      for (const one of circleOf(path, added)) entries.add(one);
  }
  // Two files that import each other are judged by `loadCycle`, which knows by which of them others come in.
  function circleOf(path: string, added: string): string[] {
    const circle = after.circle(path, added);
    return circle.length > 2 ? circle : [];
  }
  const broken = new Set([...entries].flatMap((entry) => known.failures(entry).map(keyOf)));
  for (const entry of entries)
    for (const failure of after.failures(entry))
      if (!broken.has(keyOf(failure)))
        return [
          {
            kind: 'meaning',
            message: because('importCircle', {
              entry: displayPath(root, entry),
              name: failure.name,
              path: displayPath(root, failure.of),
            }),
            file: failure.path,
          },
        ];
  return [];
}

interface Failure {
  /** What cannot load. */
  path: string;
  name: string;
  of: string;
}

function keyOf({ path, name, of }: Failure): string {
  return `${path}\0${name}\0${of}`;
}

class ModuleGraph {
  readonly #read: ReadText;
  readonly #sources = new Map<string, ts.SourceFile | undefined>();
  readonly #loads = new Map<string, string[]>();

  constructor(read: ReadText) {
    this.#read = read;
  }

  /** The files that a file loads, in order. What is imported as a type only is not loaded. */
  loads(path: string): string[] {
    const known = this.#loads.get(path);
    if (known !== undefined) return known;
    const source = this.#source(path);
    const found = source === undefined ? [] : this.#loadedBy(source);
    this.#loads.set(path, found);
    return found;
  }

  /** The files on a way from one that is loaded back to the file that loads it; none when there is no such way. */
  circle(from: string, loaded: string): string[] {
    const seen = new Set<string>();
    const found = new Set<string>();
    const reaches = (path: string): boolean => {
      if (path === from || found.has(path)) return true;
      if (seen.has(path) || seen.size > maxFiles) return false;
      seen.add(path);
      const leads = this.loads(path).filter((one) => reaches(one)).length > 0;
      if (leads) found.add(path);
      return leads;
    };
    return reaches(loaded) ? [from, ...found] : [];
  }

  /** What is needed too early when loading begins at a file. */
  failures(entry: string): Failure[] {
    const started = new Set<string>();
    const done = new Set<string>();
    const found: Failure[] = [];
    const load = (path: string): void => {
      if (started.has(path) || started.size > maxFiles) return;
      started.add(path);
      for (const next of this.loads(path)) load(next);
      for (const next of this.loads(path)) {
        const early = this.#neededOf(path, next, (origin) => started.has(origin) && !done.has(origin));
        if (early !== undefined) found.push({ path, ...early });
      }
      done.add(path);
    };
    load(entry);
    return found;
  }

  #neededOf(
    path: string,
    loaded: string,
    isEarly: (path: string) => boolean,
  ): { name: string; of: string } | undefined {
    const source = this.#source(path);
    if (source === undefined) return undefined;
    const names = importedFrom(source, loaded);
    const late = new Map<string, string>();
    for (const name of names) {
      const origin = this.#originOf(loaded, name, 0);
      const declared = this.#source(origin);
      if (origin !== path && isEarly(origin) && declared !== undefined && !declaresFunction(declared, name))
        late.set(name, origin);
    }
    const needed = late.size === 0 ? undefined : neededWhileLoading(source, new Set(late.keys()));
    return needed === undefined ? undefined : { name: needed, of: late.get(needed) ?? loaded };
  }

  /** The file that declares what another one passes on. */
  #originOf(path: string, name: string, depth: number): string {
    const tsc = compiler();
    const source = this.#source(path);
    if (source === undefined || depth > 8) return path;
    for (const statement of source.statements) {
      if (!tsc.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) continue;
      const next = this.#resolve(path, statement.moduleSpecifier);
      if (next === undefined) continue;
      const { exportClause } = statement;
      const isNamed =
        exportClause !== undefined &&
        tsc.isNamedExports(exportClause) &&
        exportClause.elements.some((one) => one.name.text === name);
      if (isNamed) return this.#originOf(next, name, depth + 1);
      if (exportClause === undefined && exportsName(this.#source(next), name))
        return this.#originOf(next, name, depth + 1);
    }
    return path;
  }

  #loadedBy(source: ts.SourceFile): string[] {
    const tsc = compiler();
    const found: string[] = [];
    for (const statement of source.statements) {
      const isLoading =
        (tsc.isImportDeclaration(statement) && !isOnlyTypes(statement)) ||
        (tsc.isExportDeclaration(statement) && !statement.isTypeOnly);
      const path =
        isLoading && statement.moduleSpecifier !== undefined
          ? this.#resolve(source.fileName, statement.moduleSpecifier)
          : undefined;
      if (path !== undefined && !found.includes(path)) found.push(path);
    }
    return found;
  }

  #resolve(from: string, specifier: ts.Expression): string | undefined {
    if (!compiler().isStringLiteral(specifier) || !specifier.text.startsWith('.')) return undefined;
    const plain = join(dirname(from), specifier.text);
    const stem = plain.replace(/\.([cm]?)jsx?$/, '');
    const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
    const candidates = [
      plain,
      ...extensions.map((extension) => `${stem}${extension}`),
      ...extensions.map((extension) => `${plain}${extension}`),
      ...extensions.map((extension) => join(plain, `index${extension}`)),
    ];
    return candidates.find((path) => isScriptFile(path) && this.#exists(path));
  }

  #exists(path: string): boolean {
    return this.#sources.has(path) || this.#read(path) !== undefined || (existsSync(path) && statSync(path).isFile());
  }

  #source(path: string): ts.SourceFile | undefined {
    if (!this.#sources.has(path)) {
      const text = this.#read(path) ?? compiler().sys.readFile(path);
      this.#sources.set(path, text === undefined ? undefined : parse(path, text));
    }
    return this.#sources.get(path);
  }
}

function isOnlyTypes({ importClause }: ts.ImportDeclaration): boolean {
  const tsc = compiler();
  if (importClause === undefined) return false;
  if (importClause.phaseModifier === tsc.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = importClause;
  return (
    name === undefined &&
    namedBindings !== undefined &&
    tsc.isNamedImports(namedBindings) &&
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every((one) => one.isTypeOnly)
  );
}

function exportsName(source: ts.SourceFile | undefined, name: string): boolean {
  return source !== undefined && new RegExp(`\\bexport\\b[^;]*\\b${name.replace(/\$/g, '\\$')}\\b`).test(source.text);
}
