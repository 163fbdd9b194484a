/** What a thread is to do at its next pause: be a stop, stand still for another thread, be looked at, or nothing any more. */
export type Wish = 'pause' | 'hold' | 'glance' | 'given up';

/**
 * Where a pause that is wished for has got to: V8 was asked for it; it came at the head of a loop, which is left first; the thread
 * stands and is looked at.
 */
export type PauseStage = 'asked' | 'leaving loop head' | 'looking';

export type IsolateState =
  /** It has not begun: V8 would say that it stands and let it go at once, so what is wished for waits. */
  | { at: 'waiting'; wish?: Wish }
  | { at: 'running' }
  | { at: 'pausing'; wish: Wish; stage: PauseStage }
  | { at: 'stepping'; wish?: Wish }
  /** It stands still only because another thread is paused. */
  | { at: 'held' }
  | { at: 'paused' }
  | { at: 'gone' };

export type IsolateInput =
  | 'begun'
  | 'pause asked'
  | 'hold asked'
  | 'hold given up'
  | 'glance asked'
  | 'step asked'
  | 'resume asked'
  /** A thread at a stop of its own is held from now on. */
  | 'kept'
  /** A step from that state was refused. */
  | 'step refused, was paused'
  | 'step refused, was held'
  /** V8 has spent a pause that was given up. */
  | 'pause spent'
  /** V8's pause is a stop. */
  | 'stop'
  /** V8's pause is no stop. */
  | 'no stop'
  | 'at loop head'
  | 'look'
  | 'look over'
  | 'resumed'
  | 'closed';

/** What has to be done in V8, or told, for the new state to be true. */
export type IsolateOrder = 'break' | 'spend pause' | 'resume' | 'step into' | 'stop' | 'hold';

export interface Transition {
  state: IsolateState;
  order?: IsolateOrder;
}

/** The whole of what one V8 isolate does, as far as pausing goes. What changes nothing leaves the state as it was. */
export function transition(state: IsolateState, input: IsolateInput): Transition {
  if (state.at === 'gone') return { state };
  if (input === 'closed') return { state: { at: 'gone' } };
  if (input === 'stop') return { state: { at: 'paused' } };
  switch (state.at) {
    case 'waiting':
      return fromWaiting(state, input);
    case 'running':
      return fromRunning(state, input);
    case 'pausing':
      return fromPausing(state, input);
    case 'stepping':
      return fromStepping(state, input);
    case 'held':
    case 'paused':
      return fromStanding(state, input);
  }
}

/** Whether it stands still; a moment in which it is only looked at does not count. */
export function isStanding(state: IsolateState): boolean {
  return state.at === 'paused' || state.at === 'held';
}

/** Whether V8 owes a pause that somebody still waits for. */
export function isPauseAwaited(state: IsolateState): boolean {
  if (state.at === 'pausing') return state.wish !== 'given up' && state.stage !== 'looking';
  return state.at === 'stepping' && (state.wish === 'pause' || state.wish === 'hold');
}

function fromWaiting(state: IsolateState & { at: 'waiting' }, input: IsolateInput): Transition {
  const { wish } = state;
  if (input === 'begun')
    return wish === undefined
      ? { state: { at: 'running' } }
      : { state: { at: 'pausing', wish, stage: 'asked' }, order: 'break' };
  if (input === 'pause asked') return { state: { at: 'waiting', wish: 'pause' } };
  if (input === 'hold asked') return { state: { at: 'waiting', wish: 'hold' } };
  if (input === 'hold given up') return { state: wish === 'hold' ? { at: 'waiting' } : state };
  return input === 'no stop' ? atPause(state, wish) : { state };
}

function fromRunning(state: IsolateState, input: IsolateInput): Transition {
  const pausing = (wish: Wish): Transition => ({ state: { at: 'pausing', wish, stage: 'asked' }, order: 'break' });
  if (input === 'pause asked') return pausing('pause');
  if (input === 'hold asked') return pausing('hold');
  if (input === 'glance asked') return pausing('glance');
  return input === 'no stop' ? { state, order: 'resume' } : { state };
}

function fromPausing(state: IsolateState & { at: 'pausing' }, input: IsolateInput): Transition {
  const { wish, stage } = state;
  const isLooking = stage === 'looking';
  switch (input) {
    case 'pause asked':
      return { state: { ...state, wish: 'pause' }, ...(isLooking ? {} : { order: 'break' }) };
    case 'hold asked':
      // The pause is on its way already.
      return { state: { ...state, wish: 'hold' } };
    case 'hold given up':
      if (wish !== 'hold') return { state };
      return isLooking
        ? { state: { ...state, wish: 'glance' } }
        : { state: { ...state, wish: 'given up' }, order: 'spend pause' };
    case 'pause spent':
      if (wish === 'given up') return { state: { at: 'running' } };
      // It is wished for again before that was done: the pause meant for that is the one that has been spent.
      return isPauseAwaited(state) ? { state, order: 'break' } : { state };
    case 'at loop head':
      return stage === 'asked' && (wish === 'pause' || wish === 'glance')
        ? { state: { ...state, stage: 'leaving loop head' }, order: 'step into' }
        : { state };
    case 'look':
      return { state: wish === 'glance' ? { ...state, stage: 'looking' } : state };
    case 'look over':
      if (isLooking) return atPause({ at: 'running' }, wish);
      return { state: wish === 'glance' ? { at: 'running' } : state };
    case 'no stop':
      if (wish === 'glance') return { state: { ...state, stage: 'asked' }, order: 'resume' };
      return atPause({ at: 'running' }, wish);
    case 'resumed':
      if (!isLooking) return { state };
      return { state: wish === 'glance' ? { at: 'running' } : { ...state, stage: 'asked' } };
    default:
      return { state };
  }
}

function fromStepping(state: IsolateState & { at: 'stepping' }, input: IsolateInput): Transition {
  const { wish } = state;
  switch (input) {
    case 'pause asked':
      return { state: { at: 'stepping', wish: 'pause' }, order: 'break' };
    case 'hold asked':
      return { state: { at: 'stepping', wish: 'hold' }, ...(wish === undefined ? { order: 'break' } : {}) };
    case 'hold given up':
      return wish === 'hold' ? { state: { at: 'stepping', wish: 'given up' }, order: 'spend pause' } : { state };
    case 'pause spent':
      if (wish === 'given up') return { state: { at: 'stepping' } };
      return isPauseAwaited(state) ? { state, order: 'break' } : { state };
    case 'step refused, was paused':
      return { state: { at: 'paused' } };
    case 'step refused, was held':
      return { state: { at: 'held' } };
    case 'resume asked':
      return { state: { at: 'running' } };
    case 'no stop':
      return atPause({ at: 'stepping' }, wish);
    default:
      return { state };
  }
}

function fromStanding(state: IsolateState, input: IsolateInput): Transition {
  switch (input) {
    case 'resume asked':
    case 'resumed':
      return { state: { at: 'running' } };
    case 'step asked':
      return { state: { at: 'stepping' } };
    case 'kept':
      return { state: { at: 'held' }, order: 'hold' };
    case 'no stop':
      return { state, order: 'resume' };
    default:
      return { state };
  }
}

/** V8 forgets with every pause that it was to pause: what is wished for happens now, and otherwise the thread goes on as `next`. */
function atPause(next: IsolateState, wish: Wish | undefined): Transition {
  if (wish === 'pause') return { state: { at: 'paused' }, order: 'stop' };
  if (wish === 'hold') return { state: { at: 'held' }, order: 'hold' };
  return { state: next, order: 'resume' };
}
