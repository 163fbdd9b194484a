import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { missedAsRequired } from './optionalMembers.ts';

const files = {
  'a.ts': 'interface Shape {\n  size?: number;\n}\nclass Box {\n  size = 1;\n}\nconst one: Shape = new Box();\n',
};

it('the checker is asked as if the member were required', async () => {
  const rename = new MemoryRename(files, 'size', 'width');
  const texts: string[] = [];
  const message = "Property 'width' is missing in type 'Box' but required in type 'Shape'.";
  rename.problems = (shown) => {
    const text = shown.get('/p/a.ts');
    if (typeof text !== 'string') return [];
    texts.push(text);
    // The files as they are have no errors; they are asked second.
    return texts.length === 1 ? [{ file: '/p/a.ts', line: 7, column: 7, message, code: 'TS2741' }] : [];
  };
  const found = await missedAsRequired(rename.tried([0], []));
  expect(texts[0]).toContain('width : number;');
  expect(found.map((one) => one.message)).toEqual([`${message} (TS2741)`]);
});

it('nothing is asked when nothing is optional', async () => {
  const rename = new MemoryRename({ 'a.ts': 'interface Shape {\n  size: number;\n}\n' }, 'size', 'width');
  rename.problems = () => {
    throw new Error('asked');
  };
  expect(await missedAsRequired(rename.tried([0], []))).toEqual([]);
});
