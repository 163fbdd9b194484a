import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Logger, type LogLevel } from '../../base/logger.ts';
import { Redactor } from '../../base/text/redact.ts';
import { LogFile } from './logFile.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-log-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(level: LogLevel = 'info', maxBytes = 1_000_000): { log: LogFile; logger: Logger } {
  const log = new LogFile({
    path: join(folder, 'logs/sightline.log'),
    level,
    maxBytes,
    files: 3,
    redactor: new Redactor(),
  });
  return { log, logger: new Logger(log.sink) };
}

test('records are read back with level, tag and text, oldest first', async () => {
  const { log, logger } = open();
  logger.debug('too detailed');
  logger.info('started');
  logger.tagged('lsp').warn('slow answer', { method: 'hover' });
  logger.tagged('lsp').error('died', new Error('exit 1\nsecond line'));
  const all = await log.read({ limit: 10 });
  expect(all.lines.map((line) => `${line.level} ${line.tag} ${line.message.slice(0, 40)}`)).toEqual([
    'info sightline started',
    'warn lsp slow answer {"method":"hover"}',
    'error lsp died Error: exit 1\\nsecond line\\n    at ',
  ]);
  expect((await log.read({ limit: 10, level: 'warn', tag: 'lsp', text: 'HOVER' })).lines).toHaveLength(1);
  expect(await log.read({ limit: 1 })).toMatchObject({
    lines: [{ message: expect.stringContaining('died') }],
    truncated: true,
  });
});

test('the file is private, rotated by size, and old files go', async () => {
  const { log, logger } = open('info', 2000);
  for (let index = 0; index < 200; index++) logger.info(`record ${index} ${'x'.repeat(50)}`);
  expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['sightline.log', 'sightline.log.1', 'sightline.log.2']);
  expect(statSync(log.path).size).toBeLessThanOrEqual(2000);
  expect(statSync(log.path).mode & 0o777).toBe(0o600);
  const { lines } = await log.read({ limit: 30 });
  expect(lines).toHaveLength(30);
  expect(lines.at(-1)?.message).toContain('record 199');
});

test('secrets are not logged, and a line cannot pose as another record', async () => {
  const { log, logger } = open();
  logger.info('login with password=hunter2\n2020-01-01T00:00:00.000Z ERROR [fake] forged');
  expect(readFileSync(log.path, 'utf8')).not.toContain('hunter2');
  expect((await log.read({ limit: 9 })).lines).toHaveLength(1);
});

test('a torn line of a crashed process does not swallow the next record', async () => {
  const first = open();
  first.logger.info('one');
  first.log.dispose();
  appendFileSync(first.log.path, '2026-01-01T00:00:00.000Z INF');
  const second = open();
  second.logger.info('two');
  expect((await second.log.read({ limit: 9 })).lines.map((line) => line.message)).toEqual(['one', 'two']);
});

test('a log that was never written is empty', async () => {
  expect(await open().log.read({ limit: 5 })).toEqual({ lines: [], truncated: false });
});
