import { types } from 'node:util';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { drawingSource } from './drawing.ts';

type Draw = (
  depth: number,
  maxItems: number,
  maxString: number,
  skipped: string[],
  ...holders: object[]
) => [string, string][][];
const make = runInThisContext(drawingSource) as (kinds: typeof types) => Draw;
const draw = make(types);
const textsOf = (holder: object) => Object.fromEntries(draw(3, 8, 160, ['module'], holder)[0] ?? []);

describe('values drawn inside the program', () => {
  it('draws what programs are made of, and only objects', () => {
    class Order {
      qty = 1;
      items = [{ price: 2 }, { price: 3 }];
    }
    class Names extends Array<string> {}
    const list = Object.assign([1, 'two', -0], { extra: true });
    expect(
      textsOf({
        number: 5,
        module: {},
        order: new Order(),
        list,
        names: Names.from(['ann']),
        nested: [[1, 2], [3]],
        map: new Map([['a', { deep: 1n }]]),
        set: new Set([null, undefined]),
        bare: Object.assign(Object.create(null) as object, { 'odd key': Symbol('x') }),
        work: { run: function go() {} },
      }),
    ).toEqual({
      order: 'Order {qty: 1, items: [{price: 2}, {price: 3}]}',
      list: '[1, "two", -0, extra: true]',
      names: 'Names(1) ["ann"]',
      nested: '[[1, 2], [3]]',
      map: 'Map(1) {"a" => {deep: 1n}}',
      set: 'Set(2) {null, undefined}',
      bare: '{"odd key": Symbol(x)}',
      work: '{run: ƒ go()}',
    });
  });

  it('stays within bounds', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const texts = textsOf({
      cyclic,
      many: Array.from({ length: 1_000_000 }, () => 7),
      rows: Array.from({ length: 50 }, () => ({ a: 1 })),
      long: { text: 'x'.repeat(500) },
      // Sparse: only what is there is looked at.
      sparse: Object.assign(Array.from({ length: 3 }), { length: 1_000_000_000 }),
    });
    expect(texts).toMatchObject({
      cyclic: '{self: {self: {self: {…}}}}',
      many: '[7, 7, 7, 7, 7, 7, 7, 7, … +999992]',
      rows: '[{a: 1}, {a: 1}, {a: 1}, … +47]',
    });
    expect(texts['long']).toMatch(/… \(500 chars\)/);
    expect(texts['sparse']?.length).toBeLessThan(200);
  });

  it('runs nothing of the program, and leaves out what can only be seen from outside', () => {
    let ran = 0;
    const trap = () => {
      ran++;
      throw new Error('trapped');
    };
    const trapped = new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap });
    class Secret {
      #hidden = 1;
      get value(): number {
        return this.#hidden;
      }
    }
    const texts = textsOf({
      getter: Object.defineProperty({ fine: 1 }, 'boom', { get: trap, enumerable: true }),
      proxy: trapped,
      inside: { deeper: [trapped] },
      below: Object.create(trapped) as object,
      secret: new Secret(),
      derived: new (class extends Secret {})(),
      promise: Promise.resolve(1),
      error: new Error('x'),
      bytes: new Uint8Array(2),
    });
    expect(texts).toEqual({ getter: '{fine: 1, boom: [getter]}' });
    expect(ran).toBe(0);
  });
});
