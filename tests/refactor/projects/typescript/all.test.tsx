import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import * as lib from './index';
import { Account, parseOptions, steps } from './index';
import { late } from './later';
import parse, { firstKey, firstValue } from './parse';
import { shadows, shifted } from './steps';
import { Card, Empty } from './view';

test('accounts', () => {
  const account = new Account('ann').pay(60).pay(30).pay(20);
  deepEqual(account.balance, 90);
  deepEqual([account.find(60)?.label, account.find('ann:30')?.amount, account.find(1)], ['ann:60', 30, undefined]);
  const seen: unknown[] = [];
  account.each((entry, owner) => seen.push([owner, entry.amount]));
  deepEqual(seen, [['ann', 60], ['ann', 30]]);
  deepEqual(lib.summary(account), 'ann has 90');
  deepEqual(lib.lines, ['pay(60)', 'pay(30)', 'pay(20)']);
  deepEqual(Account.count, 1);
});

test('steps', async () => {
  deepEqual(await steps.load(async (key) => key.length, ['a', 'bb']), 11);
  const walk = steps.evens(5);
  deepEqual([walk.next(false).value, walk.next(false).value, walk.next(true)], [0, 2, { value: 'stopped', done: true }]);
  deepEqual([...steps.twice(3)], [0, 2, 0, 2]);
  const slow: number[] = [];
  for await (const n of steps.slow(4)) slow.push(n);
  deepEqual(slow, [0, 2]);
  const counter = steps.counter(20);
  deepEqual([counter.up(), counter.down(), counter.down()], [30, 20, 10]);
  deepEqual([shadows(3), shifted(1)], [[7, 8, 8], 2]);
});

test('options', async () => {
  const expected: lib.Options = { key: 'x', value: '1', 'max-size': 3 };
  deepEqual(parseOptions('x=1'), expected);
  deepEqual(lib.describe(parse('y')), { key: 'y', shown: '-', size: '3' });
  deepEqual([firstKey, firstValue], ['a', 'b']);
  deepEqual(await late('k=v'), 'knonetrue');
});

test('trees', () => {
  const tree = lib.node('a', lib.node('b', lib.node('c')));
  deepEqual([lib.size(tree), lib.height(tree)], [3, 3]);
});

test('views', () => {
  deepEqual(JSON.stringify([<Card account={new Account('bo').pay(1)} />, <Empty />]).match(/"id":"[^"]*"/g), [
    '"id":"bo has 1"',
    '"id":"positive"',
    '"id":"empty"',
  ]);
});
