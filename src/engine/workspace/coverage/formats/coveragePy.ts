import type { NamedCoverage } from '../model.ts';
import { numbersIn, stringsIn } from './values.ts';
import { isRecord } from '../../../../base/text/records.ts';

/** `coverage json`, with `--show-contexts` also which tests ran each line. It tells that a line ran, not how often. */
export function readCoveragePy(report: Record<string, unknown>): NamedCoverage[] {
  const files = isRecord(report['files']) ? report['files'] : {};
  return Object.entries(files).flatMap(([name, file]) => {
    if (!isRecord(file)) return [];
    const lines = new Map<number, number>();
    for (const line of numbersIn(file['executed_lines'])) lines.set(line, 1);
    for (const line of numbersIn(file['missing_lines'])) lines.set(line, 0);
    const tests = new Map<number, string[]>();
    for (const [line, contexts] of Object.entries(isRecord(file['contexts']) ? file['contexts'] : {})) {
      // The empty context is what ran outside of any test, such as an import.
      const names = new Set(
        stringsIn(contexts)
          .filter((each) => each !== '')
          .map(testOfContext),
      );
      // coverage.py gives them in any order.
      if (names.size > 0) tests.set(Number(line), [...names].sort());
    }
    return [{ name, lines, ...(tests.size === 0 ? {} : { tests }) }];
  });
}

/** pytest-cov marks the phase: `test_a.py::test_b|run`. */
function testOfContext(context: string): string {
  return context.replace(/\|(?:setup|run|teardown)$/, '');
}
