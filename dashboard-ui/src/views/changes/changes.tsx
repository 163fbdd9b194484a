import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect, useMemo } from 'preact/hooks';
import type { ChangesOverview, HunkView, ReviewView } from '../../../../src/dashboard/channel.ts';
import { call, on, tool } from '../../client.ts';
import { addCommands } from '../../commands.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/emptyState.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { clockTime, visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import { project } from '../../state.ts';
import { viewPath, type ViewProps } from '../../views.ts';
import { FileDiff } from './fileDiff.tsx';
import { scopeOf, scopeText } from './scope.ts';

/** What was changed, to be accepted, taken back or commented on. `rest`: `<scope>` or `<scope>/<hunk>`. */
export default function Changes({ rest }: ViewProps) {
  const [scopeName = '', hunkId] = (rest === '' ? 'all' : rest).split('/');
  const where = project.value;
  const { route } = useLocation();
  const overview = useLoaded(
    async () => (where === undefined ? undefined : call('changes.overview', { project: where })),
    [where],
  );
  const scope = useMemo(() => scopeOf(scopeName), [scopeName]);
  const review = useLoaded(
    async () => (where === undefined ? undefined : call('changes.review', { project: where, scope })),
    [where, scopeName],
  );
  const reload = () => {
    overview.reload();
    review.reload();
  };
  useEffect(() => on('change', reload), [where, scopeName]);
  const choose = (name: string, hunk?: string) =>
    route(viewPath('changes', hunk === undefined ? name : `${name}/${hunk}`), true);
  const hunks = review.value?.files.flatMap((file) => file.hunks.map((hunk) => ({ file, hunk }))) ?? [];
  const chosen = hunks.find(({ hunk }) => hunk.id === hunkId);
  const commenting = useSignal<{ file: string; line: number; code: string; hunkId: string } | undefined>(undefined);
  const step = (by: number) => {
    const at = hunks.findIndex(({ hunk }) => hunk.id === hunkId);
    const next = hunks[Math.min(Math.max(at + by, 0), hunks.length - 1)];
    if (next !== undefined) choose(scopeName, next.hunk.id);
  };
  const accept = async (id: string, accepted: boolean) => {
    if (where === undefined) return;
    await call('changes.accept', { project: where, hunk: id, accepted });
    review.reload();
  };
  const revert = async (id: string) => {
    if (where === undefined) return;
    await call('changes.revertHunk', { project: where, scope, hunk: id });
    toast('Reverted; the agent is told with its next answer.');
    reload();
  };
  useEffect(
    () =>
      addCommands([
        { id: 'changes.next', title: 'Next hunk', group: 'Changes', key: 'j', run: () => step(1) },
        { id: 'changes.previous', title: 'Previous hunk', group: 'Changes', key: 'k', run: () => step(-1) },
        {
          id: 'changes.accept',
          title: 'Accept the hunk, and go to the next',
          group: 'Changes',
          key: 'a',
          run: () => {
            if (chosen === undefined) return;
            orToast(accept(chosen.hunk.id, review.value?.accepted.includes(chosen.hunk.id) !== true));
            step(1);
          },
        },
        {
          id: 'changes.revert',
          title: 'Revert the hunk',
          group: 'Changes',
          key: 'r',
          run: () => chosen !== undefined && orToast(revert(chosen.hunk.id)),
        },
        {
          id: 'changes.ask',
          title: 'Ask a command line about the hunk',
          group: 'Changes',
          key: 'q',
          run: () => chosen !== undefined && where !== undefined && orToast(ask(where, chosen)),
        },
        {
          id: 'changes.comment',
          title: 'Comment on the hunk',
          group: 'Changes',
          key: 'm',
          run: () => {
            if (chosen === undefined) return;
            const at = chosen.hunk.lines.findIndex(({ mark }) => mark !== ' ');
            const line = chosen.hunk.newStart + Math.max(at, 0);
            const code = chosen.hunk.lines[at]?.text ?? '';
            commenting.value = { file: chosen.file.file, line, code, hunkId: chosen.hunk.id };
          },
        },
      ]),
    [hunkId, review.value, scopeName],
  );
  useEffect(() => {
    if (hunkId !== undefined) document.getElementById(`hunk-${hunkId}`)?.scrollIntoView({ block: 'nearest' });
  }, [hunkId, review.value === undefined]);
  if (where === undefined) return <NoProject />;
  return (
    <>
      <Header
        where={where}
        scopeName={scopeName}
        overview={overview.value}
        review={review.value}
        choose={choose}
        onChanged={reload}
      />
      <div class="changesView">
        <ChangeList overview={overview.value} scopeName={scopeName} choose={choose} />
        <div class="hunks">
          {review.error !== undefined && review.value === undefined && (
            <ErrorState error={review.error} onRetry={review.reload} />
          )}
          {review.value?.files.length === 0 && (
            <EmptyState icon="diff" title="Nothing differs here">
              <p>What agents change through Sightline appears here, to be looked at, accepted or taken back.</p>
            </EmptyState>
          )}
          {review.value?.files.map((file) => (
            <FileDiff
              key={file.file}
              file={file}
              review={review.value as ReviewView}
              chosen={hunkId}
              scopeName={scopeName}
              onChoose={(id) => choose(scopeName, id)}
              onAccept={(id, accepted) => orToast(accept(id, accepted))}
              onRevert={(id) => orToast(revert(id))}
              onComment={(comment) => (commenting.value = comment)}
              onUncomment={(id) => orToast(call('changes.uncomment', { project: where, id }).then(review.reload))}
            />
          ))}
          {(review.value?.moreFiles ?? 0) > 0 && <p class="muted">{review.value?.moreFiles} more files</p>}
        </div>
      </div>
      {commenting.value !== undefined && (
        <CommentDialog
          place={commenting.value}
          where={where}
          onClose={() => (commenting.value = undefined)}
          onSaved={review.reload}
        />
      )}
    </>
  );
}

