import { ToolError } from '../../base/errors.ts';

/** An empty run is no success. `nearest`: the names of tests in the file that are most like the one asked for. */
export function testNotRun({ name = '', runner = '' }: { name?: string; runner?: string }, nearest: readonly string[]) {
  const isThere = nearest.some((each) => plain(each) === plain(name));
  const listed = nearest.map((each) => `"${each}"`).join(', ');
  if (isThere)
    return new ToolError('test_not_found', `The test "${name}" is there, but ${runner} did not run it.`, {
      hint: 'It may be skipped, or left out by an `only` or by the configuration of the runner.',
      data: { nearest: [...nearest] },
    });
  return new ToolError('test_not_found', `No test named "${name}" was run (by ${runner}).`, {
    hint:
      listed === ''
        ? 'No test is written out in this file; leave the name out to run them all.'
        : `Tests there: ${listed}.`,
    data: { nearest: [...nearest] },
  });
}

/** Runners put different marks between the names of suites. */
function plain(name: string): string {
  return name.replaceAll(/\s*(?:>|::|\u203A)\s*/g, ' ');
}
