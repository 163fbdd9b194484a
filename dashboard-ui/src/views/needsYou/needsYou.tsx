import { useSignal } from '@preact/signals';
import type { ApprovalSummary } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { CodeText } from '../../parts/codeText.tsx';
import { DiffText, isDiff } from '../../parts/diffText.tsx';
import { EmptyState } from '../../parts/emptyState.tsx';
import { agoText, baseName, visible } from '../../parts/format.ts';
import { JsonText } from '../../parts/jsonText.tsx';
import { orToast, toast } from '../../parts/toasts.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import {
  approvals,
  askingThreads,
  crashedServers,
  fallenAdapters,
  passwordPrompts,
  pendingApprovals,
  waitingCount,
} from '../../state.ts';
import { AskingThread, CrashedServer, FallenAdapter, PasswordPrompt } from './otherQuestions.tsx';

/** What waits for a person. Never a window in the way: agents wait, people look when they want to. */
export default function NeedsYou() {
  const waiting = waitingCount.value;
  const decided = approvals.value.filter((each) => each.state !== 'pending').slice(-5);
  return (
    <>
      <ViewHeader title="Needs you" about={waiting === 0 ? undefined : `${waiting} waiting`} />
      <div class="viewBody needsYou">
        {waiting === 0 && (
          <EmptyState icon="check" title="Nothing waits for you">
            <p>
              When an agent wants something that your policy asks about, it waits here for your answer. So do programs
              that ask for a password, and language servers and debug adapters that ended by themselves.
            </p>
          </EmptyState>
        )}
        {passwordPrompts.value.map((each) => (
          <PasswordPrompt key={each.id} terminal={each} />
        ))}
        {pendingApprovals.value.map((each) => (
          <Question key={each.id} approval={each} />
        ))}
        {askingThreads.value.map((each) => (
          <AskingThread key={each.id} thread={each} />
        ))}
        {crashedServers.value.map((each) => (
          <CrashedServer key={`${each.id} ${each.project}`} server={each} />
        ))}
        {fallenAdapters.value.map((each) => (
          <FallenAdapter key={`${each.language} ${each.project}`} fallen={each} />
        ))}
        {decided.length > 0 && <Decided approvals={decided} />}
      </div>
    </>
  );
}

function Question({ approval }: { approval: ApprovalSummary }) {
  const denies = useSignal(false);
  const reason = useSignal('');
  const isBusy = useSignal(false);
  const decide = async (decision: 'once' | 'session' | 'deny') => {
    isBusy.value = true;
    try {
      await call('approvals.decide', { id: approval.id, decision, reason: reason.value });
      toast(decision === 'deny' ? 'Denied; the agent is told.' : 'Approved; the call goes on.');
    } finally {
      isBusy.value = false;
    }
  };
  const label = `${approval.client} wants ${approval.tool}`;
  return (
    <article class="question" aria-label={visible(label)}>
      <header>
        <h2>
          {visible(approval.client)} wants <code>{visible(approval.tool)}</code>
        </h2>
        <span class={`badge ${approval.effect === 'destructive' ? 'bad' : 'warn'}`}>{approval.effect}</span>
        <span class="muted">
          {approval.project === undefined ? '' : `in ${baseName(approval.project)}, `}
          {agoText(approval.createdAt)}
        </span>
      </header>
      {approval.note !== undefined && <p class="muted">{visible(approval.note)}</p>}
      <Subject approval={approval} />
      {denies.value && (
        <label class="reason">
          Why not? The agent reads it.
          <textarea rows={2} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />
        </label>
      )}
      <div class="buttonRow">
        {!denies.value && (
          <>
            <button type="button" class="primary" disabled={isBusy.value} onClick={() => orToast(decide('once'))}>
              Approve once
            </button>
            <button
              type="button"
              disabled={isBusy.value}
              title={`Every call of ${approval.tool} by this client, as long as it is connected`}
              onClick={() => orToast(decide('session'))}
            >
              Approve for this session
            </button>
          </>
        )}
        <button
          type="button"
          class="danger"
          disabled={isBusy.value}
          onClick={() => (denies.value ? orToast(decide('deny')) : (denies.value = true))}
        >
          {denies.value ? 'Deny' : 'Deny…'}
        </button>
        {denies.value && (
          <button type="button" class="quiet" onClick={() => (denies.value = false)}>
            Back
          </button>
        )}
      </div>
    </article>
  );
}

/** The exact thing: the change as a diff, the command as typed, or all arguments. */
function Subject({ approval }: { approval: ApprovalSummary }) {
  const { shown, args } = approval;
  const { command } = args;
  if (shown !== undefined) return isDiff(shown) ? <DiffText text={shown} /> : <CodeText text={shown} />;
  if (typeof command === 'string')
    return (
      <>
        <CodeText text={command} />
        {Object.keys(args).length > 1 && <JsonText value={{ ...args, command: undefined }} />}
      </>
    );
  return <JsonText value={args} />;
}

function Decided({ approvals: list }: { approvals: readonly ApprovalSummary[] }) {
  return (
    <section class="decided">
      <h3>Answered</h3>
      <ul>
        {list.toReversed().map((each) => (
          <li key={each.id}>
            <span class={`badge ${each.state === 'approved' ? 'ok' : 'bad'}`}>{each.state}</span>
            <code>{visible(each.tool)}</code>
            <span class="muted">
              {visible(each.client)}, by {each.decidedBy ?? 'nobody'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
