import { expect, test } from 'vitest';
import { OutputBuffer } from './outputBuffer.ts';

test('colours are left out, also when a sequence comes in two chunks', () => {
  const output = new OutputBuffer();
  for (const text of ['\u001b[1m\u001b[30mRUN\u001b[39m 1\u001b', '[3', '6mblue\u001b[0m\n'])
    output.append({ category: 'stdout', text });
  expect(output.tail(100)).toBe('RUN 1blue\n');
  expect(output.cursor).toBe('RUN 1blue\n'.length);
});

test('the streams do not finish each other’s sequences', () => {
  const output = new OutputBuffer();
  output.append({ category: 'stdout', text: 'a\u001b[3' });
  output.append({ category: 'stderr', text: '2m error\n' });
  output.append({ category: 'stdout', text: '2mb\n' });
  expect(output.tail(100)).toBe('a2m error\nb\n');
});

test('a log message stands before a line that the program has only begun, but not before what was read', () => {
  const output = new OutputBuffer();
  output.append({ category: 'stdout', text: 'one\ntwo ' });
  output.append({ category: 'log', text: 'x = 1\n' });
  output.append({ category: 'stdout', text: 'three\nfour ' });
  expect(output.tail(100)).toBe('one\n[log] x = 1\ntwo three\nfour ');
  const { cursor } = output;
  output.append({ category: 'log', text: 'x = 2\n' });
  expect(output.since(cursor, 100).text).toBe('[log] x = 2\n');
});

test('a log message stands behind what was printed before it, whichever comes first', () => {
  const output = new OutputBuffer();
  output.append({ category: 'log', text: '0\n', afterBytes: 0 });
  output.append({ category: 'log', text: 'a\n', afterBytes: 0 });
  output.append({ category: 'stdout', text: 'eins\nzw\u00f6lf\ndrei\n' });
  output.append({ category: 'log', text: 'b\n', afterBytes: 5 });
  output.append({ category: 'log', text: 'b2\n', afterBytes: 5 });
  output.append({ category: 'log', text: 'c\n', afterBytes: 12 });
  output.append({ category: 'log', text: 'd\n', afterBytes: 22 });
  output.append({ category: 'stdout', text: 'vier\n' });
  output.append({ category: 'stdout', text: 'ende\n' });
  expect(output.tail(200)).toBe(
    '[log] 0\n[log] a\neins\n[log] b\n[log] b2\nzw\u00f6lf\n[log] c\ndrei\nvier\n[log] d\nende\n',
  );
  const { cursor } = output;
  output.append({ category: 'log', text: 'e\n', afterBytes: 5 });
  output.append({ category: 'log', text: 'e2\n', afterBytes: 27 });
  output.append({ category: 'log', text: 'f\n', afterBytes: 99 });
  expect(output.since(cursor, 100).text).toBe('[log] e\n[log] e2\n[log] f\n');
});
