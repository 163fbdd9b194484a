import type { TestRow, TestsView } from '../../../../src/dashboard/channel.ts';
import { baseName, durationText, visible } from '../../parts/format.ts';

export function nameOf({ suite, name }: TestRow): string {
  return [...suite, name].join(' › ');
}

/** The same for the same test in every run. */
export function keyOf({ file = '', suite, name }: TestRow): string {
  return [file, ...suite, name].join('::');
}

const classes = { failed: 'bad', passed: 'ok', skipped: '', running: 'run', 'not run': 'warn' } as const;
const signs = { failed: '✕', passed: '✓', skipped: '–', running: '…', 'not run': '?' } as const;

/** Files, those with failures first; in each the failed tests first. */
export function TestTree(props: { view: TestsView; chosen: string | undefined; onChoose: (test: TestRow) => void }) {
  const { view, chosen, onChoose } = props;
  const files = new Map<string, TestRow[]>();
  for (const test of view.runs.flatMap((run) => run.tests)) {
    const file = test.file ?? '';
    files.set(file, [...(files.get(file) ?? []), test]);
  }
  const failedOf = (tests: readonly TestRow[]) => tests.filter(({ status }) => status === 'failed').length;
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
            {tests.map((test) => {
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
                    <span class="muted">{durationText(test.durationMs)}</span>
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
