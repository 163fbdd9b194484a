import { useEffect } from 'preact/hooks';
import type { ThreadView } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { visible } from '../../parts/format.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { orToast } from '../../parts/toasts.tsx';
import { Composer } from './composer.tsx';
import { Facts } from './facts.tsx';
import { ProtocolLog } from './protocolLog.tsx';
import { Questions } from './questions.tsx';
import { SourceTab } from './sourceTab.tsx';
import { StateBadge } from './stateBadge.tsx';
import { itemsOf, loadItems } from './threads.ts';
import { Transcript } from './transcript.tsx';
import { Turns } from './turns.tsx';

/** One thread in full: what is said and done, what waits, what was changed. */
export function Thread({ thread, onClosed }: { thread: ThreadView; onClosed: () => void }) {
  const { id, state } = thread;
  const items = itemsOf(id);
  useEffect(() => {
    if (items === undefined) orToast(loadItems(id));
  }, [id, items === undefined]);
  const close = async () => {
    await call('agents.close', { id });
    onClosed();
  };
  return (
    <section class="thread" aria-label={visible(thread.title || 'New thread')}>
      <header>
        <h2>{visible(thread.title || 'New thread')}</h2>
        <StateBadge state={state} />
        <span class="muted">
          {visible(thread.agentTitle)} {visible(thread.agentVersion ?? '')}
        </span>
        <div class="actions">
          {(state === 'running' || state === 'needs_you') && (
            <button type="button" class="danger" onClick={() => orToast(call('agents.cancel', { id }))}>
              Cancel
            </button>
          )}
          <button type="button" onClick={() => orToast(call('agents.restart', { id }))}>
            Restart
          </button>
          <button type="button" class="quiet" onClick={() => orToast(close())}>
            Close
          </button>
        </div>
      </header>
      {thread.problem !== undefined && (
        <p class="threadProblem" role="alert">
          {visible(thread.problem)}
        </p>
      )}
      <SignIn thread={thread} />
      <Facts thread={thread} />
      <Tabs
        label="Thread"
        tabs={[
          {
            id: 'talk',
            title: 'Conversation',
            content: () => <Transcript items={items ?? []} project={thread.project} />,
          },
          {
            id: 'source',
            title: 'Source',
            content: () => <SourceTab items={items ?? []} project={thread.project} />,
          },
          {
            id: 'changes',
            title: `Changes (${thread.turns.filter(({ changes }) => changes.length > 0).length})`,
            content: () => <Turns thread={thread} />,
          },
          { id: 'log', title: 'Protocol log', content: () => <ProtocolLog id={id} /> },
        ]}
      />
      <Questions thread={thread} />
      <Composer thread={thread} />
    </section>
  );
}

function SignIn({ thread }: { thread: ThreadView }) {
  if (thread.state !== 'signed_out') return null;
  return (
    <div class="signIn">
      {thread.terminalId === undefined ? (
        thread.signIn.map(({ id, name, description }) => (
          <button
            key={id}
            type="button"
            class="primary"
            title={description}
            onClick={() => orToast(call('agents.signIn', { id: thread.id, methodId: id }))}
          >
            Sign in: {visible(name)}
          </button>
        ))
      ) : (
        <p>
          Sign in in a terminal: <code>sightline terminal {thread.terminalId}</code>
        </p>
      )}
    </div>
  );
}
