import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call, returns, tool } from '../../client.ts';
import { visible } from '../../parts/format.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { frame, load, past, sessionId, view } from './sessionState.ts';

interface Entry {
  kind: 'output' | 'asked' | 'answer' | 'failed';
  text: string;
}

const maxChars = 200_000;

/** What the program prints, and what it is asked and told. */
export function Console() {
  const entries = useSignal<readonly Entry[]>([]);
  const text = useSignal('');
  const mode = useSignal<'evaluate' | 'input'>('evaluate');
  const asked = useRef<string[]>([]);
  const back = useRef(0);
  const log = useRef<HTMLDivElement>(null);
  const position = useRef(0);
  const id = sessionId.value;
  const add = (entry: Entry) => (entries.value = joined(entries.value, entry));
  useEffect(() => {
    entries.value = [];
    position.current = 0;
  }, [id]);
  useEffect(() => {
    if (id === undefined) return undefined;
    const gone = new AbortController();
    void followOutput(id, position, gone.signal, (printed) => add({ kind: 'output', text: printed }));
    return () => gone.abort();
  }, [id, returns.value]);
  useEffect(() => {
    const element = log.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [entries.value]);
  const session = view.value;
  const send = async () => {
    const given = text.value;
    if (session === undefined || given === '') return;
    text.value = '';
    if (mode.value === 'input') {
      const args = { session_id: session.id, input: `${given}\n`, include_variables: false };
      const reply = await tool('get_debug_session_status', args, session.project);
      if (reply.error !== undefined) toast(reply.error.message, 'failed');
      return;
    }
    asked.current = [...asked.current, given];
    back.current = 0;
    add({ kind: 'asked', text: given });
    add(await evaluate(given));
    await load();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    back.current = Math.min(Math.max(back.current + (event.key === 'ArrowUp' ? 1 : -1), 0), asked.current.length);
    text.value = back.current === 0 ? '' : (asked.current.at(-back.current) ?? '');
  };
  const isAlive = session !== undefined && session.state !== 'ended';
  return (
    <section class="console" aria-label="Console">
      <div ref={log} class="consoleLog" role="log" tabIndex={0} aria-label="Output">
        {entries.value.length === 0 && <p class="muted">Nothing was printed yet.</p>}
        {entries.value.map((entry, index) => (
          <pre key={index} class={entry.kind}>
            {visible(entry.text)}
          </pre>
        ))}
        {session?.exit !== undefined && <p class="muted">The program ended with {visible(session.exit)}.</p>}
      </div>
      {isAlive && (
        <form
          class="oneLine"
          onSubmit={(event) => {
            event.preventDefault();
            orToast(send());
          }}
        >
          <select
            aria-label="What Enter does"
            value={mode.value}
            onChange={(event) => (mode.value = event.currentTarget.value === 'input' ? 'input' : 'evaluate')}
          >
            <option value="evaluate">Evaluate</option>
            <option value="input">Type to the program</option>
          </select>
          <input
            type="text"
            class="mono"
            aria-label={mode.value === 'input' ? 'Input of the program' : 'Expression'}
            placeholder={mode.value === 'input' ? 'A line for the program to read' : 'Expression in this frame'}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </form>
      )}
    </section>
  );
}

async function evaluate(expression: string): Promise<Entry> {
  const session = view.value;
  if (past.value !== undefined)
    return { kind: 'failed', text: 'Stops that are over can be looked at, not asked. Go back to now first.' };
  const index = session?.state === 'paused' ? frame.value?.index : undefined;
  const args = { session_id: session?.id, expression, ...(index === undefined ? {} : { frame_index: index }) };
  const reply = await tool('evaluate_expression', args, session?.project);
  if (reply.error !== undefined) return { kind: 'failed', text: reply.error.message };
  const result = Object(reply.data?.['result']) as { value?: string; error?: string };
  return result.error === undefined
    ? { kind: 'answer', text: result.value ?? '' }
    : { kind: 'failed', text: result.error };
}

async function followOutput(
  id: string,
  position: { current: number },
  gone: AbortSignal,
  add: (text: string) => void,
): Promise<void> {
  while (!gone.aborted) {
    try {
      const part = await call('debug.output', { id, since: position.current }, gone);
      if (gone.aborted) return;
      if (part.dropped > 0) add(`… ${part.dropped} characters are no longer kept …\n`);
      if (part.text !== '') add(part.text);
      position.current = part.position;
    } catch {
      if (gone.aborted) return;
      // The process may be away for a moment; the banner says so.
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

function joined(entries: readonly Entry[], added: Entry): readonly Entry[] {
  const last = entries.at(-1);
  if (added.kind !== 'output' || last?.kind !== 'output') return [...entries, added].slice(-500);
  return [...entries.slice(0, -1), { kind: 'output', text: (last.text + added.text).slice(-maxChars) }];
}
