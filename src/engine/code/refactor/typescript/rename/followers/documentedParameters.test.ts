import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { documentedParameters } from './documentedParameters.ts';

it('the documentation of a function that is assigned names its parameter', async () => {
  const text =
    '/**\n * @param size how large\n * @param other size of it\n */\nexports.make = function (size, other) {\n  return size;\n};\n';
  const round = new MemoryRename({ 'a.js': text }, 'size', 'width').round([2, 3]);
  expect(await documentedParameters.appliesTo(round)).toBe(true);
  const { extra } = await documentedParameters.follow(round);
  expect(MemoryRename.shown(extra)).toEqual(['a.js:2:11']);
});

it('what is used in several files is no parameter', async () => {
  const round = new MemoryRename({ 'a.ts': 'export const size = 1;', 'b.ts': 'size;' }, 'size', 'width').round([0, 1]);
  expect(await documentedParameters.appliesTo(round)).toBe(false);
});
