import { signal } from '@preact/signals';
import type { ListedAgent, PastThread, ThreadItem, ThreadView } from '../../../../src/dashboard/channel.ts';
import { call, on, onResync } from '../../client.ts';
import { replaced } from '../../state.ts';

/** The threads there are, kept up to date by the stream; what was said is kept for those that somebody looked at. */
export const agents = signal<readonly ListedAgent[]>([]);
export const threads = signal<readonly ThreadView[]>([]);
export const past = signal<readonly PastThread[]>([]);
const items = signal<ReadonlyMap<string, readonly ThreadItem[]>>(new Map());

export function itemsOf(id: string): readonly ThreadItem[] | undefined {
  return items.value.get(id);
}

export async function loadThreads(): Promise<void> {
  const known = await call('agents.list', {});
  agents.value = known.agents;
  threads.value = known.threads;
  past.value = known.past;
}

export async function loadItems(id: string): Promise<void> {
  const known = await call('agents.items', { id });
  items.value = new Map(items.value).set(id, known.items);
  threads.value = replaced(threads.value, known.thread);
}

/** Once for the page: threads go on whichever view is shown. */
let isFollowing = false;
export function followThreads(): void {
  if (isFollowing) return;
  isFollowing = true;
  onResync(() => {
    items.value = new Map();
    void loadThreads();
  });
  on('thread', (thread) => (threads.value = replaced(threads.value, thread)));
  on('threadItem', ({ thread, item }) => {
    const known = items.value.get(thread);
    if (known !== undefined) items.value = new Map(items.value).set(thread, replaced(known, item));
  });
  on('threadReset', ({ thread }) => (items.value = new Map(items.value).set(thread, [])));
  on('threadClosed', () => void loadThreads());
}
