// One hash over everything that decides what a build makes, so that a second start can tell in milliseconds that nothing is to do.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const inputs = ['src', 'dashboard-ui', 'editors', 'scripts', 'package.json', 'package-lock.json'];

export async function sourceStamp(root) {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(inputs.map((input) => filesBelow(join(root, input)))))
    .flat()
    .sort(byCodeUnits)) {
    hash.update(relative(root, file).split(sep).join('/')).update('\0');
    hash.update(await readFile(file)).update('\0');
  }
  return `${hash.digest('hex')}\n`;
}

/** The same order on every machine, whatever its locale. */
function byCodeUnits(a, b) {
  return a < b ? -1 : 1;
}

async function filesBelow(path) {
  let entries;
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  const nested = entries
    .filter((entry) => entry.name !== 'node_modules' && !entry.name.endsWith('.test.ts'))
    .map((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]));
  return (await Promise.all(nested)).flat();
}
