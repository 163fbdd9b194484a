import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lineSplitter.ts';

describe('LineSplitter', () => {
  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''))),
        fc.array(fc.nat(40)),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const splitter = new LineSplitter(1_000_000);
          const seen: string[] = [];
          let at = 0;
          for (const cut of cuts) {
            seen.push(...splitter.push(bytes.subarray(at, at + cut)));
            at = Math.min(at + cut, bytes.length);
          }
          seen.push(...splitter.push(bytes.subarray(at)));
          expect(seen).toEqual(lines);
          expect(splitter.rest().length).toBe(0);
        },
      ),
    );
  });

  it('drops carriage returns, hands over what is left, and refuses an endless line', () => {
    const splitter = new LineSplitter(8);
    expect(splitter.push(Buffer.from('a\r\nb'))).toEqual(['a']);
    expect(splitter.rest().toString()).toBe('b');
    expect(() => splitter.push(Buffer.from('123456789'))).toThrow(RangeError);
  });
});
