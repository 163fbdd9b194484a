import { expect, it } from 'vitest';
import { stillUsed, type Usage } from './stillUsed.ts';

it('lists what uses a declaration in the order of files and lines, tests last', () => {
  const use = (file: string, line: number, column: number): Usage => ({
    file,
    line,
    column,
    kind: 'call',
    context: '',
  });
  const error = stillUsed(
    'total',
    [
      use('src/b.ts', 2, 1),
      use('src/a.test.ts', 1, 1),
      use('src/a.ts', 10, 1),
      use('src/a.ts', 9, 30),
      use('src/a.ts', 9, 4),
    ],
    undefined,
  );
  const usages = error.data?.['usages'] as Usage[] | undefined;
  const places = usages?.map(({ file, line, column }) => `${file}:${line}:${column}`);
  expect(places).toEqual(['src/a.ts:9:4', 'src/a.ts:9:30', 'src/a.ts:10:1', 'src/b.ts:2:1', 'src/a.test.ts:1:1']);
  expect(error.message).toContain('first at src/a.ts:9');
});
