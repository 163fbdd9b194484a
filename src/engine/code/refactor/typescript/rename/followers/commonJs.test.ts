import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { commonJs } from './commonJs.ts';

it('applies to JavaScript only', async () => {
  const round = (file: string) => new MemoryRename({ [file]: 'function add() {}' }, 'add', 'plus').round([0]);
  expect(await commonJs.appliesTo(round('a.ts'))).toBe(false);
  expect(await commonJs.appliesTo(round('a.cjs'))).toBe(true);
});

it('a name that is not exported brings nothing along', async () => {
  const text = 'function add() {}\nadd();\nmodule.exports = { add: other };\n';
  const round = new MemoryRename({ 'a.js': text }, 'add', 'plus').round([0, 1]);
  const { places, extra } = await commonJs.follow(round);
  expect(MemoryRename.shown(places)).toEqual(['a.js:1:10', 'a.js:2:1']);
  expect(extra).toEqual([]);
});
