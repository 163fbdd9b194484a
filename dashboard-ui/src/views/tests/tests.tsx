import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import type { TestsView } from '../../../../src/dashboard/channel.ts';
import { call, on, tool } from '../../client.ts';
import { addCommands } from '../../commands.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { durationText } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import { project } from '../../state.ts';
import { viewPath, type ViewProps } from '../../views.ts';
import { Coverage } from './coverage.tsx';
import { Jobs } from './jobs.tsx';
import { TestPane } from './testPane.tsx';
import { keyOf, testsOf, TestTree } from './testTree.tsx';

/** Tests and what else runs. `rest`: empty, `test/<key>`, `coverage`, or `jobs/<id>`. */
export default function Tests({ rest }: ViewProps) {
  const where = project.value;
  const { route } = useLocation();
  const [section = '', ...more] = rest.split('/');
  const latest = useLoaded(
    async () => (where === undefined ? undefined : call('tests.latest', { project: where })),
    [where],
  );
  const isRunning = latest.value?.isRunning === true;
  useEffect(() => on('testBatch', latest.reload), [where]);
  useEffect(() => on('job', latest.reload), [where]);
  useEffect(() => {
    if (!isRunning) return undefined;
    // What a runner tells on the way has no event of its own.
    const timer = setInterval(latest.reload, 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const run = async (args: Record<string, unknown>) => {
    const reply = await tool('run_tests', { ...args, wait_ms: 0 }, where);
    if (reply.error !== undefined) toast(reply.error.message, 'failed');
    latest.reload();
  };
  useEffect(
    () =>
      addCommands([
        { id: 'tests.all', title: 'Run all tests', group: 'Tests', run: () => orToast(run({})) },
        {
          id: 'tests.failed',
          title: 'Run the failed tests',
          group: 'Tests',
          key: 'f',
          run: () => orToast(run({ failed: true })),
        },
      ]),
    [where],
  );
  if (where === undefined)
    return (
      <>
        <ViewHeader title="Tests and jobs" />
        <EmptyState icon="flask" title="No project is open" />
      </>
    );
  const key = section === 'test' ? decodeURIComponent(more.join('/')) : undefined;
  const tests = testsOf(latest.value);
  const chosen = tests.find(({ test }) => keyOf(test) === key)?.test;
  return (
    <>
      <ViewHeader title="Tests and jobs" about={summary(latest.value)}>
        <RunButtons view={latest.value} where={where} run={run} />
      </ViewHeader>
      <div class="subTabs" role="navigation" aria-label="Parts">
        <a href={viewPath('tests')} aria-current={section === '' || section === 'test' ? 'page' : undefined}>
          Tests
        </a>
        <a href={viewPath('tests', 'coverage')} aria-current={section === 'coverage' ? 'page' : undefined}>
          Coverage
        </a>
        <a href={viewPath('tests', 'jobs')} aria-current={section === 'jobs' ? 'page' : undefined}>
          Jobs
        </a>
      </div>
      {section === 'coverage' ? (
        <Coverage where={where} version={latest.value?.runs.at(-1)?.id} />
      ) : section === 'jobs' ? (
        <Jobs where={where} chosen={more[0]} />
      ) : (
        <div class="testsView">
          {latest.error !== undefined && latest.value === undefined && (
            <ErrorState error={latest.error} onRetry={latest.reload} />
          )}
          {latest.value?.failure !== undefined && <ErrorState error={new Error(latest.value.failure)} />}
          {latest.value !== undefined && tests.length === 0 && latest.value.failure === undefined && (
            <EmptyState icon="flask" title={isRunning ? 'The tests are starting' : 'No tests were run yet'}>
              <p>Run them here, or let an agent do it.</p>
            </EmptyState>
          )}
          {tests.length > 0 && latest.value !== undefined && (
            <TestTree
              view={latest.value}
              chosen={key}
              onChoose={(test) => route(viewPath('tests', `test/${encodeURIComponent(keyOf(test))}`), true)}
            />
          )}
          {chosen !== undefined && <TestPane test={chosen} where={where} run={run} />}
        </div>
      )}
    </>
  );
}

function summary(view: TestsView | undefined): string | undefined {
  if (view === undefined || view.runs.length === 0) return undefined;
  const sum = (pick: (counts: TestsView['runs'][number]['counts']) => number) =>
    view.runs.reduce((all, each) => all + pick(each.counts), 0);
  const ms = view.runs.reduce((all, each) => all + each.durationMs, 0);
  return `${sum((c) => c.failed)} failed, ${sum((c) => c.passed)} passed of ${sum((c) => c.expected)}, ${durationText(ms)}`;
}

function RunButtons(props: {
  view: TestsView | undefined;
  where: string;
  run: (args: Record<string, unknown>) => Promise<void>;
}) {
  const { view, where, run } = props;
  const coverage = useSignal(false);
  const running = view?.runs.findLast(({ state }) => state === 'running')?.jobId;
  const stop = async () => {
    const reply = await tool('stop_job', { job_id: running }, where);
    if (reply.error !== undefined) toast(reply.error.message, 'failed');
  };
  const hasFailed = view?.runs.some(({ counts }) => counts.failed + counts.notRun > 0) === true;
  return (
    <>
      <label class="inlineCheck">
        <input
          type="checkbox"
          checked={coverage.value}
          onChange={(event) => (coverage.value = event.currentTarget.checked)}
        />
        with coverage
      </label>
      <button type="button" disabled={!hasFailed || view?.isRunning} onClick={() => orToast(run({ failed: true }))}>
        Run failed
      </button>
      <button
        type="button"
        class="primary"
        disabled={view?.isRunning}
        onClick={() => orToast(run(coverage.value ? { coverage: true } : {}))}
      >
        <Icon name="play" />
        Run all
      </button>
      {view?.isRunning === true && running !== undefined && (
        <button type="button" class="danger" onClick={() => orToast(stop())}>
          <Icon name="stop" />
          Stop
        </button>
      )}
    </>
  );
}
