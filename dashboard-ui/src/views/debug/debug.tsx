import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { addCommands, type Command } from '../../commands.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { agoText, baseName, visible } from '../../parts/format.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import { project, sessions } from '../../state.ts';
import { viewPath, type ViewProps } from '../../views.ts';
import { Console } from './console.tsx';
import { Controls, controls } from './controls.tsx';
import { Filmstrip, stepInTime } from './filmstrip.tsx';
import { Breakpoints, Pane, Processes, Stack, Threads, Watches } from './panes.tsx';
import {
  cursor,
  deeds,
  follow,
  frame,
  likelySession,
  load,
  loadError,
  past,
  sessionId,
  showStop,
  view,
} from './sessionState.ts';
import { BreakpointDialog, SourcePane, toggleBreakpoint, type Edited } from './sourcePane.tsx';
import { Values } from './values.tsx';

/** The program that is being debugged, by whoever debugs it. `rest`: `<session>` or `<session>/<stop>`. */
export default function Debug({ rest }: ViewProps) {
  const [wanted = '', stop = ''] = rest.split('/');
  const id = wanted === '' ? likelySession(project.value) : wanted;
  const edited = useSignal<Edited | undefined>(undefined);
  useEffect(() => follow(), []);
  useEffect(() => {
    if (sessionId.value !== id) {
      sessionId.value = id;
      view.value = undefined;
      loadError.value = undefined;
    }
    void load();
  }, [id]);
  useEffect(() => void showStop(stop === '' ? undefined : Number(stop)), [id, stop]);
  useEffect(() => addCommands(commands()), []);
  if (id === undefined)
    return (
      <>
        <ViewHeader title="Debug" />
        <EmptyState icon="bug" title="Nothing is being debugged">
          <p>
            When an agent starts a debug session, the program appears here: where it stands, what it sees, and you can
            take over.
          </p>
        </EmptyState>
      </>
    );
  const edit = (what: Edited) => (edited.value = what);
  return (
    <div class="debugView">
      <Header />
      {loadError.value !== undefined && view.value === undefined ? (
        <div class="viewBody">
          <ErrorState error={loadError.value} onRetry={() => void load()} />
        </div>
      ) : (
        <>
          <Filmstrip />
          <div class="debugMain">
            <div class="debugSource">
              <StopNote />
              <SourcePane edit={edit} />
              <Console />
            </div>
            <aside class="debugSide" aria-label="State of the program">
              <Tabs label="State of the program" tabs={sideTabs(edit)} />
            </aside>
          </div>
        </>
      )}
      {edited.value !== undefined && (
        <BreakpointDialog edited={edited.value} onClose={() => (edited.value = undefined)} />
      )}
    </div>
  );
}

function sideTabs(edit: (what: Edited) => void) {
  return [
    {
      id: 'state',
      title: 'State',
      content: () => (
        <>
          <Pane title="Variables">
            <Values />
          </Pane>
          <Pane title="Watches">
            <Watches />
          </Pane>
          <Pane title="Call stack">
            <Stack />
          </Pane>
        </>
      ),
    },
    {
      id: 'breakpoints',
      title: 'Breakpoints',
      content: () => <Breakpoints edit={edit} />,
    },
    {
      id: 'processes',
      title: 'Processes',
      content: () => (
        <>
          <Pane title="Processes">
            <Processes />
          </Pane>
          <Pane title="Threads">
            <Threads />
          </Pane>
        </>
      ),
    },
  ];
}

function Header() {
  const { route } = useLocation();
  const session = view.value;
  const [latest] = deeds.value;
  const own = sessions.value.filter((each) => each.project === project.value || each.id === sessionId.value);
  return (
    <header class="viewHeader">
      <h1>Debug</h1>
      {own.length > 0 && (
        <select
          aria-label="Session"
          value={sessionId.value}
          onChange={(event) => route(viewPath('debug', event.currentTarget.value))}
        >
          {own.every(({ id }) => id !== sessionId.value) && <option value={sessionId.value}>choose a session</option>}
          {own.map((each) => (
            <option key={each.id} value={each.id}>
              {visible(each.name)} ({each.state})
            </option>
          ))}
        </select>
      )}
      {session !== undefined && (
        <span class={`badge ${session.state === 'paused' ? 'warn' : session.state === 'ended' ? '' : 'run'}`}>
          {session.state === 'ended' ? 'ended' : session.state}
        </span>
      )}
      {latest !== undefined && (
        <span class="muted lastDeed" title={deeds.value.map(deedText).join('\n')}>
          {deedText(latest)}, {agoText(latest.time)}
        </span>
      )}
      <div class="actions">
        <Controls />
      </div>
    </header>
  );
}

function deedText({ client, tool }: { client: string; tool: string }): string {
  return `${client === 'dashboard' ? 'you' : visible(client)}: ${tool.replaceAll('_', ' ')}`;
}

/** Why the program stands where it stands. */
function StopNote() {
  const stop = past.value ?? view.value?.stop;
  const here = frame.value;
  if (stop === undefined) return null;
  const { exception } = stop;
  return (
    <div class={`stopNote ${exception === undefined ? '' : 'failure'}`}>
      <span class="mono">
        {here?.file === undefined ? visible(here?.name ?? '') : `${visible(baseName(here.file))}:${here.line ?? 0}`}
      </span>
      <span class="muted">{here?.file === undefined ? '' : visible(here.name)}</span>
      <span class="badge">{stop.reason}</span>
      {exception !== undefined && (
        <span class="bad">
          {visible(exception.type)}: {visible(exception.message)}
        </span>
      )}
    </div>
  );
}

function commands(): Command[] {
  return [
    ...controls.map(({ id, title, key, run }) => ({
      id: `debug.${id}`,
      title,
      group: 'Debug',
      key,
      whileTyping: true,
      run,
    })),
    {
      id: 'debug.breakpoint',
      title: 'Breakpoint at the cursor',
      group: 'Debug',
      key: 'F9',
      whileTyping: true,
      run: () => {
        const at = cursor.value;
        if (at !== undefined) toggleBreakpoint(at.file, at.line);
      },
    },
    { id: 'debug.earlier', title: 'The stop before', group: 'Debug', key: 'Alt+ArrowLeft', run: () => stepInTime(-1) },
    { id: 'debug.later', title: 'The stop after', group: 'Debug', key: 'Alt+ArrowRight', run: () => stepInTime(1) },
  ];
}
