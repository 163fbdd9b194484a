import { inspect } from 'node:util';
import type { LogRecord, LogSink } from '../base/logger.ts';

/** Log lines on stderr, for a process in the foreground. stdout belongs to the protocol. */
export function stderrSink(minimum: 'info' | 'warn'): LogSink {
  return (record) => {
    if (record.level === 'debug' || (record.level === 'info' && minimum === 'warn')) return;
    process.stderr.write(`${formatRecord(record)}\n`);
  };
}

/** Sends each record to all sinks that are there. */
export function allSinks(...sinks: readonly (LogSink | undefined)[]): LogSink {
  return (record) => {
    for (const sink of sinks) sink?.(record);
  };
}

function formatRecord(record: LogRecord): string {
  const detail = record.detail === undefined ? '' : ` ${inspect(record.detail, { depth: 4, breakLength: 160 })}`;
  return `${record.time.toISOString()} ${record.level.padEnd(5)} [${record.tag}] ${record.message}${detail}`;
}
