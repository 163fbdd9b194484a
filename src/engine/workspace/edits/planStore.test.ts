import { expect, test } from 'vitest';
import type { Project } from '../project.ts';
import type { EditApplier } from './applier.ts';
import type { ChangePlan } from './operations.ts';
import { PlanStore } from './planStore.ts';

// The store only hands these through.
const project = { root: '/project', name: 'project' } as Project;
const store = (): PlanStore => new PlanStore({} as EditApplier);

function planOf(megabytes: number): ChangePlan {
  const contents = new Map([['hash', Buffer.alloc(megabytes * 1024 * 1024)]]);
  return {
    transitions: [],
    moves: [],
    removedDirectories: [],
    editedMoves: [],
    addedDirectories: [],
    changesCount: 0,
    contents,
    stamps: new Map(),
    spans: new Map(),
  };
}

test('previews of large changes leave room for newer ones, the oldest first', () => {
  const plans = store();
  const ids = [20, 20, 20].map((size) => plans.add(project, planOf(size), 'rename', 'summary').id);
  expect(() => plans.get(project, ids[0] ?? '')).toThrow('There is no plan');
  expect(ids.slice(1).map((id) => plans.get(project, id).id)).toEqual(ids.slice(1));
});

test('the newest preview is kept however large it is', () => {
  const plans = store();
  const small = plans.add(project, planOf(1), 'rename', 'summary').id;
  const large = plans.add(project, planOf(60), 'rename', 'summary').id;
  expect(plans.get(project, large).id).toBe(large);
  expect(() => plans.get(project, small)).toThrow('There is no plan');
});
