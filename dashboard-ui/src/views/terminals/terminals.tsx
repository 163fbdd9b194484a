import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { call, returns } from '../../client.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { orToast } from '../../parts/toasts.tsx';
import { ViewHeader } from '../../parts/viewHeader.tsx';
import { project, terminals } from '../../state.ts';
import { viewPath, type ViewProps } from '../../views.ts';
import type { TerminalWindow } from './terminalWindow.ts';

/** Real terminals, those of agents among them. `rest`: the id of one. */
export default function Terminals({ rest }: ViewProps) {
  const { route } = useLocation();
  const where = project.value;
  const own = terminals.value.filter((each) => each.project === where);
  const shown = own.find(({ id }) => id === rest) ?? own.findLast(({ state }) => state !== 'ended') ?? own.at(-1);
  const open = async () => {
    if (where === undefined) return;
    const { id } = await call('terminal.open', { project: where });
    route(viewPath('terminals', id));
  };
  return (
    <>
      <ViewHeader title="Terminals">
        <button type="button" class="primary" disabled={where === undefined} onClick={() => orToast(open())}>
          <Icon name="terminal" />
          New terminal
        </button>
      </ViewHeader>
      {own.length > 0 && (
        <div class="subTabs terminalTabs" role="navigation" aria-label="Terminals">
          {own.map((each) => (
            <a
              key={each.id}
              href={viewPath('terminals', each.id)}
              aria-current={each.id === shown?.id ? 'page' : undefined}
            >
              {visible(each.name)}
              <span class={`badge ${each.state === 'running' ? 'run' : ''}`}>{each.state}</span>
            </a>
          ))}
        </div>
      )}
      {shown === undefined ? (
        <EmptyState icon="terminal" title="No terminal is open">
          <p>Open one, or watch and type into those that agents open.</p>
        </EmptyState>
      ) : (
        <TerminalPane key={`${shown.id} ${returns.value}`} id={shown.id} />
      )}
    </>
  );
}

function TerminalPane({ id }: { id: string }) {
  const host = useRef<HTMLDivElement>(null);
  const attention = useSignal<string | undefined>(undefined);
  const state = useSignal('starting');
  const error = useSignal<unknown>(undefined);
  useEffect(() => {
    const gone = new AbortController();
    let window: TerminalWindow | undefined;
    let isOwn = false;
    const follow = async () => {
      const { TerminalWindow: Window } = await import('./terminalWindow.ts');
      const element = host.current;
      if (element === null || gone.signal.aborted) return;
      window = new Window(element, {
        type: (text) => orToast(call('terminal.type', { id, text })),
        resize: (columns, rows) => {
          if (isOwn) void call('terminal.resize', { id, columns, rows }).catch(() => undefined);
        },
      });
      for (let since = 0; !gone.signal.aborted;) {
        const part = await call('terminal.read', { id, since }, gone.signal);
        ({ isOwn } = part);
        if (isOwn) window.fill();
        else window.keepTo(part.columns, part.rows);
        if (part.data !== '') window.write(part.data);
        const isOver = part.state === 'ended' && part.position === since;
        since = part.position;
        state.value = part.state;
        attention.value = part.attention;
        if (isOver) return;
      }
    };
    follow().catch((thrown: unknown) => {
      if (!gone.signal.aborted) error.value = thrown;
    });
    return () => {
      gone.abort();
      window?.dispose();
    };
  }, [id]);
  if (error.value !== undefined) return <ErrorState error={error.value} />;
  return (
    <div class="terminalPane">
      {attention.value === 'password' && (
        <p class="banner" role="status">
          <Icon name="lock" />
          The program asks for a password. Agents may not type here now; what you type is not shown and not kept.
        </p>
      )}
      <div ref={host} class="terminalHost" />
      <footer>
        <span class="muted">{state.value === 'ended' ? 'The shell has ended.' : ''}</span>
        {state.value !== 'ended' && (
          <button type="button" class="danger" onClick={() => orToast(call('terminal.close', { id }))}>
            Close the terminal
          </button>
        )}
      </footer>
    </div>
  );
}
