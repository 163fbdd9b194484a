import { useEffect } from 'preact/hooks';
import type { ServerSummary } from '../../../../src/dashboard/channel.ts';
import { call, on } from '../../client.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { baseName, sizeText } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast, toast } from '../../parts/toasts.tsx';

/** Language servers that run, with their state and memory. */
export function Servers() {
  const { value, error, reload } = useLoaded(() => call('health.servers', {}), []);
  useEffect(() => on('servers', reload), [reload]);
  // Memory and state change without an event; a glance every few seconds is enough while somebody looks.
  useEffect(() => {
    const timer = setInterval(reload, 5000);
    return () => clearInterval(timer);
  }, [reload]);
  const restart = async ({ project, id, crash }: ServerSummary) => {
    await call(crash === undefined ? 'health.restart' : 'health.forgive', { project, server: id });
    toast('It was ended and starts anew with the next question.');
  };
  if (value === undefined)
    return error === undefined ? <p class="muted">Looking…</p> : <ErrorState error={error} onRetry={reload} />;
  if (value.length === 0)
    return (
      <EmptyState icon="heart" title="No language server runs">
        <p>One starts by itself when an agent first asks about code of its language.</p>
      </EmptyState>
    );
  return (
    <div class="tableScroll" tabIndex={0} role="region" aria-label="Language servers">
      <table class="plainTable">
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Project</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Memory
            </th>
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {value.map((server) => (
            <tr key={`${server.id} ${server.project}`}>
              <th scope="row">{server.title}</th>
              <td title={server.project}>{baseName(server.project)}</td>
              <td>
                <span class={`badge ${stateClass(server.state)}`}>{server.state}</span>
              </td>
              <td class="number">{server.memoryBytes === undefined ? '' : sizeText(server.memoryBytes)}</td>
              <td class="number">
                <button type="button" onClick={() => orToast(restart(server))}>
                  <Icon name="refresh" />
                  Restart
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function stateClass(state: string): string {
  return { ready: 'ok', crashed: 'bad' }[state] ?? 'run';
}
