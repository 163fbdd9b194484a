import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { call } from '../../client.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { agoText, baseName, visible } from '../../parts/format.ts';
import { orToast } from '../../parts/toasts.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import { viewPath, type ViewProps } from '../../views.ts';
import { StateBadge } from './stateBadge.tsx';
import { StartForm } from './startForm.tsx';
import { Thread } from './thread.tsx';
import { followThreads, loadThreads, past, threads } from './threads.ts';

/** Agents that are hosted here: a list of threads, and one of them in full. */
export default function Agents({ rest }: ViewProps) {
  const { route } = useLocation();
  useEffect(() => {
    followThreads();
    orToast(loadThreads());
  }, []);
  const open = (id: string) => route(viewPath('agents', id));
  const chosen = threads.value.find(({ id }) => id === rest);
  return (
    <>
      <ViewHeader
        title="Agents"
        about={threads.value.length === 0 ? undefined : `${threads.value.length} running here`}
      />
      <div class="agents">
        <nav class="threadList" aria-label="Threads">
          <StartForm onStart={open} />
          <ul>
            {threads.value.map((thread) => (
              <li key={thread.id}>
                <a href={viewPath('agents', thread.id)} aria-current={thread.id === rest ? 'page' : undefined}>
                  <span class="threadTitle">{visible(thread.title || 'New thread')}</span>
                  <StateBadge state={thread.state} />
                  <span class="muted">
                    {visible(thread.agentTitle)} in {visible(thread.projectName)}
                  </span>
                </a>
              </li>
            ))}
          </ul>
          {past.value.length > 0 && <Earlier onOpen={open} />}
        </nav>
        {chosen === undefined ? (
          <EmptyState icon="agent" title="No thread is chosen">
            <p>
              Start an agent in a project: it has the tools of Sightline, asks you here, and each turn can be taken
              back.
            </p>
          </EmptyState>
        ) : (
          <Thread key={chosen.id} thread={chosen} onClosed={() => route(viewPath('agents'))} />
        )}
      </div>
    </>
  );
}

function Earlier({ onOpen }: { onOpen: (id: string) => void }) {
  return (
    <details>
      <summary>Earlier ({past.value.length})</summary>
      <ul>
        {past.value.slice(0, 50).map((each) => (
          <li key={each.id}>
            <button
              type="button"
              class="quiet"
              title="Take it up again"
              onClick={() => orToast(takeUp(each.id, onOpen))}
            >
              <span class="threadTitle">{visible(each.title || each.agent)}</span>
              <span class="muted">
                {visible(each.agent)} in {visible(baseName(each.project))}, {agoText(each.updatedAt)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

async function takeUp(threadId: string, onOpen: (id: string) => void): Promise<void> {
  const { id } = await call('agents.start', { threadId });
  await loadThreads();
  onOpen(id);
}
