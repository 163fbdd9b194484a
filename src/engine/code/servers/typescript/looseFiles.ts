import { isJavascriptFile } from '../../../../base/languages/byPath.ts';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Fewer are opened one by one: a configuration of their own would gain nothing. */
const minLooseFiles = 20;

/** Where the server is shown the made-up configuration: the name it looks for in the folder above all loose files. */
export function looseConfigPath(root: string): string | undefined {
  const path = join(root, 'jsconfig.json');
  return existsSync(path) ? undefined : path;
}

/**
 * One configuration over files that belong to none, with what the server assumes for such files anyway. A loose file that is opened as
 * its own makes the server build a program for it: a thousand of them take half a minute, one program over all of them a second or two.
 */
export function looseConfig(root: string, files: Iterable<string>): string | undefined {
  const listed = [...files].map((path) => relative(root, path).split(sep).join('/')).sort();
  if (listed.length < minLooseFiles) return undefined;
  return JSON.stringify({ compilerOptions: assumedOptions, files: listed });
}

const assumedOptions = {
  allowJs: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'esnext',
  jsx: 'react-jsx',
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  strictNullChecks: true,
  strictFunctionTypes: true,
  noEmit: true,
};

/**
 * Those of the files that surely belong to no configuration: there is none in the folders above, or the file is JavaScript and none of
 * them can mean JavaScript. Known before the server is asked, which answers that slowly, one file at a time.
 */
export function surelyLooseFiles(root: string, files: readonly string[], configs: readonly string[]): string[] {
  const reach = new Map<string, Reach>();
  for (const path of [...configs, ...configsAbove(root)]) {
    const folder = dirname(path);
    reach.set(folder, mayMeanJavaScript(path) ? 'all' : (reach.get(folder) ?? 'typescript'));
  }
  const reachOf = (folder: string): Reach => {
    const known = reach.get(folder);
    if (known === 'all') return known;
    const above = dirname(folder) === folder ? 'none' : reachOf(dirname(folder));
    const found = above === 'none' ? (known ?? above) : above;
    reach.set(folder, found);
    return found;
  };
  return files.filter((path) => {
    const found = reachOf(dirname(path));
    return found === 'none' || (found === 'typescript' && isJavaScript(path));
  });
}

/** What the configurations of a folder and those above it may include. */
type Reach = 'none' | 'typescript' | 'all';

export function isConfigFile(path: string): boolean {
  return /^[tj]sconfig\b.*\.json$/.test(basename(path));
}

function configsAbove(root: string): string[] {
  const found: string[] = [];
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    found.push(
      ...['tsconfig.json', 'jsconfig.json'].map((name) => join(folder, name)).filter((one) => existsSync(one)),
    );
    if (dirname(folder) === folder) return found;
  }
}

/** What it extends from a package is not looked at: it may say anything. */
function mayMeanJavaScript(path: string): boolean {
  if (basename(path).startsWith('jsconfig')) return true;
  try {
    return /"(allowJs|checkJs)"|"extends"\s*:\s*(\[[^\]]*)?"[^./"]/.test(readFileSync(path, 'utf8'));
  } catch {
    return true;
  }
}

function isJavaScript(path: string): boolean {
  return isJavascriptFile(path);
}