function NoProject() {
  return (
    <>
      <ViewHeader title="Changes" />
      <EmptyState icon="diff" title="No project is open">
        <p>An agent opens one by working in it.</p>
      </EmptyState>
    </>
  );
}

function Header(props: {
  where: string;
  scopeName: string;
  overview: ChangesOverview | undefined;
  review: ReviewView | undefined;
  choose: (name: string) => void;
  onChanged: () => void;
}) {
  const { where, scopeName, overview, review, choose, onChanged } = props;
  const clients = new Map(
    (overview?.changes ?? []).flatMap(({ client, clientName }) =>
      client === undefined ? [] : [[client, clientName ?? client] as const],
    ),
  );
  const comments = review?.comments.length ?? 0;
  const scope = scopeOf(scopeName);
  const canUndo = scope.commit === undefined && Object.keys(scope).length > 0 && (review?.files.length ?? 0) > 0;
  const undo = async () => {
    const { historyId: history_id, callId: call_id, client, since } = scope;
    const args = Object.fromEntries(
      Object.entries({ history_id, call_id, client, since }).filter(([, value]) => value !== undefined),
    );
    const reply = await tool('undo', args, where);
    if (reply.error === undefined) toast('Taken back; the agent is told with its next answer.');
    else toast(reply.error.message, 'failed');
    onChanged();
  };
  const send = async () => {
    const { sent } = await call('changes.send', { project: where });
    toast(`${sent} ${sent === 1 ? 'comment goes' : 'comments go'} to the agent with its next answer.`);
    onChanged();
  };
  const sinceMs = [15 * 60_000, 3_600_000, 24 * 3_600_000];
  return (
    <header class="viewHeader">
      <h1>Changes</h1>
      <select aria-label="Which changes" value={scopeName} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="all">Everything remembered</option>
        {scopeName.startsWith('change.') && <option value={scopeName}>One change</option>}
        {scopeName.startsWith('call.') && <option value={scopeName}>One call</option>}
        {scopeName.startsWith('since.') && <option value={scopeName}>Since {clockTime(scope.since ?? '')}</option>}
        {sinceMs.map((ms) => (
          <option
            key={ms}
            value={scopeText('since', new Date(Math.floor(Date.now() / 60_000) * 60_000 - ms).toISOString())}
          >
            {ms < 3_600_000 ? `Last ${ms / 60_000} minutes` : `Last ${ms / 3_600_000} h`}
          </option>
        ))}
        {[...clients].map(([id, name]) => (
          <option key={id} value={scopeText('client', id)}>
            By {visible(name)} ({visible(id.slice(-6))})
          </option>
        ))}
        {overview?.commits.map(({ id, title }) => (
          <option key={id} value={scopeText('commit', id)}>
            Since {id.slice(0, 8)} {visible(title)}
          </option>
        ))}
      </select>
      <p class="muted">{review === undefined || review.files.length === 0 ? '' : totals(review)}</p>
      <div class="actions">
        {comments > 0 && (
          <button type="button" class="primary" onClick={() => orToast(send())}>
            <Icon name="comment" />
            Send {comments} {comments === 1 ? 'comment' : 'comments'}
          </button>
        )}
        <button
          type="button"
          class="danger"
          disabled={!canUndo}
          onClick={() => orToast(undo())}
          title={
            canUndo ? 'Takes back everything shown' : 'Choose an agent, a time or a call above: only that is taken back'
          }
        >
          <Icon name="undo" />
          Take all back
        </button>
      </div>
    </header>
  );
}

