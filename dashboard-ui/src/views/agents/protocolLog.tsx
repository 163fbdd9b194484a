import { useSignal } from '@preact/signals';
import { call } from '../../client.ts';
import { ErrorState } from '../../parts/errorState.tsx';
import { clockTime, visible } from '../../parts/format.ts';
import { JsonText } from '../../parts/jsonText.tsx';
import { useLoaded } from '../../parts/loaded.ts';

const arrows = { in: 'agent →', out: '→ agent', noise: 'noise' } as const;

/** Every message in both directions, for who wonders. */
export function ProtocolLog({ id }: { id: string }) {
  const wanted = useSignal('');
  const { value, error, reload } = useLoaded(() => call('agents.log', { id }), [id]);
  if (value === undefined) return error === undefined ? null : <ErrorState error={error} onRetry={reload} />;
  const shown = value.messages.filter(
    ({ message }) => wanted.value === '' || JSON.stringify(message).includes(wanted.value),
  );
  return (
    <div class="protocolLog">
      <div class="buttonRow">
        <input
          type="search"
          aria-label="Find in the log"
          placeholder="Find"
          value={wanted.value}
          onInput={(event) => (wanted.value = event.currentTarget.value)}
        />
        <button type="button" onClick={reload}>
          Refresh
        </button>
      </div>
      <ol tabIndex={0} aria-label="Messages">
        {shown.slice(-300).map(({ seq, time, direction, message }) => (
          <li key={seq}>
            <details>
              <summary>
                <span class="muted">{clockTime(time)}</span> <span class="badge">{arrows[direction]}</span>{' '}
                {visible(title(message))}
              </summary>
              <JsonText value={message} />
            </details>
          </li>
        ))}
      </ol>
    </div>
  );
}

function title(message: unknown): string {
  if (typeof message !== 'object' || message === null) return String(message).slice(0, 120);
  const fields: Record<string, unknown> = { ...message };
  const { method, id, params } = fields;
  const update = typeof params === 'object' && params !== null && 'update' in params ? params.update : undefined;
  const kind =
    typeof update === 'object' && update !== null && 'sessionUpdate' in update
      ? ` ${String(update.sessionUpdate)}`
      : '';
  return typeof method === 'string' ? `${method}${kind}` : `answer ${String(id)}`;
}
