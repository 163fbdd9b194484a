import type ts from 'typescript-classic';
import { expect, it } from 'vitest';
import { compiler, parse } from '../syntax/compiler.ts';
import { ownerChanged, placeWritten } from './facts.ts';

function expression(code: string): ts.Node {
  const [statement] = parse('a.ts', code).statements;
  if (statement === undefined || !compiler().isExpressionStatement(statement)) throw new Error('no expression');
  return statement.expression;
}

it.each([
  ['a.b = 1', 'a.b'],
  ['a ??= 1', 'a'],
  ['[a, b] = pair', '[a, b]'],
  ['a++', 'a'],
  ['--a.b', 'a.b'],
  ['delete a.b', 'a.b'],
  ['-a', undefined],
  ['a === b', undefined],
  ['a.push(1)', undefined],
])('%s writes %s', (code, place) => {
  expect(placeWritten(expression(code))?.getText()).toBe(place);
});

it.each([
  ['a.b.push(1)', 'a.b'],
  ['map.set(1, 2)', 'map'],
  ['a.slice(1)', undefined],
  ['push(1)', undefined],
])('%s changes %s', (code, owner) => {
  expect(ownerChanged(expression(code))?.getText()).toBe(owner);
});
