import { describe, expect, it } from 'vitest';
import type { Conflict } from '../model.ts';
import { because } from '../refusals/refuse.ts';
import { carryThrough, type Follower, type RenameStages } from './pipeline.ts';

type Stages = RenameStages<{ word: string }, string, { missing: string[] }>;

describe('the stages of a rename', () => {
  it('ask followers in their order, each with what those before it found', async () => {
    const seen: string[] = [];
    const follower = (name: string, found: string): Follower<{ word: string }, string> => ({
      name,
      appliesTo: ({ word }) => word !== name,
      follow: async ({ places, extra }) => {
        seen.push(`${name}: ${[...places, ...extra].join()}`);
        return { extra: [found], notes: [`by ${name}`] };
      },
    });
    const followers = [follower('first', 'b'), follower('skipped', 'x'), follower('second', 'c')];
    const { places, extra, notes } = await carryThrough(stages({ followers }), { word: 'skipped' }, ['a']);
    expect(seen).toEqual(['first: a', 'second: a,b']);
    expect({ places, extra, notes }).toEqual({ places: ['a'], extra: ['b', 'c'], notes: ['by first', 'by second'] });
  });

  it('begin anew with what a trial brings up, as long as that is more and only so often', async () => {
    const trials: string[] = [];
    const endless = stages({
      followers: [{ name: 'one', appliesTo: () => true, follow: async () => ({ extra: ['!'] }) }],
      trial: async ({ places, extra }) => {
        trials.push([...places, ...extra].join(''));
        return { missing: [String(trials.length)] };
      },
      wideners: [
        {
          name: 'missing',
          appliesTo: () => true,
          follow: async ({ places, missing }) => ({ places: [...places, ...missing] }),
        },
      ],
    });
    const { places } = await carryThrough(endless, { word: '' }, ['a']);
    // What followers add belongs to a round; what wideners add stays.
    expect(trials).toEqual(['a!', 'a1!', 'a12!']);
    expect(places).toEqual(['a', '1', '2']);
  });

  it('keep one reason for each place, that of the first check', async () => {
    const reason = (line: number): Conflict => ({
      kind: 'meaning',
      message: because('mayAskByOldName', { name: `${line}` }),
      file: 'a',
      line,
      column: 1,
    });
    const check = (name: string, ...lines: number[]) => ({
      name,
      appliesTo: () => name !== 'off',
      check: async () => lines.map(reason),
    });
    const checks = [check('one', 1), check('off', 9), check('two', 1, 2)];
    const { reasons } = await carryThrough(stages({ checks }), { word: '' }, ['a']);
    expect(reasons.map(({ line }) => line)).toEqual([1, 2]);
  });
});

function stages(some: Partial<Stages>): Stages {
  return {
    followers: [],
    checks: [],
    trial: async () => ({ missing: [] }),
    wideners: [],
    maxRounds: 2,
    ...some,
  };
}
