import { expect, test } from 'vitest';
import { parseLeniently } from '../../scripts/syntaxTree.ts';
import { withoutInsertions } from './insertions.ts';
import { instrument } from './instrument.ts';
import type { InstrumentOptions } from './wishes.ts';
import { siteNumbers } from './sites.ts';

function options(more: Partial<InstrumentOptions> = {}): InstrumentOptions {
  return {
    placeOf: (line) => ({ file: 'a.js', line }),
    numbers: siteNumbers(0),
    wantsFunction: () => true,
    writes: { mode: 'all', names: new Set(['x']) },
    probes: [],
    form: 'body',
    ...more,
  };
}

const sources = [
  `class A extends B { #x = 1; constructor(a) { super(a); this.#x = a; } get y() { return this.#x } static { this.z = 1; } }`,
  `function e() { 'use strict' } function f(a, {b, c: [d]} = {}, ...rest) { if (a) return b; else if (d) return\n for (const x of rest) x.y++ \n delete a.x }`,
  `const g = x => ({ x }), h = async () => (await g(1), 2); const i = async function* () { yield* a; yield; const b = yield await c }`,
  `a.b.c = d[e] = f ? g => g.x : (h, i)\n;[1].push(2)\nObject.assign(a.x, {b})`,
  `function f() { switch (a) { case 1: f(); break; default: g() } do f(); while (a) label: for (;;) { continue label } }`,
  `export default function () { return import('x') } export const y = () => {}`,
  `function f() { var g; function g() {} return a?.x.b?.(c).push(1) }`,
  'if (a) f`x`; else (() => { throw 1 })()',
];

test.each(sources)('what is put in can be taken out again, and is code: %s', (source) => {
  const made = instrument(source, options());
  expect(made?.code).not.toBe(source);
  expect(withoutInsertions(made?.code ?? '')).toBe(source);
  expect(parseLeniently(made?.code ?? '')).toBeDefined();
});

test('functions have the names that people call them', () => {
  const source = `class A { constructor() {} m() {} #p() {} get x() { return 1 } }
const a = () => 1; b.c = function () {}; A.prototype.d = function () {}; list.map((x) => x); it('adds', () => {});`;
  const names = instrument(source, options())?.sites.functions.map(({ name, line }) => `${name}:${line}`);
  expect(names).toEqual([
    'A.constructor:1',
    'A.m:1',
    'A.#p:1',
    'A.get x:1',
    'a:2',
    'b.c:2',
    'A.d:2',
    'callback of map:2',
    'it("adds"):2',
  ]);
});