function totals({ files, accepted }: ReviewView): string {
  const hunks = files.flatMap((file) => file.hunks);
  const done = hunks.filter(({ id }) => accepted.includes(id)).length;
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${done} of ${hunks.length} hunks accepted`;
}

function ChangeList(props: {
  overview: ChangesOverview | undefined;
  scopeName: string;
  choose: (name: string) => void;
}) {
  const { overview, scopeName, choose } = props;
  // Nothing to choose from needs no room.
  if (overview?.changes.length === 0) return null;
  return (
    <nav class="changeList" aria-label="Changes by call">
      <ul>
        {overview?.changes.map((change) => {
          const name = scopeText('change', change.id);
          return (
            <li key={change.id}>
              <button
                type="button"
                class="quiet"
                aria-current={scopeName === name ? 'true' : undefined}
                onClick={() => choose(name)}
              >
                <span class={`changeSummary ${change.isUndone ? 'undone' : ''}`}>{visible(change.summary)}</span>
                <span class="muted">
                  {clockTime(change.time)} · {visible(change.clientName ?? 'a program')}
                  {change.isUndone ? ' · taken back' : change.isByProgram ? ' · by a program' : ''}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Makes the hunk the selection of every command line whose IDE this is. */
async function ask(project: string, { file, hunk }: { file: { file: string }; hunk: HunkView }): Promise<void> {
  const lines = hunk.lines.filter(({ mark }) => mark !== '-').map(({ text }) => text);
  const fromLine = Math.max(hunk.newStart, 1);
  const toLine = fromLine + Math.max(lines.length - 1, 0);
  const text = lines.join('\n').slice(0, 16_000);
  const { told } = await call('changes.ask', { project, file: file.file, fromLine, toLine, text });
  toast(
    told === 0
      ? 'No command line has Sightline as its IDE here; the setting ide.protocols turns that on.'
      : `${told} ${told === 1 ? 'command line has' : 'command lines have'} it as the selection.`,
  );
}

function CommentDialog(props: {
  place: { file: string; line: number; code: string; hunkId: string };
  where: string;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { place, where, onClose, onSaved } = props;
  const text = useSignal('');
  const save = async () => {
    if (text.value.trim() === '') return;
    await call('changes.comment', { project: where, comment: { ...place, text: text.value } });
    onClose();
    onSaved();
  };
  return (
    <Dialog title={`Comment on ${place.file}:${place.line}`} onClose={onClose}>
      <form
        class="breakpointForm"
        onSubmit={(event) => {
          event.preventDefault();
          orToast(save());
        }}
      >
        <code class="commentedCode">{visible(place.code.trimEnd())}</code>
        <textarea
          aria-label="Comment"
          rows={4}
          ref={(element) => element?.focus()}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) orToast(save());
          }}
        />
        <p class="muted">Comments are collected; you send them to the agent together.</p>
        <div class="formActions">
          <button type="submit" class="primary">
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}
