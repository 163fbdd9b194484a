import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const maxFiles = 30_000;

/** The files of a package, without those of packages that are installed inside it. */
export async function filesOf(folder: string): Promise<string[]> {
  const files: string[] = [];
  const pending = [''];
  for (let at = pending.pop(); at !== undefined && files.length < maxFiles; at = pending.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
      const name = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isFile()) files.push(name);
      else if (entry.isDirectory() && entry.name !== 'node_modules') pending.push(name);
    }
  }
  return files;
}
