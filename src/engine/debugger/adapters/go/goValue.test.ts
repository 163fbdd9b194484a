import { expect, test } from 'vitest';
import { goText, goValue, unloaded } from './goValue.ts';

test.each([
  [
    '*cart.Cart {Owner: "ann", Items: []cart.Item len: 2, cap: 2, [cart.Item {Name: "pen", Qty: 2},cart.Item {Name: "a", Qty: 1}], Prices: map[string]int ["pen": 150, "b": 1, ]}',
    '&cart.Cart{Owner: "ann", Items: [cart.Item{Name: "pen", Qty: 2}, cart.Item{Name: "a", Qty: 1}], Prices: map["pen": 150, "b": 1]}',
  ],
  ['[]cart.Item len: 1, cap: 1, [{Name: "pen, [x]", Qty: 2}]', '[{Name: "pen, [x]", Qty: 2}]'],
  ['main.Shape(main.Square) {Side: 3}', 'main.Square{Side: 3}'],
  ['[]string len: 0, cap: 0, nil', 'nil'],
  ['[]string len: 0, cap: 0, []', '[]'],
  ['error(*errors.errorString) *{s: "boom"}', 'error "boom"'],
  [
    'error(*fmt.wrapError) *{msg: "order 7: boom", err: error(*errors.errorString) *{s: "boom"}}',
    'error "order 7: boom"',
  ],
  ['error nil', 'nil'],
  ['time.Time(2024-02-29T12:30:00Z){wall: 0, ext: 63844806600, loc: *time.Location nil}', '2024-02-29T12:30:00Z'],
  ['[][]int len: 2, cap: 2, [[1,2],[3,4]]', '[[1, 2], [3, 4]]'],
  ['[]int len: 1000, cap: 1000, [0,0,0,...+997 more]', 'len 1000 [0, 0, 0, …]'],
  ['[]uint8 len: 5, cap: 5, [104,101,108,108,111]', '[]byte("hello")'],
  ['*cart.Item nil', 'nil'],
  ['chan int 5/10', 'chan int 5/10'],
  [
    'sync.WaitGroup {noCopy: sync.noCopy {}, state: sync/atomic.Uint64 {_: sync/atomic.noCopy {}, _: sync/atomic.align64 {}, v: 3}, sema: 0}',
    'sync.WaitGroup{state: atomic.Uint64{v: 3}, sema: 0}',
  ],
  [
    'struct { example.com/shop/cart.name string; example.com/shop/cart.qty int } {name: "two pens", qty: 2}',
    '{name: "two pens", qty: 2}',
  ],
  [
    '*testing.T {common: testing.common {mu: (*sync.RWMutex)(0x1fba738626c8), output: []uint8 len: 0, cap: 0, nil}}',
    '&testing.T',
  ],
  ['interface {}(string) "x"', '"x"'],
  ['"a, b: {c}"...+12 more', '"a, b: {c}"...+12 more'],
  ['-3.5', '-3.5'],
  [
    'atomic.Pointer[os.dirInfo] {_: [0]*os.dirInfo [], v: unsafe.Pointer(0x0)}',
    'atomic.Pointer[os.dirInfo]{v: unsafe.Pointer(0x0)}',
  ],
  ['main.Pair[int,string] {Left: 1, Right: "a"}', 'main.Pair[int,string]{Left: 1, Right: "a"}'],
  ['something <of> another kind', 'something <of> another kind'],
])('%s', (told, written) => {
  expect(goText(told)).toBe(written);
});

test('what was not loaded has a name by which delve can be asked for it', () => {
  expect(unloaded('[(*"cart.Item")(0xc0),(*main.T)(0xc8)], mu: (*sync.Mutex)(0xd0)')).toEqual([
    { text: '(*"cart.Item")(0xc0)', expression: '*(*cart.Item)(0xc0)' },
    { text: '(*main.T)(0xc8)', expression: '*(*main.T)(0xc8)' },
  ]);
  expect(goValue({ name: '~r0', value: '0', type: 'int' })).toBeUndefined();
});
