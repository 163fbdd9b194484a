import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BugError } from './errors.ts';

/** The path of a file that is shipped as it is, such as those of `python`: beside `src` in the repository, beside `dist` in the package. */
export function assetPath(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(folder, name);
    if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) throw new BugError(`The file ${name} is missing from this installation.`);
    folder = parent;
  }
}
