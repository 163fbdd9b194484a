import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { namesakes } from './namesakes.ts';

const files = {
  'a.ts':
    'interface Shape {\n  size: number;\n}\nclass Box {\n  size = 1;\n}\nclass Other {\n  size = 2;\n}\nconst one: Shape = new Box();\n',
};

it('a member follows where the checker misses the new name in its class', async () => {
  const message = "Property 'width' is missing in type 'Box' but required in type 'Shape'. (TS2741)";
  const round = new MemoryRename(files, 'size', 'width').tried(
    [0],
    [{ kind: 'error', message, file: '/p/a.ts', line: 10, column: 7 }],
  );
  expect(await namesakes.appliesTo(round)).toBe(true);
  const { places, notes } = await namesakes.follow(round);
  expect(MemoryRename.shown(places)).toEqual(['a.ts:2:3', 'a.ts:5:3']);
  expect(notes).toEqual(['Renamed with it, since one is used in place of the other: a.ts:5']);
});

it('nobody follows of whom the checker says nothing', async () => {
  const { places, notes } = await namesakes.follow(new MemoryRename(files, 'size', 'width').tried([0], []));
  expect(MemoryRename.shown(places)).toEqual(['a.ts:2:3']);
  expect(notes).toEqual([]);
});

it('a shorthand keeps the name of its variable', async () => {
  const text = 'interface Shape {\n  size: number;\n}\nconst size = 1;\nconst one: Shape = { size };\n';
  const message = "Object literal may only specify known properties, and 'size' does not exist in type 'Shape'.";
  const round = new MemoryRename({ 'a.ts': text }, 'size', 'width').tried(
    [0],
    [{ kind: 'error', message, file: '/p/a.ts', line: 5, column: 22 }],
  );
  const { places } = await namesakes.follow(round);
  expect(MemoryRename.shown(places)).toEqual(['a.ts:2:3', 'a.ts:5:22 …: size']);
});
