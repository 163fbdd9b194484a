import { expect, test } from 'vitest';
import { mergeBreakpoints } from '../../editors/vscode/src/mergeBreakpoints.ts';
import type { SharedBreakpoint } from '../../src/cli/editors/feedProtocol.ts';

const at = (line: number, more: Partial<SharedBreakpoint> = {}): SharedBreakpoint => ({
  uri: 'file:///main.js',
  line,
  enabled: true,
  ...more,
});
const nothing = { send: [], show: [], hide: [] };

test('what one side has added or taken away since both agreed goes to the other', () => {
  expect(mergeBreakpoints([at(1)], [at(1)], [])).toEqual(nothing);
  expect(mergeBreakpoints([at(1)], [], [])).toEqual({ ...nothing, send: [{ set: at(1) }] });
  expect(mergeBreakpoints([], [at(1)], [])).toEqual({ ...nothing, show: [at(1)] });
  expect(mergeBreakpoints([at(1)], [], [at(1)])).toEqual({ ...nothing, hide: [at(1)] });
  expect(mergeBreakpoints([], [at(1)], [at(1)])).toEqual({ ...nothing, send: [{ remove: at(1) }] });
});

test('a changed one replaces the one that was not; where both are, the person decides', () => {
  const [mine, theirs] = [at(1, { condition: 'mine' }), at(1, { condition: 'theirs' })];
  expect(mergeBreakpoints([mine], [at(1)], [at(1)])).toEqual({ ...nothing, send: [{ set: mine }] });
  expect(mergeBreakpoints([at(1)], [theirs], [at(1)])).toEqual({ send: [], hide: [at(1)], show: [theirs] });
  expect(mergeBreakpoints([mine], [theirs], [at(1)])).toEqual({ ...nothing, send: [{ set: mine }] });
  // Taken away on one side and changed on the other: the change is newer than what was agreed, so nothing is lost.
  expect(mergeBreakpoints([mine], [], [at(1)])).toEqual({ ...nothing, send: [{ set: mine }] });
  expect(mergeBreakpoints([], [theirs], [at(1)])).toEqual({ ...nothing, show: [theirs] });
});

test('one that moved is another one', () => {
  expect(mergeBreakpoints([at(2)], [at(1)], [at(1)])).toEqual({
    ...nothing,
    send: [{ remove: at(1) }, { set: at(2) }],
  });
});
