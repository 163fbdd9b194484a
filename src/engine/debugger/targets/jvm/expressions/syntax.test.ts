import { describe, expect, it } from 'vitest';
import { compute, converted } from './arithmetic.ts';
import { isProvenRead } from './provenReads.ts';
import { parseExpression } from './syntax.ts';

describe('expressions of Java', () => {
  it.each([
    ['a + b * c', { kind: 'binary', operator: '+', right: { kind: 'binary', operator: '*' } }],
    ['(String) value', { kind: 'cast', type: 'String', operand: { kind: 'name', name: 'value' } }],
    ['(a) + b', { kind: 'binary', operator: '+', left: { kind: 'name', name: 'a' } }],
    ['(int) 3.7', { kind: 'cast', type: 'int' }],
    ['xs.get(0).name()', { kind: 'call', name: 'name', target: { kind: 'call', name: 'get' } }],
    ['new ArrayList<Map<String, Integer>>(3)', { kind: 'new', type: 'ArrayList' }],
    ['new int[]{1, 2}', { kind: 'newArray', type: 'int', length: undefined }],
    ['x instanceof java.util.List', { kind: 'instanceof', type: 'java.util.List' }],
    ["c == '\\n' ? 1 : 2", { kind: 'conditional', test: { right: { value: 10 } } }],
    ['a >= 1 && !b || c', { kind: 'binary', operator: '||' }],
    ['total += 2;', { kind: 'assign', operator: '+' }],
    ['0xFFFFFFFF', { kind: 'literal', type: 'int', value: -1 }],
    ['String.class', { kind: 'classLiteral', type: 'String' }],
    ['"a\\"b" /* no */', { kind: 'string', text: 'a"b' }],
  ])('%s is read', (text, shape) => {
    expect(parseExpression(text)).toMatchObject(shape);
  });

  it.each([
    ['a +', 'the end'],
    ['xs.stream().map(x -> x)', 'lambdas'],
    ['xs.forEach(System.out::println)', 'method references'],
    ['new Runnable() { }', 'anonymous classes'],
    ['a b', "'b'"],
    ['99999999999', 'too large for an int'],
  ])('%s is refused, with the reason', (text, why) => {
    expect(() => parseExpression(text)).toThrow(why);
  });

  it('computes as Java does', () => {
    expect(compute('*', { tag: 'I', value: 65536 }, { tag: 'I', value: 65536 })).toEqual({ tag: 'I', value: 0 });
    expect(compute('/', { tag: 'I', value: -7 }, { tag: 'I', value: 2 })).toEqual({ tag: 'I', value: -3 });
    expect(compute('>>>', { tag: 'I', value: -1 }, { tag: 'I', value: 28 })).toEqual({ tag: 'I', value: 15 });
    expect(compute('+', { tag: 'J', value: 2n ** 63n - 1n }, { tag: 'I', value: 1 })).toEqual({
      tag: 'J',
      value: -(2n ** 63n),
    });
    expect(converted({ tag: 'D', value: 1e12 }, 'I')).toEqual({ tag: 'I', value: 2147483647 });
    expect(() => compute('%', { tag: 'I', value: 1 }, { tag: 'I', value: 0 })).toThrow('/ by zero');
  });

  it('calls in read-only mode only what is known to read', () => {
    const text = { tag: 's', objectId: 5 } as const;
    const object = { tag: 'L', objectId: 6 } as const;
    expect(isProvenRead('java.util.ArrayList', 'size', [])).toBe(true);
    expect(isProvenRead('java.util.HashMap', 'get', [text])).toBe(true);
    // The key's own hashCode would run.
    expect(isProvenRead('java.util.HashMap', 'get', [object])).toBe(false);
    expect(isProvenRead('java.util.ArrayList', 'add', [text])).toBe(false);
    expect(isProvenRead('shop.Cart', 'size', [])).toBe(false);
    expect(isProvenRead('java.lang.Math', 'random', [])).toBe(false);
  });
});
