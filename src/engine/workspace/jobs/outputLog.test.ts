import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EscapeFilter } from './escapeFilter.ts';
import { OutputLog } from './outputLog.ts';
import { searchOutput } from './outputSearch.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const limits = { segmentBytes: 1000, headBytes: 3000, tailBytes: 5000 };

test('the beginning and the end of much output stay on disk, can be read at any place, and outlive the process', async () => {
  const log = new OutputLog(join(folder, 'log'), limits);
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`);
  const all = Buffer.from(lines.join(''));
  for (let at = 0; at < all.length; at += 777) log.append(all.subarray(at, at + 777));
  await log.close();
  expect(log.totalBytes).toBe(all.length);
  const onDisk = readdirSync(join(folder, 'log')).reduce(
    (sum, name) => sum + statSync(join(folder, 'log', name)).size,
    0,
  );
  expect(onDisk).toBe(log.keptBytes);
  expect(onDisk).toBeLessThan(3000 + 5000 + 2 * 1000);
  for (const reader of [log, await OutputLog.existing(join(folder, 'log'))]) {
    for (const position of [0, 999, 1000, 2500, 3500, all.length - 4900, all.length - 10]) {
      const { bytes, from } = await reader.read(position, 1500);
      expect(bytes.equals(all.subarray(from, from + bytes.length))).toBe(true);
      expect(bytes.length).toBeGreaterThan(0);
    }
    // What lies between is not there, and that shows.
    expect((await reader.read(20_000, 100)).from).toBeGreaterThan(20_000);
    const found = await searchOutput(reader, { pattern: '^line (7|4998)$', from: 0, maxMatches: 10, env: process.env });
    expect(found.matches.map(({ text }) => text)).toEqual(['line 7', 'line 4998']);
    for (const { cursor, text } of found.matches) expect(all.toString('utf8', cursor, cursor + text.length)).toBe(text);
  }
});

test('a line longer than a file is cut, and nothing is lost', async () => {
  const log = new OutputLog(join(folder, 'log'), { ...limits, headBytes: 100_000 });
  const all = Buffer.from(`${'x'.repeat(5500)}\nend\n`);
  log.append(all);
  await log.close();
  expect((await log.read(0, 10_000)).bytes.equals(all)).toBe(true);
});

test('a disk that takes nothing ends the log and nothing else', async () => {
  writeFileSync(join(folder, 'file'), '');
  const log = new OutputLog(join(folder, 'file', 'log'), limits);
  log.append(Buffer.from('text\n'));
  await log.close();
  expect(log.problem).toBeDefined();
  expect((await log.read(0, 10)).bytes).toHaveLength(0);
});

test('sequences are taken out wherever the stream is cut', () => {
  const text =
    'a\x1b[1;31mred\x1b[0m \x1b]0;title\x07b\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b(Bc\x1bPq\x1b\\d\x1b';
  for (let cut = 0; cut <= text.length; cut++) {
    const filter = new EscapeFilter();
    const parts = [text.slice(0, cut), text.slice(cut)].map((part) => filter.push(Buffer.from(part)).toString());
    expect(parts.join('')).toBe('ared blink cd');
  }
});
