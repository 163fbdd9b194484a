import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { isInside } from '../../../../../base/paths.ts';
import { ripgrepRecords, type SearchedProject } from '../../../../workspace/ripgrep.ts';
import { sourceFilters } from '../../../sourceFiles.ts';
import { sourceExtensions } from '../syntax/compiler.ts';

/** Whatever may be the path of another file, and whatever is imported by a name. */
const relativeText = String.raw`['"\x60](\.\.?(?:/[^'"\x60\n]*)?)['"\x60]`;
const importedName = String.raw`(?:from|import|require\(|import\(|module|types=|path=)\s*['"]([^.'"\n][^'"\n]*)['"]`;

/**
 * Of these files those that can see something of the changed ones: they import one of them, or a file that does. Undefined when that
 * cannot be told: something is imported by a name that may lead to a file of the project.
 */
export async function importersOf(
  project: SearchedProject,
  changed: readonly string[],
  files: readonly string[],
  signal?: AbortSignal,
): Promise<string[] | undefined> {
  const search = ['--null', '--no-heading', '--no-line-number', '--only-matching', '--replace', '$1$2'];
  const pattern = `${relativeText}|${importedName}`;
  const records = await ripgrepRecords(project, {
    args: [...search, ...sourceFilters(sourceExtensions), '-e', pattern, project.root],
    separator: '\n',
    signal,
  });
  const names = await OwnNames.of(project, signal);
  const known = new Map(files.map((file) => [stem(file), file]));
  const importers = new Map<string, Set<string>>();
  for (const record of records) {
    const [path = '', specifier = ''] = record.split('\0');
    if (!specifier.startsWith('.')) {
      if (names.mayMean(specifier, path)) return undefined;
      continue;
    }
    const target = stem(join(dirname(path), specifier));
    for (const file of [known.get(target), known.get(join(target, 'index'))])
      if (file !== undefined) importers.set(file, (importers.get(file) ?? new Set()).add(path));
  }
  return reached(changed, importers);
}

function reached(changed: readonly string[], importers: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const seen = new Set(changed);
  for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer);
  return [...seen];
}

function stem(path: string): string {
  return path.replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
}

/** The names by which files of a project can be imported: its packages', and those that a configuration makes up. */
class OwnNames {
  readonly #root: string;
  readonly #packages = new Set<string>();
  #hasAliases = false;

  private constructor(root: string) {
    this.#root = root;
  }

  static async of(project: SearchedProject, signal?: AbortSignal): Promise<OwnNames> {
    const globs = ['package.json', 'tsconfig*.json', 'jsconfig*.json', '!**/node_modules/**'];
    const args = ['--files', '--hidden', '--null', ...globs.flatMap((glob) => ['--glob', glob]), project.root];
    const names = new OwnNames(project.root);
    for (const path of await ripgrepRecords(project, { args, separator: '\0', signal })) {
      const text = await readFile(path, 'utf8').catch(() => '');
      if (!path.endsWith('package.json')) names.#hasAliases ||= /"(?:paths|baseUrl|rootDirs)"\s*:/.test(text);
      else for (const [, name = ''] of text.matchAll(/"name"\s*:\s*"([^"]+)"/g)) names.#packages.add(name);
    }
    return names;
  }

  mayMean(specifier: string, importer: string): boolean {
    if (specifier.startsWith('#')) return true;
    const parts = specifier.split('/');
    const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
    if (this.#packages.has(name)) return true;
    return this.#hasAliases && !isBuiltin(specifier) && !this.#isInstalled(name, importer);
  }

  #isInstalled(name: string, importer: string): boolean {
    for (let folder = dirname(importer); isInside(this.#root, folder); folder = dirname(folder))
      if (existsSync(join(folder, 'node_modules', name))) return true;
    return false;
  }
}
