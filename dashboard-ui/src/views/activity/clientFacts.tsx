import { useSignal } from '@preact/signals';
import { CopyButton } from '../../parts/copyButton.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { agoText, visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import type { ClientSummary } from '../../../../src/dashboard/channel.ts';
import { clients, overview, projects } from '../../state.ts';

/** That it runs, where, for which projects, and who is connected. */
export function ClientFacts() {
  const opened = useSignal<string | undefined>(undefined);
  const known = overview.value;
  if (known === undefined) return null;
  const agents = clients.value.filter((client) => client.transport !== 'dashboard');
  const shown = agents.find((client) => client.id === opened.value);
  return (
    <div class="clientFacts">
      <span class="badge ok">running</span>
      <span class="url">
        <code>{known.url}/mcp</code>
        <CopyButton text={`${known.url}/mcp`} label="Copy the address" />
      </span>
      <span class="muted">
        {projects.value.length} {projects.value.length === 1 ? 'project' : 'projects'}
      </span>
      <span class="muted">{agents.length === 0 ? 'no agent is connected' : 'connected:'}</span>
      {agents.map((client) => (
        <button key={client.id} type="button" class="chip" onClick={() => (opened.value = client.id)}>
          <Icon name="plug" />
          {visible(client.name)}
        </button>
      ))}
      {shown !== undefined && <ClientDialog client={shown} onClose={() => (opened.value = undefined)} />}
    </div>
  );
}

function ClientDialog({ client, onClose }: { client: ClientSummary; onClose: () => void }) {
  return (
    <Dialog title={visible(client.name)} onClose={onClose}>
      <dl class="facts">
        <div>
          <dt>Connected</dt>
          <dd>
            {agoText(client.since)}, by {client.transport}
          </dd>
        </div>
        <div>
          <dt>Face</dt>
          <dd>{client.face}</dd>
        </div>
        {client.cwd !== undefined && (
          <div>
            <dt>Works in</dt>
            <dd class="mono">{visible(client.cwd)}</dd>
          </div>
        )}
        {client.quirks.length > 0 && (
          <div>
            <dt>Known of it</dt>
            <dd>{client.quirks.join('; ')}</dd>
          </div>
        )}
      </dl>
      <h3>
        {client.tools === undefined
          ? 'It has not asked for its tools yet'
          : `Tools it was shown (${client.tools.length})`}
      </h3>
      <ul class="toolNames">
        {(client.tools ?? []).map((name) => (
          <li key={name} class="mono">
            {name}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
