import { types } from 'node:util';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type DrawnVariable, drawingSource, isDrawn } from './drawing.ts';

type Draw = (
  depth: number,
  maxItems: number,
  maxString: number,
  skipped: string[],
  ...holders: object[]
) => DrawnVariable[][];
const make = runInThisContext(drawingSource) as (kinds: typeof types) => Draw;
const draw = make(types);
const drawn = (holder: object) => draw(3, 8, 160, ['module'], holder)[0] ?? [];
const textsOf = (holder: object) =>
  Object.fromEntries(drawn(holder).flatMap((each) => (isDrawn(each) ? [[each[0], each[1]]] : [])));

describe('values drawn inside the program', () => {
  it('says when two names hold one object', () => {
    const basket = [1];
    expect(textsOf({ basket, copy: [1], again: basket, one: 1, other: 1 })).toEqual({
      basket: '#1 [1]',
      copy: '[1]',
      again: '#1 [1]',
      one: '1',
      other: '1',
    });
    const node: Record<string, unknown> = { name: 'root', shared: {} };
    node['child'] = { parent: node, shared: node['shared'] };
    const hidden = Promise.resolve(basket);
    expect(
      drawn({ node, says: '#1 [1]', basket, hidden, also: hidden, inside: [basket] }).map(([name, text]) => [
        name,
        text,
      ]),
    ).toEqual([
      ['node', '#2 {name: "root", shared: #3 {}, child: {parent: #2, shared: #3}}'],
      ['says', '"#1 [1]"'],
      ['basket', '#1 [1]'],
      ['hidden', '#4 '],
      ['also', '#4 '],
      ['inside', '[#1 [1]]'],
    ]);
  });

  it('draws what programs are made of', () => {
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
      number: '5',
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

  it('tells types as V8 does, how many elements there are, and what cannot be drawn', () => {
    class Order {}
    class Tagged {
      [Symbol.toStringTag] = 'Other';
    }
    const date = new Date(0);
    expect(
      drawn({
        text: 'a',
        nothing: null,
        missing: undefined,
        zero: -0,
        big: 1n,
        list: [1, 2],
        map: new Map([[1, 2]]),
        plain: {},
        bare: Object.create(null) as object,
        order: new Order(),
        date,
        run: function run() {},
        tagged: new Tagged(),
        prototype: Order.prototype,
        module: {},
      }),
    ).toEqual([
      ['text', '"a"', 'string'],
      ['nothing', 'null', 'null'],
      ['missing', 'undefined', 'undefined'],
      ['zero', '-0', 'number'],
      ['big', '1n', 'bigint'],
      ['list', '[1, 2]', 'Array(2)', 2],
      ['map', 'Map(1) {1 => 2}', 'Map(1)', 1],
      ['plain', '{}', 'Object', -1],
      ['bare', '{}', 'Object', -1],
      ['order', 'Order {}', 'Order', -1],
      ['date', String(date), String(date), -1],
      ['run', expect.stringMatching(/^function run\(\)/), 'function'],
      ['tagged', ''],
      ['prototype', ''],
      ['module'],
    ]);
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
      cyclic: expect.stringMatching(/^#(\d+) {self: #\1}$/),
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
