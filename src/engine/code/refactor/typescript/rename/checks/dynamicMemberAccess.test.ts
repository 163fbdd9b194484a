import { expect, it } from 'vitest';
import { MemoryRename } from '../../../../../../../tests/support/memoryRename.ts';
import { dynamicMemberAccess } from './dynamicMemberAccess.ts';

const reasonsOf = async (file: string, text: string) => {
  const round = new MemoryRename({ [file]: text }, 'start', 'begin').round([0]);
  return (await dynamicMemberAccess.check(round)).map(({ line, message }) => `${line}: ${message}`);
};
const handlers = 'const handlers = { start() {} };\nconst run = (name) => handlers[name]();\nrun("start");\n';

it('a string may ask an object for the member that is renamed', async () => {
  expect(await reasonsOf('a.js', handlers)).toEqual(['3: "start" there may ask for it by its old name']);
});

it('where types are known it may not, unless they are put aside', async () => {
  expect(await reasonsOf('a.ts', handlers)).toEqual([]);
  expect(await reasonsOf('a.ts', handlers.replace('handlers[', '(handlers as any)['))).toHaveLength(1);
});
