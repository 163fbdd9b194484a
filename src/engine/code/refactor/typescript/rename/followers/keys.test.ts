import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { keys } from './keys.ts';

const files = {
  'a.ts':
    "interface Shape {\n  size: number;\n}\nconst key: keyof Shape = 'size';\nconst word = 'size';\ntype Rest = Omit<Shape, 'size'>;\n",
};

it('a string that the checker does not take for a key any more follows', async () => {
  const message = `Type '"size"' is not assignable to type 'keyof Shape'. (TS2322)`;
  const rename = new MemoryRename(files, 'size', 'width');
  const round = rename.tried([0], [{ kind: 'error', message, file: '/p/a.ts', line: 4, column: 7 }]);
  expect(await keys.appliesTo(round)).toBe(true);
  const { extra, notes } = await keys.follow(round);
  expect(MemoryRename.shown(extra)).toEqual(['a.ts:4:27']);
  expect(notes).toEqual(['Renamed with it: 1 string in which it is a key of its type']);
});

it('a key that a type is to be without follows when Pick does not take it any more', async () => {
  const rename = new MemoryRename(files, 'size', 'width');
  const message = `Type '"size"' does not satisfy the constraint 'keyof Shape'.`;
  rename.problems = (shown) => {
    const text = shown.get('/p/a.ts');
    const isRenamed = typeof text === 'string' && text.includes('width: number') && text.includes('Pick<Shape,');
    return isRenamed ? [{ file: '/p/a.ts', line: 6, column: 25, message, code: 'TS2344' }] : [];
  };
  const { extra } = await keys.follow(rename.tried([0], []));
  expect(MemoryRename.shown(extra)).toEqual(['a.ts:6:26']);
});
