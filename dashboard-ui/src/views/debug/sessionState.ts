import { computed, signal } from '@preact/signals';
import type { CallSummary, FrameRow, PastStop, SessionView } from '../../../../src/dashboard/channel.ts';
import { call, on, returns, tool } from '../../client.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { sessions } from '../../state.ts';

/** The session that is looked at, and where in it. */
export const sessionId = signal<string | undefined>(undefined);
export const view = signal<SessionView | undefined>(undefined);
export const loadError = signal<unknown>(undefined);
/** The earlier stop that is looked at; undefined for now. */
export const past = signal<PastStop | undefined>(undefined);
const chosenFrame = signal<number | undefined>(undefined);
/** A step or the like is under way. */
export const busy = signal<string | undefined>(undefined);
/** Who did what in debugging lately, newest first. */
export const deeds = signal<readonly CallSummary[]>([]);
/** The line in the source where the cursor is. */
export const cursor = signal<{ file: string; line: number } | undefined>(undefined);

export const frames = computed<readonly FrameRow[]>(() => past.value?.frames ?? view.value?.stop?.frames ?? []);
export const frame = computed<FrameRow | undefined>(() => {
  const usual = past.value === undefined ? view.value?.stop?.frame : past.value.frames[0]?.index;
  const wanted = chosenFrame.value ?? usual;
  return frames.value.find(({ index }) => index === wanted) ?? frames.value[0];
});

export function chooseFrame(index: number | undefined): void {
  chosenFrame.value = index;
}

export async function load(): Promise<void> {
  const id = sessionId.value;
  if (id === undefined) return;
  try {
    const loaded = await call('debug.session', { id });
    if (sessionId.value !== id) return;
    const isOtherStop = stopKey(loaded) !== stopKey(view.value);
    if (isOtherStop) chosenFrame.value = undefined;
    view.value = loaded;
    loadError.value = undefined;
  } catch (error) {
    if (sessionId.value === id) loadError.value = error;
  }
}

function stopKey(session: SessionView | undefined): string {
  const top = session?.stop?.frames[0];
  return `${session?.id} ${session?.state} ${session?.stops.at(-1)?.number} ${top?.file}:${top?.line}`;
}

export async function showStop(number: number | undefined): Promise<void> {
  const id = sessionId.value;
  chosenFrame.value = undefined;
  if (id === undefined || number === undefined) {
    past.value = undefined;
    return;
  }
  try {
    past.value = await call('debug.stop', { id, number });
  } catch (error) {
    past.value = undefined;
    toast(error instanceof Error ? error.message : String(error), 'failed');
  }
}

/** Calls a tool on the session; what it refuses is said. Answers whether it was done. */
export async function act(name: string, args: Record<string, unknown> = {}): Promise<boolean> {
  const session = view.value;
  if (session === undefined) return false;
  const reply = await tool(name, args, session.project);
  if (reply.error !== undefined) toast(reply.error.message, 'failed');
  await load();
  return reply.error === undefined;
}

/** What a button waits for the program to stop again; later stops come by the stream. */
export const waitMs = 3000;

/** Lets the program run, or stand elsewhere; the page goes back to now. */
export function run(name: string, args: Record<string, unknown> = { wait_ms: waitMs }): void {
  const id = sessionId.value;
  if (id === undefined) return;
  past.value = undefined;
  busy.value = name;
  orToast(
    act(name, { session_id: id, ...args }).finally(() => {
      if (busy.value === name) busy.value = undefined;
    }),
  );
}

const debugTools =
  /^(step_|resume_|pause_|run_to_|jump_|restart_|set_|remove_|add_watch|evaluate_|start_debug|stop_debug|debug_)/;

/** Keeps the view up to date until the returned function is called. */
export function follow(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), 60);
  };
  const stopSessions = on('session', (session) => {
    if (session.id === sessionId.value) soon();
  });
  const stopCalls = on('call', (summary) => {
    if (!debugTools.test(summary.tool) || summary.status === 'pending') return;
    deeds.value = [summary, ...deeds.value.filter(({ id }) => id !== summary.id)].slice(0, 6);
    soon();
  });
  const stopReturns = returns.subscribe(soon);
  return () => {
    clearTimeout(timer);
    stopReturns();
    stopSessions();
    stopCalls();
  };
}

/** The session a person most likely wants to see: one that stands still, else one that runs, else the newest. */
export function likelySession(project: string | undefined): string | undefined {
  const all = sessions.value.filter((each) => project === undefined || each.project === project);
  const pick = (state: string) => all.findLast((each) => each.state === state);
  return (pick('paused') ?? pick('running') ?? all.at(-1))?.id;
}
