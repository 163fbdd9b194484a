import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JobOutput } from './jobOutput.ts';

test('what fits is kept whole, whatever the chunks, and can be read in pages', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 4, max: 50 }),
      (texts, chunkSize, pageSize) => {
        const output = new JobOutput({ headBytes: 40, tailBytes: 100_000 });
        const bytes = Buffer.from(texts.join(''));
        for (let at = 0; at < bytes.length; at += chunkSize)
          output.append('stdout', bytes.subarray(at, at + chunkSize));
        output.end();
        let cursor = 0;
        let read = 0;
        for (let page = output.read(0, pageSize); page.next > cursor; page = output.read(cursor, pageSize)) {
          read += page.next - page.from;
          expect(page.from).toBe(cursor);
          cursor = page.next;
        }
        expect(read).toBe(bytes.length);
        expect(output.totalBytes).toBe(bytes.length);
        expect(output.droppedBytes).toBe(0);
      },
    ),
  );
});

test('characters are never cut between chunks or by the other stream', () => {
  const output = new JobOutput();
  const bytes = Buffer.from('aé€😀');
  for (const byte of bytes) {
    output.append('stdout', Buffer.from([byte]));
    output.append('stderr', Buffer.from('.'));
  }
  output.end();
  expect(output.readAll()).toMatch(/^a\.*é\.*€\.*😀\.*$/u);
});

test('of much output the beginning and the end are kept, and the rest is counted', () => {
  const output = new JobOutput({ headBytes: 100, tailBytes: 200 });
  for (let line = 0; line < 1000; line++) output.append('stdout', Buffer.from(`line ${line}\n`));
  const total = output.totalBytes;
  expect(output.droppedBytes).toBe(total - 300);
  expect(output.read(0, 50).text).toMatch(/^line 0\nline 1\n/);
  expect(output.last(60).text).toMatch(/^line \d+\n[^]*line 999\n$/);
  const middle = output.read(150, 1000);
  expect(middle.droppedBytes).toBe(total - 200 - 150);
  expect(middle.next).toBe(total);
  const shown = output.headAndTail(100);
  expect(shown).toMatch(/^line 0\n[^]*… \d+ bytes left out …\n[^]*line 999\n$/);
  expect(shown.length).toBeLessThan(160);
});

test('the end is given whether it lies in the beginning that is kept, in the end, or in both', () => {
  const output = new JobOutput({ headBytes: 10, tailBytes: 20 });
  output.append('stdout', Buffer.from('abc\n'));
  expect(output.last(100)).toMatchObject({ text: 'abc\n', from: 0, next: 4 });
  output.append('stdout', Buffer.from('defghijkl\n'));
  expect(output.last(100).text).toBe('abc\ndefghijkl\n');
  expect(output.last(8).text).toBe('fghijkl\n'.slice(-8));
  output.append('stdout', Buffer.from('m'.repeat(40)));
  expect(output.last(100)).toMatchObject({ text: 'm'.repeat(20), next: 54 });
});

test('bytes that are no text, and colours, are shown as text', () => {
  const output = new JobOutput();
  output.append('stdout', Buffer.from([0xff, 0xfe, 0x80, 0x41, 0xc3]));
  output.append('stderr', Buffer.from('\u001b[31mred\u001b[0m\r\n'));
  output.end();
  expect(output.readAll()).toBe('\ufffd\ufffd\ufffdAred\n\ufffd');
});

test('a line of 200 MB takes no more memory than what is kept', () => {
  const output = new JobOutput();
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const before = process.memoryUsage();
  for (let i = 0; i < 200; i++) output.append('stdout', chunk);
  const after = process.memoryUsage();
  expect(output.totalBytes).toBe(200 * 1024 * 1024);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(100 * 1024 * 1024);
  expect(output.headAndTail(1000).length).toBeLessThan(1100);
});
