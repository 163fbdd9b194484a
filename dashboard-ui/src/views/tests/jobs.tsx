import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { call, on, returns, tool } from '../../client.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { clockTime, durationText, visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { viewPath } from '../../views.ts';

const maxChars = 400_000;

/** Programs that run beside the calls, with what they print as they print it. */
export function Jobs({ where, chosen }: { where: string; chosen: string | undefined }) {
  const { route } = useLocation();
  const list = useLoaded(async () => call('jobs.list', { project: where }), [where]);
  useEffect(() => on('job', list.reload), [where]);
  const jobs = list.value;
  if (list.error !== undefined && jobs === undefined) return <ErrorState error={list.error} onRetry={list.reload} />;
  if (jobs?.length === 0)
    return (
      <EmptyState icon="play" title="Nothing was run yet">
        <p>Commands, run configurations and tests that agents start are listed here while they run, and afterwards.</p>
      </EmptyState>
    );
  const job = jobs?.find(({ id }) => id === chosen) ?? jobs?.[0];
  const stop = async (id: string) => {
    const reply = await tool('stop_job', { job_id: id }, where);
    if (reply.error !== undefined) toast(reply.error.message, 'failed');
    list.reload();
  };
  return (
    <div class="jobsView">
      <ul class="jobList" aria-label="Jobs">
        {jobs?.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              class="quiet"
              aria-current={each.id === job?.id ? 'true' : undefined}
              onClick={() => route(viewPath('tests', `jobs/${each.id}`), true)}
            >
              <span class={`badge ${each.state === 'running' ? 'run' : each.exit === 'exit 0' ? 'ok' : 'bad'}`}>
                {each.state === 'running' ? 'running' : (each.exit ?? each.state)}
              </span>
              <span class="mono jobName">{visible(each.name)}</span>
              <span class="muted">
                {clockTime(each.startedAt)} {durationText(each.durationMs)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {job !== undefined && (
        <section class="jobPane" aria-label="Output of the job">
          <header>
            <code>{visible(job.command)}</code>
            {job.state === 'running' && (
              <button type="button" class="danger" onClick={() => orToast(stop(job.id))}>
                <Icon name="stop" />
                Stop
              </button>
            )}
          </header>
          <JobOutput key={job.id} where={where} id={job.id} />
        </section>
      )}
    </div>
  );
}

function JobOutput({ where, id }: { where: string; id: string }) {
  const text = useSignal('');
  const error = useSignal<unknown>(undefined);
  const log = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const gone = new AbortController();
    text.value = '';
    error.value = undefined;
    const follow = async () => {
      let since = 0;
      for (let state = 'running'; !gone.signal.aborted;) {
        const part = await call('jobs.output', { project: where, id, since }, gone.signal);
        const lost = part.dropped > 0 ? `… ${part.dropped} bytes left out …\n` : '';
        if (part.text !== '') text.value = (text.value + lost + part.text).slice(-maxChars);
        if (state !== 'running' && part.position === since) return;
        since = part.position;
        state = part.state;
      }
    };
    follow().catch((thrown: unknown) => {
      if (!gone.signal.aborted) error.value = thrown;
    });
    return () => gone.abort();
  }, [id, where, returns.value]);
  useEffect(() => {
    const element = log.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [text.value]);
  if (error.value !== undefined) return <ErrorState error={error.value} />;
  return (
    <pre ref={log} class="jobOutput" tabIndex={0} role="log" aria-label="Output">
      {text.value === '' ? 'Nothing was printed yet.' : visible(text.value)}
    </pre>
  );
}
