import { expect, test } from 'vitest';
import { fieldNumbers } from './constants.ts';
import { returnPlaces, writePlaces } from './instructions.ts';

test('returns and writes are found between instructions of every length', () => {
  const code = Buffer.from([
    ...[0x10, 0xb1], // bipush whose operand looks like a return
    ...[0xc4, 0x84, 0, 1, 0, 2], // wide iinc
    ...[0xaa, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2], // tableswitch at 8 with two cases
    ...[0xb5, 0, 7], // putfield 7
    ...[0xb3, 0, 8], // putstatic 8
    0xac, // ireturn
    ...[0xb9, 0, 1, 1, 0], // invokeinterface
    0xb1, // return
  ]);
  expect(returnPlaces(code)).toEqual([38, 44]);
  expect(writePlaces(code, new Set([7]))).toEqual([32]);
  expect(writePlaces(code, new Set([8]))).toEqual([35]);
});

test('fields are known by their names in the constant pool', () => {
  const text = (value: string) => [1, 0, value.length, ...Buffer.from(value)];
  const pool = Buffer.from([
    ...[5, 0, 0, 0, 0, 0, 0, 0, 1], // 1 and 2: a long
    ...text('total'), // 3
    ...text('I'), // 4
    ...[12, 0, 3, 0, 4], // 5: total, int
    ...[9, 0, 9, 0, 5], // 6: that field
    ...text('other'), // 7
    ...[12, 0, 7, 0, 4], // 8
    ...[9, 0, 9, 0, 8], // 9: another field
  ]);
  expect([...fieldNumbers(pool, 'total')]).toEqual([6]);
  expect([...fieldNumbers(pool, 'nothing')]).toEqual([]);
});
