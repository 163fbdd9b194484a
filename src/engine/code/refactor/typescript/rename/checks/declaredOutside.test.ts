import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { declaredOutside } from './declaredOutside.ts';

it('a place in an installed package is refused, wherever it comes from', async () => {
  const round = new MemoryRename({ 'a.ts': 'size;', 'node_modules/b/c.d.ts': 'size;' }, 'size', 'width').round([0]);
  expect(await declaredOutside.check(round)).toEqual([]);
  const [, other] = new MemoryRename({ 'a.ts': 'size;', 'node_modules/b/c.d.ts': 'size;' }, 'size', 'w').mentions();
  const extra = other === undefined ? [] : [other];
  await expect(async () => declaredOutside.check({ ...round, extra })).rejects.toThrow(/not part of the project/);
});
