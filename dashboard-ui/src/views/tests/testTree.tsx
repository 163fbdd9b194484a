import type { TestRow, TestsView } from '../../../../src/dashboard/channel.ts';
import { baseName, durationText, visible } from '../../parts/format.ts';

export function nameOf({ suite, name }: TestRow): string {
  return [...suite, name].join(' › ');
}

/** The same for the same test in every run. */
export function keyOf({ file = '', suite, name }: TestRow): string {
  return [file, ...suite, name].join('::');
}

interface RunTest {
  test: TestRow;
  times: number;
}

/** Each test once, though it may have run several times: the failed run counts, else the last one. Failed ones come first. */
export function testsOf(view: TestsView | undefined): RunTest[] {
  const found = new Map<string, RunTest>();
  for (const test of view?.runs.flatMap((run) => run.tests) ?? []) {
    const known = found.get(keyOf(test));
    const counts = known?.test.status === 'failed' ? known.test : test;
    found.set(keyOf(test), { test: counts, times: (known?.times ?? 0) + 1 });
  }
  const isFailed = ({ test }: RunTest) => Number(test.status === 'failed');
  return [...found.values()].sort((one, other) => isFailed(other) - isFailed(one));
}

const classes = { failed: 'bad', passed: 'ok', skipped: '', running: 'run', 'not run': 'warn' } as const;
const signs = { failed: '✕', passed: '✓', skipped: '–', running: '…', 'not run': '?' } as const;

/** Files, those with failures first; in each the failed tests first. */
export function TestTree(props: { view: TestsView; chosen: string | undefined; onChoose: (test: TestRow) => void }) {
  const { view, chosen, onChoose } = props;
  const files = new Map<string, RunTest[]>();
  for (const one of testsOf(view)) {
    const file = one.test.file ?? '';
    files.set(file, [...(files.get(file) ?? []), one]);
  }
  const failedOf = (tests: readonly RunTest[]) => tests.filter(({ test }) => test.status === 'failed').length;
  const ordered = [...files].sort(([a, one], [b, other]) => failedOf(other) - failedOf(one) || (a < b ? -1 : 1));
  const problems = view.runs.flatMap((run) => run.problems);
  return (
    <div class="testTree">
      {problems.map((problem, index) => (
        <pre key={index} class="codeText testProblem">
          {visible(problem.message)}
        </pre>
      ))}
      {ordered.map(([file, tests]) => (
        <details key={file} open={failedOf(tests) > 0 || ordered.length <= 3}>
          <summary>
            <span class="mono" title={visible(file)}>
              {visible(baseName(file)) || 'no file'}
            </span>
            {failedOf(tests) > 0 && <span class="badge bad">{failedOf(tests)} failed</span>}
            <span class="muted">{tests.length}</span>
          </summary>
          <ul>
            {tests.map(({ test, times }) => {
              const key = keyOf(test);
              return (
                <li key={key}>
                  <button
                    type="button"
                    class="quiet testRow"
                    aria-current={key === chosen ? 'true' : undefined}
                    onClick={() => onChoose(test)}
                  >
                    <span class={`badge ${classes[test.status]}`} title={test.status}>
                      {signs[test.status]}
                      <span class="hidden">{test.status}</span>
                    </span>
                    <span class="testName">{visible(nameOf(test))}</span>
                    {test.flaky !== undefined && (
                      <span class="badge warn">
                        failed {test.flaky.failed} of {test.flaky.of}
                      </span>
                    )}
                    <span class="muted">
                      {times > 1 && `ran ${times} times, `}
                      {durationText(test.durationMs)}
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
        </details>
      ))}
      {view.runs.some(({ moreTests }) => moreTests > 0) && (
        <p class="muted">{view.runs.reduce((sum, { moreTests }) => sum + moreTests, 0)} more tests are not listed.</p>
      )}
    </div>
  );
}
