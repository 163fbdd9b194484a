import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { untypedUses } from './untypedUses.ts';

const shape = 'export interface Shape {\n  size: number;\n}\nexport const of = (shape: Shape) => shape.size;\n';

it('a use on an object of unknown type follows when nothing else is called so', async () => {
  const rename = new MemoryRename({ 'a.ts': shape, 'b.ts': 'const f = (any: any) => any.size;\n' }, 'size', 'width');
  const round = rename.round([0, 1]);
  expect(await untypedUses.appliesTo(round)).toBe(true);
  const { extra, notes } = await untypedUses.follow(round);
  expect(MemoryRename.shown(extra)).toEqual(['b.ts:1:29']);
  expect(notes?.join()).toContain('Renamed with it: 1 use of ".size"');
});

it('is left to the caller when others are called so too', async () => {
  const other = 'class Set {\n  size = 1;\n}\nconst f = (any: any) => any.size;\n';
  const { extra, conflicts } = await untypedUses.follow(
    new MemoryRename({ 'a.ts': shape, 'b.ts': other }, 'size', 'width').round([0, 1]),
  );
  expect(extra).toEqual([]);
  expect(conflicts?.map(({ line }) => line)).toEqual([4]);
});

it('what a type predicate promises follows in any case', async () => {
  const guard = 'class Set {\n  size = 1;\n}\nconst is = (one: any): one is Shape => one.size > 0;\n';
  const rename = new MemoryRename({ 'a.ts': shape, 'b.ts': guard }, 'size', 'width');
  let asked = 0;
  // The member is unknown; the type that is promised is not.
  rename.definitions = () => (asked++ === 0 ? [] : [{ path: 'a.ts', line: 1 }]);
  const { extra } = await untypedUses.follow(rename.round([0, 1]));
  expect(MemoryRename.shown(extra)).toEqual(['b.ts:4:44']);
});
