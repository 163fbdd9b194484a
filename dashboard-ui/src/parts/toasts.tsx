import { signal } from '@preact/signals';
import { Icon } from './icon.tsx';

interface Toast {
  id: number;
  kind: 'done' | 'failed';
  text: string;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Says in passing what came of something. */
export function toast(text: string, kind: Toast['kind'] = 'done'): void {
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-3), { id, kind, text }];
  setTimeout(() => (toasts.value = toasts.value.filter((each) => each.id !== id)), kind === 'done' ? 4000 : 10_000);
}

/** For promises nobody awaits: a failure is shown, never swallowed. */
export function orToast(work: Promise<unknown>): void {
  work.catch((error: unknown) => toast(error instanceof Error ? error.message : String(error), 'failed'));
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((each) => (
        <div key={each.id} class={`toast ${each.kind}`}>
          <Icon name={each.kind === 'done' ? 'check' : 'warning'} />
          <span>{each.text}</span>
        </div>
      ))}
    </div>
  );
}
