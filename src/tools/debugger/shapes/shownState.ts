import type { SessionState } from '../../../engine/debugger/model.ts';
import type { Progress } from './shapes.ts';

/** The state of a session in the words of the answers: a program that has ended is called stopped there. */
export function shownState(state: SessionState): Progress['state'] {
  return state === 'ended' ? 'stopped' : state;
}
