import type { ThreadState } from '../../../../src/dashboard/channel.ts';

const words: Readonly<Record<ThreadState, string>> = {
  starting: 'starting',
  signed_out: 'sign in',
  idle: 'idle',
  running: 'running',
  needs_you: 'needs you',
  dead: 'dead',
  closed: 'closed',
};
const tones: Readonly<Record<ThreadState, string>> = {
  starting: 'run',
  signed_out: 'warn',
  idle: 'ok',
  running: 'run',
  needs_you: 'warn',
  dead: 'bad',
  closed: '',
};

/** What a thread is doing, in a word. */
export function StateBadge({ state }: { state: ThreadState }) {
  return <span class={`badge ${tones[state]}`}>{words[state]}</span>;
}
