import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { displayPath, isInside } from '../../../../../base/paths.ts';
import { listSourceFiles, type WordPlace } from '../../../sourceFiles.ts';
import type { RefactorWaiting } from '../../model.ts';
import type { RenameBackend } from '../servers/backend.ts';
import { sourceExtensions } from '../syntax/compiler.ts';
import { refuse } from '../../refusals/refuse.ts';
import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

const declarationPattern = /\.d\.([cm]?)ts$/;
const maxAskedPerFile = 4;
const maxAsked = 32;

/** What is declared in a file that a build makes, or beside the JavaScript it describes, cannot change there alone. */
export async function checkDeclarations(
  backend: RenameBackend,
  name: string,
  paths: readonly string[],
  waiting: RefactorWaiting,
): Promise<void> {
  const declaring = [...new Set(paths)].filter((path) => declarationPattern.test(path));
  if (declaring.length === 0) return;
  const sources = new Set(await listSourceFiles(backend.project, sourceExtensions, waiting.signal));
  for (const path of declaring) {
    const shown = displayPath(backend.project.root, path);
    if (path.includes('/node_modules/')) throw refuse('declaredInLibrary', { name, path: shown });
    if (!sources.has(path)) throw refuse('declaredInBuilt', { name, path: shown });
    const script = await scriptBeside(path, name);
    if (script !== undefined)
      throw refuse('scriptWouldNotFollow', { name, path: shown, script: displayPath(backend.project.root, script) });
  }
}

/** The JavaScript file that a declaration file describes, when the name stands in it. */
async function scriptBeside(path: string, name: string): Promise<string | undefined> {
  const kind = declarationPattern.exec(path)?.[1] ?? '';
  const stem = path.replace(declarationPattern, '');
  const word = new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`);
  for (const script of [`${stem}.${kind}js`, `${stem}.jsx`]) {
    const text = await readFile(script, 'utf8').catch(() => undefined);
    if (text !== undefined && word.test(text)) return script;
  }
  return undefined;
}

interface BuiltUse extends WordPlace {
  /** The built file that it is known by there. */
  through: string;
}

/**
 * Uses in other packages of the project that know a package only by what was built of it: no server finds them from its sources, and
 * they fail once it is built again.
 */
export async function usesOfBuilt(
  backend: RenameBackend,
  declared: readonly string[],
  mentions: readonly WordPlace[],
  waiting: RefactorWaiting,
): Promise<BuiltUse[]> {
  const folders = new PackageFolders(backend.project.root);
  const own = new Map<string, RegExp>();
  const packages = new Set(declared.map((path) => folders.of(path)));
  for (const folder of packages) {
    const name = folder === undefined ? undefined : await nameOf(folder);
    if (folder !== undefined && name !== undefined) own.set(folder, importOf(name));
  }
  const found: BuiltUse[] = [];
  const asked = new Map<string, number>();
  for (const mention of own.size === 0 ? [] : mentions) {
    const { path, range } = mention;
    const count = asked.get(path) ?? 0;
    if (count >= maxAskedPerFile || (count === 0 && asked.size >= maxAsked)) continue;
    const folder = folders.of(path);
    if (folder !== undefined && own.has(folder)) continue;
    const { text } = await backend.text(path);
    const imported = [...own].filter(([, pattern]) => pattern.test(text)).map(([one]) => one);
    if (imported.length === 0) continue;
    asked.set(path, count + 1);
    const meant = await backend.definitions(path, range.start, waiting);
    const built = meant.find(
      (one) => declarationPattern.test(one.path) && imported.some((own) => isOfPackage(own, one.path)),
    );
    if (built !== undefined) found.push({ ...mention, through: built.path });
  }
  return found;
}

/** What is installed into a package's folder is another package. */
function isOfPackage(folder: string, path: string): boolean {
  return isInside(folder, path) && !path.slice(folder.length).includes('/node_modules/');
}

function importOf(name: string): RegExp {
  return new RegExp(`['"]${escapeRegExp(name)}(?:/[^'"]*)?['"]`);
}

async function nameOf(folder: string): Promise<string | undefined> {
  try {
    const { name } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    // A package.json that cannot be read names no package.
    return undefined;
  }
}

/** The folder of the package that a file belongs to, looked up once per folder. */
class PackageFolders {
  readonly #root: string;
  readonly #known = new Map<string, string | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  of(path: string): string | undefined {
    return this.#around(dirname(path));
  }

  #around(folder: string): string | undefined {
    if (!this.#known.has(folder)) this.#known.set(folder, this.#look(folder));
    return this.#known.get(folder);
  }

  #look(folder: string): string | undefined {
    if (!isInside(this.#root, folder)) return undefined;
    if (existsSync(join(folder, 'package.json'))) return folder;
    return folder === this.#root ? undefined : this.#around(dirname(folder));
  }
}
