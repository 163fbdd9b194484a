import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import type { CallSummary } from '../../../../src/dashboard/channel.ts';
import { addCommands } from '../../commands.ts';
import { CopyButton } from '../../parts/copyButton.tsx';
import { EmptyState } from '../../parts/emptyState.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { baseName, clockTime, countText, durationText, visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import { VirtualList } from '../../parts/virtualList.tsx';
import { viewPath, type ViewProps } from '../../views.ts';
import { CallPane } from './callPane.tsx';
import { calls, filter, isLoaded, load, loadError, noFilter, shown } from './calls.ts';
import { ClientFacts } from './clientFacts.tsx';
import { ExportMenu } from './exportMenu.tsx';
import { Filters } from './filters.tsx';
import { Timeline } from './timeline.tsx';
import { Totals } from './totals.tsx';

/** What agents called, as it happens. */
export default function Activity({ rest }: ViewProps) {
  const { route } = useLocation();
  const showsTotals = useSignal(false);
  const choose = (id: string | undefined) => route(viewPath('activity', id ?? ''), true);
  const chosen = rest === '' ? undefined : rest;
  useEffect(
    () =>
      addCommands([
        {
          id: 'activity.search',
          title: 'Search calls',
          group: 'Activity',
          key: '/',
          run: () => document.getElementById('call-search')?.focus(),
        },
        {
          id: 'activity.totals',
          title: 'Show totals',
          group: 'Activity',
          key: 't',
          run: () => (showsTotals.value = !showsTotals.value),
        },
        {
          id: 'activity.all',
          title: 'Show all calls',
          group: 'Activity',
          key: 'x',
          run: () => (filter.value = noFilter),
        },
        {
          id: 'activity.close',
          title: 'Close the call',
          group: 'Activity',
          key: 'Escape',
          run: () => choose(undefined),
        },
      ]),
    [],
  );
  return (
    <>
      <ViewHeader title="Activity">
        <button type="button" aria-pressed={showsTotals.value} onClick={() => (showsTotals.value = !showsTotals.value)}>
          <Icon name="chart" />
          Totals
        </button>
        <ExportMenu />
      </ViewHeader>
      <ClientFacts />
      <Timeline />
      <Filters />
      {showsTotals.value && <Totals />}
      <div class={`callArea ${chosen === undefined ? '' : 'withPane'}`}>
        <CallList chosen={chosen} onChoose={choose} />
        {chosen !== undefined && <CallPane key={chosen} id={chosen} onClose={() => choose(undefined)} />}
      </div>
    </>
  );
}

function CallList({ chosen, onChoose }: { chosen: string | undefined; onChoose: (id: string | undefined) => void }) {
  const follows = useSignal(true);
  const seen = useSignal(0);
  const toEnd = useSignal(0);
  // What was loaded stays to be looked at; the banner says that it is old.
  if (loadError.value !== undefined && !isLoaded.value)
    return <ErrorState error={loadError.value} onRetry={() => void load()} />;
  if (!isLoaded.value) return <p class="muted callsLoading">Loading calls…</p>;
  if (calls.value.length === 0)
    return (
      <EmptyState icon="pulse" title="No calls yet">
        <p>As soon as an agent calls a tool, it shows here. To try it yourself:</p>
        <p class="commandLine">
          <code>sightline call get_project_info</code>
          <CopyButton text="sightline call get_project_info" label="Copy the command" />
        </p>
      </EmptyState>
    );
  if (shown.value.length === 0)
    return (
      <EmptyState icon="search" title="No call is like that">
        <button type="button" onClick={() => (filter.value = noFilter)}>
          Show all {calls.value.length} calls
        </button>
      </EmptyState>
    );
  const fresh = follows.value ? 0 : Math.max(shown.value.length - seen.value, 0);
  return (
    <div class="callList">
      <div class="callHead" aria-hidden="true">
        <span>Time</span>
        <span>Tool</span>
        <span class="wide">Arguments</span>
        <span class="wide">Client</span>
        <span class="number">Took</span>
        <span class="number wide">Tokens</span>
      </div>
      <VirtualList
        items={shown.value}
        keyOf={(each) => each.id}
        row={(each) => <CallRow call={each} />}
        rowHeight={28}
        label="Calls"
        chosen={chosen}
        onChoose={onChoose}
        toEnd={toEnd.value}
        onFollow={(isAtEnd) => {
          follows.value = isAtEnd;
          seen.value = shown.value.length;
        }}
      />
      {!follows.value && (
        <button type="button" class="newCalls" onClick={() => toEnd.value++}>
          <Icon name="down" />
          {fresh === 0 ? 'To the newest' : `${fresh} new`}
        </button>
      )}
    </div>
  );
}

function CallRow({ call }: { call: CallSummary }) {
  return (
    <div class={`callRow ${call.status}`}>
      <span class="muted time">{clockTime(call.time)}</span>
      <span class="tool">
        <span class={`dot ${call.status}`} aria-hidden="true" />
        {visible(call.tool)}
        <span class="hidden">, {call.status}</span>
      </span>
      <span class="wide brief muted">{visible(call.error ?? call.brief)}</span>
      <span class="wide muted client" title={call.project}>
        {visible(call.client)}
        {call.project !== undefined && ` · ${baseName(call.project)}`}
      </span>
      <span class="number">{call.status === 'pending' ? '…' : durationText(call.durationMs)}</span>
      <span class="number wide muted">{call.tokens === undefined ? '' : countText(call.tokens)}</span>
    </div>
  );
}
