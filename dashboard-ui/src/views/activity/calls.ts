import { computed, effect, signal } from '@preact/signals';
import type { CallSummary } from '../../../../src/dashboard/channel.ts';
import { call, on, onFrame, onResync } from '../../client.ts';

/** Older ones are let go of by the page; the process keeps what its settings say. */
const maxCalls = 20_000;

let list: CallSummary[] = [];
let places = new Map<string, number>();
let isChanged = false;

/** Every call, oldest first. */
export const calls = signal<readonly CallSummary[]>([]);
export const loadError = signal<unknown>(undefined);
export const isLoaded = signal(false);

interface Filter {
  tool: string;
  status: string;
  client: string;
  project: string;
  text: string;
  /** Milliseconds since 1970. */
  range: { from: number; to: number } | undefined;
}

export const noFilter: Filter = { tool: '', status: '', client: '', project: '', text: '', range: undefined };
export const filter = signal<Filter>(noFilter);

export function narrow(change: Partial<Filter>): void {
  filter.value = { ...filter.value, ...change };
}

/** Calls in which the process found the text: parameters and results are not here. */
const mentioning = signal<{ text: string; ids: ReadonlySet<string> } | undefined>(undefined);

const withoutRange = computed(() => {
  const { tool, status, client, project, text } = filter.value;
  const found = text === '' ? undefined : mentioning.value;
  return calls.value.filter(
    (each) =>
      (tool === '' || each.tool === tool) &&
      (status === '' || each.status === status) &&
      (client === '' || each.client === client) &&
      (project === '' || each.project === project) &&
      (text === '' || found?.ids.has(each.id) === true || isBriefly(each, text)),
  );
});

/** What the timeline shows: everything but the range that is chosen on it. */
export const onTimeline = withoutRange;

export const shown = computed(() => {
  const { range } = filter.value;
  if (range === undefined) return withoutRange.value;
  return withoutRange.value.filter((each) => {
    const time = Date.parse(each.time);
    return time >= range.from && time <= range.to;
  });
});

function isBriefly({ tool, brief, error = '' }: CallSummary, text: string): boolean {
  return `${tool} ${brief} ${error}`.toLowerCase().includes(text.toLowerCase());
}

export async function load(): Promise<void> {
  try {
    const { calls: newestFirst } = await call('history.list', { limit: maxCalls });
    list = newestFirst.reverse();
    loadError.value = undefined;
    index();
    publish();
    isLoaded.value = true;
  } catch (error) {
    loadError.value = error;
  }
}

function index(): void {
  places = new Map(list.map((each, place) => [each.id, place]));
}

function publish(): void {
  isChanged = false;
  calls.value = [...list];
}

function take(one: CallSummary): void {
  const place = places.get(one.id);
  if (place === undefined) places.set(one.id, list.push(one) - 1);
  else list[place] = one;
  isChanged = true;
}

function show(): void {
  if (!isChanged) return;
  if (list.length > maxCalls + 1000) {
    list = list.slice(-maxCalls);
    index();
  }
  publish();
}

let searching: ReturnType<typeof setTimeout> | undefined;

/** Asked a moment after the last key, and again when calls have come. */
function search(): void {
  const { text } = filter.value;
  clearTimeout(searching);
  if (text === '') return;
  searching = setTimeout(() => {
    call('history.search', { text }).then(
      ({ ids }) => filter.value.text === text && (mentioning.value = { text, ids: new Set(ids) }),
      () => undefined,
    );
  }, 200);
}

/** Follows the stream for as long as the page lives: the view can be left and entered. */
onResync(() => void load());
on('call', take);
on('callsCleared', () => void load());
onFrame(show);
effect(search);
effect(() => {
  void calls.value.length;
  if (filter.peek().text !== '') search();
});
void load();
