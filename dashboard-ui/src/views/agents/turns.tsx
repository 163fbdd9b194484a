import type { ThreadView, Turn } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { clockTime, visible } from '../../parts/format.ts';
import { orToast, toast } from '../../parts/toasts.tsx';

/** What each turn changed, newest first; each can be taken back. */
export function Turns({ thread }: { thread: ThreadView }) {
  const turns = thread.turns.filter(({ changes, problem }) => changes.length > 0 || problem !== undefined).toReversed();
  if (turns.length === 0)
    return (
      <EmptyState icon="diff" title="Nothing was changed yet">
        <p>What the agent changes, with our tools or by its own hands, stands here for each turn.</p>
      </EmptyState>
    );
  return (
    <ol class="turnChanges">
      {turns.map((turn) => (
        <li key={turn.number}>
          <TurnChanges id={thread.id} turn={turn} />
        </li>
      ))}
    </ol>
  );
}

function TurnChanges({ id, turn }: { id: string; turn: Turn }) {
  const isOpen = turn.changes.some(({ undone }) => !undone);
  const revert = async () => {
    const { files } = await call('agents.revert', { id, turn: turn.number });
    toast(`As before: ${files.join(', ')}`);
  };
  return (
    <>
      <header>
        <strong>Turn {turn.number}</strong> <span class="muted">{clockTime(turn.startedAt)}</span>
        <span>{visible(turn.prompt)}</span>
        {isOpen ? (
          <button type="button" class="danger" onClick={() => orToast(revert())}>
            Revert turn {turn.number}
          </button>
        ) : (
          <span class="badge">reverted</span>
        )}
      </header>
      {turn.problem !== undefined && <p class="threadProblem">{visible(turn.problem)}</p>}
      <ul>
        {turn.changes.flatMap(({ historyId, files, observed, undone }) =>
          files.map((file) => (
            <li key={`${historyId}${file}`}>
              <code>{visible(file)}</code>{' '}
              <span class="muted">
                {observed ? 'by its own hands' : 'with our tools'}
                {undone ? ', reverted' : ''}
              </span>
            </li>
          )),
        )}
      </ul>
    </>
  );
}
