import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { removeLeftFolders, scratchFolder } from './scratchFolders.ts';

const made: string[] = [];
afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

test('the folder of a killed process is removed; that of a living one, a link and other names are not', async () => {
  const own = await scratchFolder('trial');
  const dead = own.replace(`-${process.pid}-`, '-4194303-');
  const elsewhere = dead.replace(/-trial-\d+-/, '-trial-1-');
  const link = dead.replace('-trial-', '-debug-');
  const other = `${dead}.txt`;
  made.push(own, dead, elsewhere, link, other);
  for (const folder of [dead, elsewhere, other]) mkdirSync(folder);
  symlinkSync(own, link);
  await removeLeftFolders();
  expect(made.map((folder) => existsSync(folder))).toEqual([true, false, true, true, true]);
});
