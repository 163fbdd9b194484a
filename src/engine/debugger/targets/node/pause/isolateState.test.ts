import { expect, it } from 'vitest';
import { type IsolateInput, type IsolateState, transition } from './isolateState.ts';

const inputs: readonly IsolateInput[] = [
  'begun',
  'pause asked',
  'hold asked',
  'hold given up',
  'glance asked',
  'step asked',
  'resume asked',
  'kept',
  'step refused, was paused',
  'step refused, was held',
  'pause spent',
  'stop',
  'no stop',
  'at loop head',
  'look',
  'look over',
  'resumed',
  'closed',
];

/** Every state that can be reached, each with all that leads out of it or has to be done; whatever is not listed changes nothing. */
const table = `
gone
held
  step asked -> stepping
  resume asked -> running
  kept -> held [hold]
  stop -> paused
  no stop -> held [resume]
  resumed -> running
  closed -> gone
paused
  step asked -> stepping
  resume asked -> running
  kept -> held [hold]
  no stop -> paused [resume]
  resumed -> running
  closed -> gone
pausing for given up
  pause asked -> pausing for pause [break]
  hold asked -> pausing for hold
  pause spent -> running
  stop -> paused
  no stop -> running [resume]
  closed -> gone
pausing for given up, leaving loop head
  pause asked -> pausing for pause, leaving loop head [break]
  hold asked -> pausing for hold, leaving loop head
  pause spent -> running
  stop -> paused
  no stop -> running [resume]
  closed -> gone
pausing for glance
  pause asked -> pausing for pause [break]
  hold asked -> pausing for hold
  pause spent -> pausing for glance [break]
  stop -> paused
  no stop -> pausing for glance [resume]
  at loop head -> pausing for glance, leaving loop head [step into]
  look -> pausing for glance, looking
  look over -> running
  closed -> gone
pausing for glance, leaving loop head
  pause asked -> pausing for pause, leaving loop head [break]
  hold asked -> pausing for hold, leaving loop head
  pause spent -> pausing for glance, leaving loop head [break]
  stop -> paused
  no stop -> pausing for glance [resume]
  look -> pausing for glance, looking
  look over -> running
  closed -> gone
pausing for glance, looking
  pause asked -> pausing for pause, looking
  hold asked -> pausing for hold, looking
  stop -> paused
  no stop -> pausing for glance [resume]
  look over -> running [resume]
  resumed -> running
  closed -> gone
pausing for hold
  pause asked -> pausing for pause [break]
  hold given up -> pausing for given up [spend pause]
  pause spent -> pausing for hold [break]
  stop -> paused
  no stop -> held [hold]
  closed -> gone
pausing for hold, leaving loop head
  pause asked -> pausing for pause, leaving loop head [break]
  hold given up -> pausing for given up, leaving loop head [spend pause]
  pause spent -> pausing for hold, leaving loop head [break]
  stop -> paused
  no stop -> held [hold]
  closed -> gone
pausing for hold, looking
  pause asked -> pausing for pause, looking
  hold given up -> pausing for glance, looking
  stop -> paused
  no stop -> held [hold]
  look over -> held [hold]
  resumed -> pausing for hold
  closed -> gone
pausing for pause
  pause asked -> pausing for pause [break]
  hold asked -> pausing for hold
  pause spent -> pausing for pause [break]
  stop -> paused
  no stop -> paused [stop]
  at loop head -> pausing for pause, leaving loop head [step into]
  closed -> gone
pausing for pause, leaving loop head
  pause asked -> pausing for pause, leaving loop head [break]
  hold asked -> pausing for hold, leaving loop head
  pause spent -> pausing for pause, leaving loop head [break]
  stop -> paused
  no stop -> paused [stop]
  closed -> gone
pausing for pause, looking
  hold asked -> pausing for hold, looking
  stop -> paused
  no stop -> paused [stop]
  look over -> paused [stop]
  resumed -> pausing for pause
  closed -> gone
running
  pause asked -> pausing for pause [break]
  hold asked -> pausing for hold [break]
  glance asked -> pausing for glance [break]
  stop -> paused
  no stop -> running [resume]
  closed -> gone
stepping
  pause asked -> stepping for pause [break]
  hold asked -> stepping for hold [break]
  resume asked -> running
  step refused, was paused -> paused
  step refused, was held -> held
  stop -> paused
  no stop -> stepping [resume]
  closed -> gone
stepping for given up
  pause asked -> stepping for pause [break]
  hold asked -> stepping for hold
  resume asked -> running
  step refused, was paused -> paused
  step refused, was held -> held
  pause spent -> stepping
  stop -> paused
  no stop -> stepping [resume]
  closed -> gone
stepping for hold
  pause asked -> stepping for pause [break]
  hold given up -> stepping for given up [spend pause]
  resume asked -> running
  step refused, was paused -> paused
  step refused, was held -> held
  pause spent -> stepping for hold [break]
  stop -> paused
  no stop -> held [hold]
  closed -> gone
stepping for pause
  pause asked -> stepping for pause [break]
  hold asked -> stepping for hold
  resume asked -> running
  step refused, was paused -> paused
  step refused, was held -> held
  pause spent -> stepping for pause [break]
  stop -> paused
  no stop -> paused [stop]
  closed -> gone
waiting
  begun -> running
  pause asked -> waiting for pause
  hold asked -> waiting for hold
  stop -> paused
  no stop -> waiting [resume]
  closed -> gone
waiting for hold
  begun -> pausing for hold [break]
  pause asked -> waiting for pause
  hold given up -> waiting
  stop -> paused
  no stop -> held [hold]
  closed -> gone
waiting for pause
  begun -> pausing for pause [break]
  hold asked -> waiting for hold
  stop -> paused
  no stop -> paused [stop]
  closed -> gone
`;

function nameOf(state: IsolateState): string {
  const wish = 'wish' in state && state.wish !== undefined ? ` for ${state.wish}` : '';
  const stage = 'stage' in state && state.stage !== 'asked' ? `, ${state.stage}` : '';
  return `${state.at}${wish}${stage}`;
}

it('the table of the states of an isolate', () => {
  const seen = new Map<string, string[]>();
  const toVisit: IsolateState[] = [{ at: 'waiting' }];
  for (let state = toVisit.pop(); state !== undefined; state = toVisit.pop()) {
    const name = nameOf(state);
    if (seen.has(name)) continue;
    const lines: string[] = [];
    seen.set(name, lines);
    for (const input of inputs) {
      const { state: next, order } = transition(state, input);
      toVisit.push(next);
      if (nameOf(next) === name && order === undefined) continue;
      lines.push(`  ${input} -> ${nameOf(next)}${order === undefined ? '' : ` [${order}]`}`);
    }
  }
  const found = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, lines]) => [name, ...lines].join('\n'));
  expect(`\n${found.join('\n')}\n`).toBe(table);
});

it('nobody waits for ever: what is wished for happens at the next pause that is no stop', () => {
  const wished: IsolateState[] = [
    { at: 'waiting', wish: 'hold' },
    { at: 'pausing', wish: 'hold', stage: 'asked' },
    { at: 'pausing', wish: 'hold', stage: 'leaving loop head' },
    { at: 'stepping', wish: 'hold' },
  ];
  for (const state of wished) expect(transition(state, 'no stop')).toEqual({ state: { at: 'held' }, order: 'hold' });
});
