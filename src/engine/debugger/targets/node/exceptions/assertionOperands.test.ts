import { describe, expect, it } from 'vitest';
import { assertionOperands } from './assertionOperands.ts';

/** `|` marks where V8 says the call stands. */
function operandsOf(code: string): string[] {
  const at = code.indexOf('|');
  const before = code.slice(0, at).split('\n');
  return assertionOperands(code.replace('|', ''), before.length - 1, before.at(-1)?.length ?? 0);
}

describe('the operands of a failed assertion', () => {
  it('are both sides of the comparison, without what can be read', () => {
    expect(operandsOf('const x = 1;\n|assert(total(a, [1]) === 4, "total")')).toEqual(['total(a, [1])']);
    expect(operandsOf('console.|assert(\n  JSON.stringify(f(1)) ===\n  JSON.stringify([2])\n)')).toEqual([
      'JSON.stringify(f(1))',
      'JSON.stringify([2])',
    ]);
    expect(operandsOf('|assert(-1 < x && !(y === undefined))')).toEqual(['x', 'y']);
  });

  it('are what was computed on the way, where the result alone says little', () => {
    expect(operandsOf('|assert(Math.abs(mean([1, 2]) - 2 / 3) < 1e-6)')).toEqual([
      'Math.abs(mean([1, 2]) - 2 / 3)',
      'mean([1, 2])',
    ]);
    expect(operandsOf('|assert(isPrime(n))')).toEqual(['isPrime(n)', 'n']);
  });

  it('are none where an answer would take waiting or doing', () => {
    expect(operandsOf('|assert((await load(1)) === 2)')).toEqual([]);
    expect(operandsOf('|assert(++n === 2)')).toEqual([]);
    expect(operandsOf('|assert(...args)')).toEqual([]);
    expect(operandsOf('not javascript at |all(')).toEqual([]);
  });

  it('belong to the call at the position, not to one inside or around it', () => {
    expect(operandsOf('test("a", () => { check(1 === f()); |assert(g() > 2); })')).toEqual(['g()']);
  });
});
