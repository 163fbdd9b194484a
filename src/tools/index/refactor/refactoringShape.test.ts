import { expect, it } from 'vitest';
import { renderRefactoring } from './refactoringShape.ts';

const change = { affectedFiles: ['a.ts'], changesCount: 1, diff: '', index: { state: 'ready' as const } };
const taken = { file: 'a.ts', line: 1, message: "Duplicate identifier 'two'." };

it('says each error and each conflict once', () => {
  const text = renderRefactoring({
    ...change,
    success: false,
    message:
      "2 errors that were not there before: a.ts:1 Duplicate identifier 'two'. Done nevertheless: rename one to two.",
    conflicts: [
      { ...taken, message: `${taken.message} (TS2300)` },
      { message: '"two" means something else there', file: 'b.ts', line: 3 },
    ],
    diagnostics: { appeared: [taken, { ...taken, line: 2 }], vanished: [] },
  });
  expect(text.split('\n').slice(0, 3)).toEqual([
    "2 errors that were not there before: a.ts:1 Duplicate identifier 'two'. Done nevertheless: rename one to two.",
    'conflict: "two" means something else there (b.ts:3)',
    "new error: a.ts:2 Duplicate identifier 'two'.",
  ]);
});

it('does not repeat the conflict it begins with', () => {
  const text = renderRefactoring({
    ...change,
    success: false,
    message: '"two" is in use in this file already (a.ts). Done nevertheless: extract function two.',
    conflicts: [{ message: '"two" is in use in this file already', file: 'a.ts' }],
  });
  expect(text).not.toContain('conflict:');
});
