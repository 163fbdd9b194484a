import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import { asRecord, parseJsonObject } from '../runConfigs/projectText.ts';
import type { Evidence, PackageFolder, TestFile } from './model.ts';
import { scriptCall } from './scriptCall.ts';

export function testFile(path: string, root: string): TestFile {
  const folders: PackageFolder[] = [];
  for (let folder = dirname(path); isInside(root, folder); folder = dirname(folder)) {
    folders.push(packageFolder(folder));
    if (folder === root) break;
  }
  return { path, text: readText(path) ?? '', root, folders };
}

export function packageFolder(path: string): PackageFolder {
  const text = readText(join(path, 'package.json'));
  const manifest = text === undefined ? undefined : parseJsonObject(text, 'package.json').value;
  const scripts = Object.entries(asRecord(manifest?.['scripts']) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    path,
    scripts: Object.fromEntries(scripts),
    files: namesIn(path),
    ...(manifest === undefined ? {} : { manifest }),
  };
}

/** The innermost folder with a package.json. */
export function packageRoot(file: TestFile): string {
  return file.folders.find(({ manifest }) => manifest !== undefined)?.path ?? file.root;
}

interface Signs {
  /** The packages, besides its own, that a file of tests for this runner imports. */
  imports?: readonly string[];
  /** What else only a file for this runner says. */
  speech?: RegExp;
  /** Names of its configuration files. */
  configuration: RegExp;
  /** Its key in package.json. */
  key?: string;
  /** How scripts call it. */
  command: RegExp;
  packageName: string;
}

/** What the file imports, then configurations, scripts and dependencies, each from the file's folder outwards. */
export function evidenceOf(file: TestFile, signs: Signs): Evidence | undefined {
  const configured = file.folders.find(({ files }) => [...files].some((name) => signs.configuration.test(name)));
  const keyed = file.folders.find(({ manifest }) => signs.key !== undefined && manifest?.[signs.key] !== undefined);
  const scripted = file.folders.find(({ scripts }) => Object.values(scripts).some((line) => signs.command.test(line)));
  const depended = file.folders.find((folder) => dependsOn(folder, signs.packageName));
  const folder = (configured ?? keyed ?? scripted)?.path ?? packageRoot(file);
  const isImported = [signs.packageName, ...(signs.imports ?? [])].some((name) => imports(file.text, name));
  if (isImported || signs.speech?.test(file.text) === true)
    return { reason: `it uses ${signs.packageName}`, strength: 8, folder };
  const depth = (at: PackageFolder) => 1 - file.folders.indexOf(at) / 100;
  if (configured !== undefined)
    return { reason: `${signs.packageName} is configured`, strength: 3 + depth(configured), folder };
  if (keyed !== undefined) return { reason: `package.json configures it`, strength: 3 + depth(keyed), folder };
  if (scripted !== undefined) return { reason: 'a script runs it', strength: 2 + depth(scripted), folder };
  if (depended !== undefined) return { reason: 'the package depends on it', strength: depth(depended), folder };
  return undefined;
}

/** `import … from 'x'`, `require('x')`, `import('x')`. */
export function imports(text: string, packageName: string): boolean {
  return new RegExp(`(?:\\bfrom|\\bimport|\\b(?:require|import)\\s*\\()\\s*['"]${packageName}['"]`).test(text);
}

function dependsOn({ manifest }: PackageFolder, name: string): boolean {
  return ['devDependencies', 'dependencies'].some((key) => asRecord(manifest?.[key])?.[name] !== undefined);
}

/** Looks for a package the way Node does, from the file outwards and beyond the project (workspaces keep them above). */
export function findPackageFile(from: string, name: string, inside: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name, inside);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

export function requirePackageFile(file: TestFile, name: string, inside: string): string {
  return packageFileFrom(dirname(file.path), name, inside);
}

/** Major and minor of an installed package, as one number: 24.09. Undefined when it is not there or does not say. */
export function installedVersion(file: TestFile, name: string): number | undefined {
  const path = findPackageFile(dirname(file.path), name, 'package.json');
  const version = path === undefined ? undefined : parseJsonObject(readText(path) ?? '', path).value?.['version'];
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(typeof version === 'string' ? version : '') ?? [];
  return major === undefined ? undefined : Number(major) + Number(minor) / 100;
}

export function packageFileFrom(folder: string, name: string, inside: string): string {
  const found = findPackageFile(folder, name, inside) ?? declaredProgram(folder, name);
  if (found !== undefined) return found;
  throw new ToolError('launch_failed', `${name} would run this test, but it is not installed here.`, {
    hint: `Install the project's packages (npm install), or pass program instead of test.`,
  });
}

/** The program that an installed package itself declares: other versions have it elsewhere (`bin/mocha` before mocha 8). */
function declaredProgram(folder: string, name: string): string | undefined {
  const manifest = findPackageFile(folder, name, 'package.json');
  const { bin } =
    (manifest === undefined ? undefined : parseJsonObject(readText(manifest) ?? '', manifest).value) ?? {};
  const inside = typeof bin === 'string' ? bin : asRecord(bin)?.[name];
  return typeof inside === 'string' ? findPackageFile(folder, name, inside) : undefined;
}

/** What the script that starts a runner puts into its environment: `NODE_OPTIONS=… ava`, `cross-env A=b mocha`. */
export function scriptEnvironment(file: TestFile, command: RegExp): Record<string, string> {
  for (const folder of file.folders) {
    const call = scriptCall(folder, command);
    if (call !== undefined) return call.env;
  }
  return {};
}

/** Not of packages and environments, which nobody tests here; not every project tells git to ignore them. */
export function isOwnFile(path: string): boolean {
  return !/(?:^|\/)(?:node_modules|bower_components|\.venv|venv|site-packages|\.tox|\.nox|__pycache__)\//.test(path);
}

/** Whether a name is one that runners take for a test without being told; what lies above `root` says nothing. */
export function isScriptTest(file: string, root = ''): boolean {
  return /[._-](?:test|spec)\.[cm]?[jt]sx?$|\/(?:__tests__|tests?|spec)\/.*\.[cm]?[jt]sx?$/.test(
    file.slice(root.length),
  );
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function namesIn(path: string): Set<string> {
  try {
    return new Set(readdirSync(path));
  } catch {
    return new Set();
  }
}
