import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { lostPlaces } from './lostPlaces.ts';

it('what a lost place belongs to follows', async () => {
  const files = {
    'a.ts': 'interface A {\n  size: 1;\n}\ninterface B {\n  size: 2;\n}\nconst f = (one: A | B) => one.size;\n',
  };
  const rename = new MemoryRename(files, 'size', 'width');
  const round = rename.tried([0, 2], [], [1]);
  expect(await lostPlaces.appliesTo(round)).toBe(true);
  const { places } = await lostPlaces.follow(round);
  expect(MemoryRename.shown(places)).toEqual(['a.ts:2:3', 'a.ts:7:31', 'a.ts:5:3']);
  expect(await lostPlaces.appliesTo(rename.tried([0], []))).toBe(false);
});
