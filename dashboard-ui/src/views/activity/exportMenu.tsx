import { useSignal } from '@preact/signals';
import { call } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { orToast, toast } from '../../parts/toasts.tsx';
import { calls, shown } from './calls.ts';

/** What is shown as a file, one session as a page, and clearing. */
export function ExportMenu() {
  const isOpen = useSignal(false);
  const clears = useSignal(false);
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)} disabled={calls.value.length === 0}>
        <Icon name="export" />
        Export
      </button>
      <button type="button" onClick={() => (clears.value = true)} disabled={calls.value.length === 0}>
        <Icon name="trash" />
        Clear
      </button>
      {isOpen.value && <ExportDialog onClose={() => (isOpen.value = false)} />}
      {clears.value && <ClearDialog onClose={() => (clears.value = false)} />}
    </>
  );
}

function ExportDialog({ onClose }: { onClose: () => void }) {
  const ids = shown.value.map((each) => each.id);
  const save = async (format: 'json' | 'csv') => {
    const { text } = await call('history.export', { ids, format });
    download(`sightline-calls.${format}`, text, format === 'json' ? 'application/json' : 'text/csv');
    onClose();
  };
  return (
    <Dialog title="Export" onClose={onClose}>
      <h3>The {ids.length} calls that are shown</h3>
      <p class="buttonRow">
        <button type="button" onClick={() => orToast(save('json'))}>
          As JSON
        </button>
        <button type="button" onClick={() => orToast(save('csv'))}>
          As CSV
        </button>
      </p>
      <h3>One session as a page</h3>
      <p class="muted">A single file that opens without Sightline. Secrets are redacted.</p>
      <ul class="sessionList">
        {sessionsOf().map((session) => (
          <li key={session.id}>
            <button type="button" onClick={() => orToast(saveSession(session, onClose))}>
              {visible(session.client)}, {session.ids.length} calls
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface ClientSession {
  id: string;
  client: string;
  ids: string[];
}

/** A session is what one connection of a client called. */
function sessionsOf(): ClientSession[] {
  const found = new Map<string, ClientSession>();
  for (const each of calls.value) {
    const id = each.clientId ?? each.client;
    const session = found.get(id) ?? { id, client: each.client, ids: [] };
    session.ids.push(each.id);
    found.set(id, session);
  }
  return [...found.values()].reverse();
}

async function saveSession(session: ClientSession, onDone: () => void): Promise<void> {
  const { text } = await call('history.exportHtml', { ids: session.ids, title: `Sightline: ${session.client}` });
  download('sightline-session.html', text, 'text/html');
  onDone();
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const clear = async () => {
    const { cleared } = await call('history.clear', {});
    toast(`${cleared} calls were cleared.`);
    onClose();
  };
  return (
    <Dialog title="Clear the history" onClose={onClose}>
      <p>All {calls.value.length} calls of every open project are forgotten, also on disk. This cannot be undone.</p>
      <p class="buttonRow">
        <button type="button" class="danger" onClick={() => orToast(clear())}>
          Clear
        </button>
        <button type="button" onClick={onClose}>
          Keep
        </button>
      </p>
    </Dialog>
  );
}

function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
