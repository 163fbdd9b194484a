import { expect, test } from 'vitest';
import { valueDifferences } from './valueDifference.ts';

test.each([
  [
    'Cart {items: [], rate: 0}',
    'Cart {items: [{name: "pen", price: 10}], rate: 0}',
    ['.items[0] = {name: "pen", price: 10}'],
  ],
  ['{a: {b: 1, c: "x, y"}}', '{a: {b: 2, c: "x, y"}}', ['.a.b: 1 ⇒ 2']],
  [
    "Inventory(stock={'pen': -2, 'cup': 5})",
    "Inventory(stock={'pen': 1, 'cup': 7})",
    [".stock['pen']: -2 ⇒ 1", ".stock['cup']: 5 ⇒ 7"],
  ],
  ['[1, 2, 3]', '[1, 3]', ['[1]: 2 ⇒ 3', '[2] gone']],
  ['[1, … +3]', '[1, 2, … +2]', []],
  ['Map(1) {"a" => 1}', 'Map(1) {"a" => 2}', ['["a"]: 1 ⇒ 2']],
  ['{a: 1}', 'null', undefined],
  ['{a: [1, 2', '{a: [1, 3', undefined],
  // Cut off for want of room: what is shown of both is compared, the last member may be half a one.
  ['Stock(total=22, name="a long na…', 'Stock(total=21, name="another…', ['.total: 22 ⇒ 21']],
])('%s and %s', (before, after, differences) => {
  expect(valueDifferences(before, after)).toEqual(differences);
});
