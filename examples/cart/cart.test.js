import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './cart.js';

test('adds up', () => {
  assert.equal(total([{ price: 2, count: 3 }]), 6);
});

test('takes the coupon off', () => {
  assert.equal(total([{ price: 10, count: 1, coupon: { percent: 20 } }]), 8);
});
