import { expect, test } from 'vitest';
import { type Look, valuesBetween } from './looks.ts';

function lookWith(values: Record<string, string>): Look {
  return { frames: [], totalFrames: 1, functions: [{ key: 'f', name: 'f', values: new Map(Object.entries(values)) }] };
}

test('a variable that goes round has changed, also when the first look and the last found the same', () => {
  const found = [lookWith({ i: '2', n: '3' }), lookWith({ i: '0', n: '3' }), lookWith({ i: '2', n: '3' })];
  expect(valuesBetween(found)).toEqual([
    { functionName: 'f', changed: [{ name: 'i', before: '0', after: '2' }], unchanged: [{ name: 'n', value: '3' }] },
  ]);
});

test('a counter is shown from the first look to the last', () => {
  const found = [lookWith({ i: '1' }), lookWith({ i: '5' }), lookWith({ i: '9' })];
  expect(valuesBetween(found)).toEqual([
    { functionName: 'f', changed: [{ name: 'i', before: '1', after: '9' }], unchanged: [] },
  ]);
});

test('one look tells nothing about change', () => {
  expect(valuesBetween([lookWith({ i: '1' })])).toEqual([]);
});
