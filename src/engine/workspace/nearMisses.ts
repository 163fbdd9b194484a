import { opendir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { displayPath, isInside } from '../../base/paths.ts';

const skippedFolders = new Set(['.git', 'node_modules', '__pycache__', '.venv', 'venv', 'target', 'dist', 'build']);
const maxEntriesLookedAt = 20_000;
const maxSearchMs = 500;
const maxSuggestions = 3;

/** Existing files that the caller may have meant: the same name elsewhere, or nearly the same name in that folder. */
export async function nearMisses(root: string, wanted: string): Promise<string[]> {
  const [siblings, namesakes] = await Promise.all([similarSiblings(wanted), sameNameElsewhere(root, wanted)]);
  return [...new Set([...siblings, ...namesakes])]
    .filter((path) => isInside(root, path))
    .slice(0, maxSuggestions)
    .map((path) => displayPath(root, path));
}

async function similarSiblings(wanted: string): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(dirname(wanted));
  } catch {
    return [];
  }
  const name = comparable(basename(wanted));
  return names
    .slice(0, 5000)
    .map((candidate) => ({ candidate, distance: editDistance(comparable(candidate), name) }))
    .filter(({ distance }) => distance <= (name.length < 5 ? 1 : Math.max(2, Math.floor(name.length / 4))))
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => join(dirname(wanted), candidate));
}

async function sameNameElsewhere(root: string, wanted: string): Promise<string[]> {
  const name = comparable(basename(wanted));
  const deadline = Date.now() + maxSearchMs;
  const found: string[] = [];
  const queue = [root];
  let looked = 0;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    try {
      for await (const entry of await opendir(folder)) {
        if (++looked > maxEntriesLookedAt || Date.now() > deadline || found.length >= 20) return ranked(found, wanted);
        if (entry.isDirectory() && !skippedFolders.has(entry.name)) queue.push(join(folder, entry.name));
        else if (entry.isFile() && comparable(entry.name) === name) found.push(join(folder, entry.name));
      }
    } catch {
      // A folder that cannot be read has no suggestions to give.
    }
  }
  return ranked(found, wanted);
}

/** Those that share most of the wanted path's folders come first. */
function ranked(found: string[], wanted: string): string[] {
  const parts = new Set(wanted.split('/'));
  const shared = (path: string) => path.split('/').filter((part) => parts.has(part)).length;
  return found.sort((a, b) => shared(b) - shared(a) || a.length - b.length);
}

/** Case and Unicode form are the commonest differences, and the least visible. */
function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Levenshtein's distance; long names are cut, since beyond that nobody mistypes them by hand. */
export function editDistance(a: string, b: string): number {
  const left = a.slice(0, 80);
  const right = b.slice(0, 80);
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const current = [i];
    for (let j = 1; j <= right.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
