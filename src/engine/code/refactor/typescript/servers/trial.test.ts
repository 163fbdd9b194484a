import { describe, expect, it } from 'vitest';
import { LineIndex } from '../../../../../base/positions.ts';
import type { TypeScriptBackend } from './backend.ts';
import { tryContents } from './trial.ts';

describe('trying contents out', () => {
  it('looks at files that do not change only within the time given, and says what it did not look at', async () => {
    const looked: string[][] = [];
    const contents = new Map([['/p/a.ts', 'changed']]);
    const mentioning = ['/p/b.ts', '/p/c.ts'];
    const unhurried = await tryContents(backend(looked), contents, mentioning, {}, { further: ['/p/d.ts'] });
    expect(looked[1]).toEqual([...mentioning, '/p/d.ts']);
    expect(unhurried.notes).toEqual([]);
    looked.length = 0;
    const late = await tryContents(backend(looked), contents, mentioning, {}, { further: ['/p/d.ts'], budgetMs: -1 });
    expect(looked.flat()).not.toContain('/p/b.ts');
    expect(late.notes).toEqual([expect.stringContaining('2 files')]);
  });
});

function backend(looked: string[][]): TypeScriptBackend {
  return {
    project: undefined as never,
    open: async () => undefined,
    text: async () => new LineIndex(''),
    hashOf: () => 'hash',
    overlaid: (_, work) => work(),
    problems: async (paths) => {
      looked.push([...paths]);
      return [];
    },
  };
}
