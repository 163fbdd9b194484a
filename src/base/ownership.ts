import { lstatSync } from 'node:fs';

/**
 * Whether what a file or folder says is believed: it is ours, the system's, or belongs to `owner`, whose files are looked at anyway. In a folder
 * that many share, anybody else could put it there.
 */
export function isBelieved(path: string, owner: number | undefined): boolean {
  const found = ownerOf(path);
  return found !== undefined && (found === 0 || found === owner || found === process.getuid?.());
}

/** Undefined when there is nothing; of a link, whose link it is. */
export function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}
