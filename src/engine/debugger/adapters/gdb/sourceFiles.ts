import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { readText } from '../../../workspace/testRunners/packages.ts';

export const cppExtensions = ['.c', '.cc', '.cpp', '.cxx', '.c++'];

export function isSource(path: string): boolean {
  return cppExtensions.includes(extname(path).toLowerCase());
}

export function hasMain(text: string): boolean {
  return /^[\w\s*:]*\bmain\s*\(/m.test(text);
}

/**
 * A source with what it is made of, where nobody wrote down how it is built: the sources beside the headers that it includes, and so on.
 */
export function sourcesOf(main: string): string[] {
  const found = new Set([main]);
  const waiting = [main];
  const seen = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const header of includesOf(file)) {
      if (seen.has(header)) continue;
      seen.add(header);
      waiting.push(header);
      for (const source of besides(header)) {
        if (seen.has(source) || hasMain(readText(source) ?? '')) continue;
        seen.add(source);
        found.add(source);
        waiting.push(source);
      }
    }
  }
  return [...found];
}

function includesOf(file: string): string[] {
  const text = readText(file) ?? '';
  return [...text.matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)]
    .map(([, name = '']) => resolve(dirname(file), name))
    .filter((path) => existsSync(path));
}

function besides(header: string): string[] {
  const name = basename(header, extname(header));
  return readdirSync(dirname(header))
    .filter((each) => isSource(each) && basename(each, extname(each)) === name)
    .map((each) => join(dirname(header), each));
}

/** The nearest folder at or above one, up to a root, that holds one of these files. */
export function folderWith(names: readonly string[], from: string, root: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
