/** What a thread is to do at its next pause: be a stop, stand still for another thread, be looked at, or nothing any more. */
export type Wish = 'pause' | 'hold' | 'glance' | 'given up';

/**
 * Where a pause that is wished for has got to: V8 was asked for it; it came at the head of a loop, which is left first; the thread
 * stands and is looked at.
 */
type PauseStage = 'asked' | 'leaving loop head' | 'looking';

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

interface Transition {
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

/** What leads on from a state; whatever is not in it changes nothing. */
type Row = Partial<Record<IsolateInput, Transition>>;

function fromPausing(state: IsolateState & { at: 'pausing' }, input: IsolateInput): Transition {
  const { wish, stage } = state;
  const isOwn = wish === 'pause' || wish === 'glance';
  const row: Row = {
    'pause asked': { state: { ...state, wish: 'pause' }, order: 'break' },
    // The pause is on its way already.
    'hold asked': { state: { ...state, wish: 'hold' } },
    // It may be wished for again before it was spent: the pause meant for that is the one that has been spent.
    'pause spent': wish === 'given up' ? { state: { at: 'running' } } : { state, order: 'break' },
    'no stop':
      wish === 'glance' ? { state: { ...state, stage: 'asked' }, order: 'resume' } : atPause({ at: 'running' }, wish),
    ...(wish === 'hold' && { 'hold given up': { state: { ...state, wish: 'given up' }, order: 'spend pause' } }),
    ...(wish === 'glance' && {
      look: { state: { ...state, stage: 'looking' } },
      'look over': { state: { at: 'running' } },
    }),
    ...(stage === 'asked' &&
      isOwn && { 'at loop head': { state: { ...state, stage: 'leaving loop head' }, order: 'step into' } }),
    ...(stage === 'looking' && whileLooking(state)),
  };
  return row[input] ?? { state };
}

/** It stands already, so that nothing has to be asked of V8. */
function whileLooking(state: IsolateState & { at: 'pausing' }): Row {
  const { wish } = state;
  return {
    'pause asked': { state: { ...state, wish: 'pause' } },
    'pause spent': { state },
    'look over': atPause({ at: 'running' }, wish),
    resumed: { state: wish === 'glance' ? { at: 'running' } : { ...state, stage: 'asked' } },
    ...(wish === 'hold' && { 'hold given up': { state: { ...state, wish: 'glance' } } }),
  };
}

function fromStepping(state: IsolateState & { at: 'stepping' }, input: IsolateInput): Transition {
  const { wish } = state;
  const row: Row = {
    'pause asked': { state: { at: 'stepping', wish: 'pause' }, order: 'break' },
    'hold asked': { state: { at: 'stepping', wish: 'hold' }, ...(wish === undefined && { order: 'break' }) },
    'pause spent':
      wish === 'given up' ? { state: { at: 'stepping' } } : { state, ...(isPauseAwaited(state) && { order: 'break' }) },
    'step refused, was paused': { state: { at: 'paused' } },
    'step refused, was held': { state: { at: 'held' } },
    'resume asked': { state: { at: 'running' } },
    'no stop': atPause({ at: 'stepping' }, wish),
    ...(wish === 'hold' && { 'hold given up': { state: { at: 'stepping', wish: 'given up' }, order: 'spend pause' } }),
  };
  return row[input] ?? { state };
}

function fromStanding(state: IsolateState, input: IsolateInput): Transition {
  const row: Row = {
    'resume asked': { state: { at: 'running' } },
    resumed: { state: { at: 'running' } },
    'step asked': { state: { at: 'stepping' } },
    kept: { state: { at: 'held' }, order: 'hold' },
    'no stop': { state, order: 'resume' },
  };
  return row[input] ?? { state };
}

/** V8 forgets with every pause that it was to pause: what is wished for happens now, and otherwise the thread goes on as `next`. */
function atPause(next: IsolateState, wish: Wish | undefined): Transition {
  if (wish === 'pause') return { state: { at: 'paused' }, order: 'stop' };
  if (wish === 'hold') return { state: { at: 'held' }, order: 'hold' };
  return { state: next, order: 'resume' };
}
