import { expect, test } from 'vitest';
import { because, refusals, refusalsByOperation, refuse, type RefusalWords } from './refuse.ts';

test('a refusal says its words with what was filled in', () => {
  expect(refuse('callsItself')).toMatchObject({
    code: 'refactoring_not_available',
    message: 'Not possible here: it calls itself.',
    hint: undefined,
  });
  expect(refuse('otherEnumValues', { name: 'Red' })).toMatchObject({
    message: 'Not possible here: "Red" and what follows it would get other values.',
    hint: 'Write the value of "Red" down first; force: true deletes it as it is.',
  });
  expect(because('callsItself')).toBe('it calls itself');
});

test('a whole message, a conflict and a detail of the caller', () => {
  expect(refuse('serverRefuses', { reason: 'no $& place' }, { data: { place: 1 } })).toMatchObject({
    code: 'refactoring_conflict',
    message: 'no $& place. Nothing was changed.',
    data: { place: 1 },
  });
  // @ts-expect-error: a reason that is not on the list
  expect(() => refuse('madeUp')).toThrow(TypeError);
  // @ts-expect-error: what the words speak of is missing
  expect(refuse('neverUsed', {}).message).toContain('{name}');
});

test('no name stands for two reasons, and no two names for one', () => {
  const named = Object.values(refusalsByOperation).flatMap((list) => Object.keys(list));
  expect(named.sort()).toEqual(Object.keys(refusals).sort());
  const words = Object.values(refusals).map((one: RefusalWords) => JSON.stringify(one));
  expect(words.filter((one, index) => words.indexOf(one) !== index)).toEqual([]);
});
