import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sightlineVersion } from '../../src/base/version.ts';

/** A copy of the built program that takes itself for another version, or another build of the same. */
export function otherVersion(program: string, folder: string, version: string, build: string): string {
  const dist = dirname(program);
  const copy = join(folder, 'dist');
  mkdirSync(folder, { recursive: true });
  cpSync(dist, copy, { recursive: true });
  symlinkSync(join(dirname(dist), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const ownBuild = readFileSync(join(dist, '.stamp'), 'utf8').trim().slice(-12);
  let changes = 0;
  for (const name of readdirSync(copy).filter((file) => file.endsWith('.js'))) {
    const text = readFileSync(join(copy, name), 'utf8');
    const changed = text
      .replaceAll(`"${ownBuild}"`, `"${build}"`)
      .replaceAll(new RegExp(`version: ?"${sightlineVersion.replaceAll('.', '\\.')}"`, 'g'), `version:"${version}"`);
    if (changed !== text) changes++;
    writeFileSync(join(copy, name), changed);
  }
  if (changes < 2) throw new Error('The copy is not another version.');
  return join(copy, 'sightline.js');
}
