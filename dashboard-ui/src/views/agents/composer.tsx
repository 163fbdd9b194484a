import { useSignal } from '@preact/signals';
import type { ThreadView } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { visible } from '../../parts/format.ts';
import { orToast } from '../../parts/toasts.tsx';

/** Where prompts are written. While the agent works they wait, and can be taken back. */
export function Composer({ thread }: { thread: ThreadView }) {
  const words = useSignal('');
  const isClosed = thread.state === 'dead' || thread.state === 'closed' || thread.state === 'signed_out';
  const send = async () => {
    const text = words.value;
    if (text.trim() === '') return;
    words.value = '';
    try {
      await call('agents.prompt', { id: thread.id, text });
    } catch (error) {
      words.value = text;
      throw error;
    }
  };
  const isBusy = thread.state === 'running' || thread.state === 'needs_you' || thread.state === 'starting';
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        orToast(send());
      }}
    >
      {thread.queue.length > 0 && (
        <ul class="queue" aria-label="Waiting prompts">
          {thread.queue.map(({ id, text }) => (
            <li key={id}>
              <span>{visible(text)}</span>
              <button
                type="button"
                class="quiet"
                aria-label="Take it back"
                onClick={() => orToast(call('agents.unqueue', { id: thread.id, promptId: id }))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        rows={3}
        aria-label="Prompt"
        placeholder={
          thread.commands.length === 0
            ? 'Prompt'
            : `Prompt, or ${thread.commands
                .slice(0, 5)
                .map(({ name }) => `/${name}`)
                .join(' ')}`
        }
        value={words.value}
        disabled={isClosed}
        onInput={(event) => (words.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          orToast(send());
        }}
      />
      <button type="submit" class="primary" disabled={isClosed}>
        {isBusy ? 'Queue' : 'Send'}
      </button>
    </form>
  );
}
