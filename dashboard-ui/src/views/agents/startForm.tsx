import { useSignal } from '@preact/signals';
import { call } from '../../client.ts';
import { baseName, visible } from '../../parts/format.ts';
import { orToast } from '../../parts/toasts.tsx';
import { project, projects } from '../../state.ts';
import { agents, loadThreads } from './threads.ts';

/** Which agent, in which project. One that is not on this machine is fetched by npm, and says so before. */
export function StartForm({ onStart }: { onStart: (id: string) => void }) {
  const wanted = useSignal('');
  const where = useSignal('');
  const isBusy = useSignal(false);
  const offered = agents.value.filter(({ found, packageSpec }) => found !== undefined || packageSpec !== undefined);
  const agent =
    offered.find(({ id }) => id === wanted.value) ?? offered.find(({ found }) => found !== undefined) ?? offered[0];
  const cwd = where.value === '' ? project.value : where.value;
  const start = async () => {
    if (agent === undefined || cwd === undefined) return;
    isBusy.value = true;
    try {
      const { id } = await call('agents.start', { agent: agent.id, cwd, fromNpm: agent.found === undefined });
      await loadThreads();
      onStart(id);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      class="startAgent"
      onSubmit={(event) => {
        event.preventDefault();
        orToast(start());
      }}
    >
      <label>
        Agent
        <select value={agent?.id ?? ''} onChange={(event) => (wanted.value = event.currentTarget.value)}>
          {offered.map(({ id, title, found }) => (
            <option key={id} value={id}>
              {visible(title)}
              {found === undefined ? ' (from npm)' : ''}
            </option>
          ))}
        </select>
      </label>
      <label>
        Project
        <select value={cwd ?? ''} onChange={(event) => (where.value = event.currentTarget.value)}>
          {projects.value.map(({ path }) => (
            <option key={path} value={path}>
              {visible(baseName(path))}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary" disabled={isBusy.value || agent === undefined || cwd === undefined}>
        Start
      </button>
      {agent?.found === undefined && agent?.packageSpec !== undefined && (
        <p class="muted">Runs {visible(agent.packageSpec)} with npx.</p>
      )}
    </form>
  );
}
