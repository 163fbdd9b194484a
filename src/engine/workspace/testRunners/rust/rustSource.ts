import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** A test function as the source shows it. */
export interface RustFunction {
  /** Modules inside the crate, then the name: as libtest writes it, without the colons. */
  path: readonly string[];
  file: string;
  line: number;
}

const attribute = /^\s*#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck|wasm_bindgen_test)\b/;

/** The tests written out in a file; those that macros make are known when they run. `modules` is where the file stands in its crate. */
export function testsIn(text: string, file: string, modules: readonly string[]): RustFunction[] {
  const found: RustFunction[] = [];
  const open: { name: string; indent: number }[] = [];
  let isTest = false;
  for (const [index, line] of text.split('\n').entries()) {
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    if (line.trim() === '}') while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const inline = /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*\{(?!.*\})/.exec(line)?.[1];
    if (inline !== undefined) open.push({ name: inline, indent });
    if (attribute.test(line)) isTest = true;
    const name = /^\s*(?:#\[.*\]\s*)?(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/.exec(line)?.[1];
    if (name === undefined) continue;
    if (isTest) found.push({ path: [...modules, ...open.map((each) => each.name), name], file, line: index + 1 });
    isTest = false;
  }
  return found;
}

/** A target of a package: the file that a crate begins with. */
interface RustTarget {
  kind: 'lib' | 'bin' | 'test' | 'example' | 'bench';
  name: string;
  root: string;
}

/** The target that a file belongs to and its modules there, by where Cargo looks for them. */
export function placeOf(file: string, packageFolder: string): { target: RustTarget; modules: string[] } | undefined {
  const parts = relative(packageFolder, file).split('/');
  const [top = '', second = '', ...rest] = parts;
  if (top === 'tests' || top === 'benches' || top === 'examples') {
    const kind = top === 'tests' ? 'test' : top === 'benches' ? 'bench' : 'example';
    const name = basename(second, '.rs');
    const isOwn = rest.length === 0;
    const root = isOwn ? file : join(packageFolder, top, second, 'main.rs');
    return isOwn || existsSync(root) ? { target: { kind, name, root }, modules: modulesOf(rest) } : undefined;
  }
  if (top !== 'src') return undefined;
  if (second === 'bin' && rest.length > 0) {
    const [first = '', ...inner] = rest;
    const isOwn = inner.length === 0;
    const root = isOwn ? file : join(packageFolder, 'src', 'bin', first, 'main.rs');
    return { target: { kind: 'bin', name: basename(first, '.rs'), root }, modules: modulesOf(inner) };
  }
  const lib = join(packageFolder, 'src', 'lib.rs');
  const main = join(packageFolder, 'src', 'main.rs');
  const isLib = file !== main && existsSync(lib);
  const target: RustTarget = isLib ? { kind: 'lib', name: '', root: lib } : { kind: 'bin', name: '', root: main };
  return { target, modules: modulesOf([second, ...rest]) };
}

function modulesOf(parts: readonly string[]): string[] {
  const names = parts.map((part) => basename(part, '.rs'));
  return ['mod', 'lib', 'main'].includes(names.at(-1) ?? '') ? names.slice(0, -1) : names;
}

/** The file and line of a test that ran, from the crate's root file and the test's whole name. */
export function findTest(root: string, path: readonly string[]): { file: string; line?: number } {
  const modules = path.slice(0, -1);
  const home = /^(?:lib|main|mod)\.rs$/.test(basename(root))
    ? dirname(root)
    : join(dirname(root), basename(root, '.rs'));
  for (let depth = modules.length; depth > 0; depth--) {
    const place = join(home, ...modules.slice(0, depth));
    const file = [`${place}.rs`, join(place, 'mod.rs')].find((each) => existsSync(each));
    if (file !== undefined) return withLine(file, path);
  }
  return withLine(root, path);
}

/** What `#[ignore = "…"]` says above a test, where a runner does not pass it on. */
export function ignoredBecause({ file, line }: { file?: string; line?: number }): string | undefined {
  if (file === undefined || line === undefined) return undefined;
  const above = read(file)
    .split('\n')
    .slice(Math.max(0, line - 6), line);
  const from = above.findLastIndex((text, at) => at < above.length - 1 && !/^\s*(?:#\[|\/\/)/.test(text)) + 1;
  return /#\[ignore\s*=\s*"([^"]*)"\]/.exec(above.slice(from).join('\n'))?.[1];
}

function withLine(file: string, path: readonly string[]): { file: string; line?: number } {
  const lines = read(file).split('\n');
  // Tests of macros with cases (rstest) are modules named after the function.
  for (const name of path.toReversed().slice(0, 2)) {
    const index = lines.findIndex((line) => new RegExp(`\\bfn\\s+${name}\\b`).test(line));
    if (index >= 0) return { file, line: index + 1 };
  }
  return { file };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
