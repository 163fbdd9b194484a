import { connect } from 'node:net';
import { cancellationReason, delay, withTimeout } from '../../../base/cancellation.ts';
import { Deferred } from '../../../base/deferred.ts';
import type { Job } from './job.ts';
import { searchOutput, type OutputMatch } from './outputSearch.ts';

/** What a wait ends with besides the end of the job and of the patience. */
interface WaitConditions {
  /** Something in the output, in ripgrep's syntax. */
  pattern?: string | undefined;
  /** Where in the output the pattern is looked for first. */
  from?: number | undefined;
  /** No output for so long. */
  quietMs?: number | undefined;
  /** A port of this machine that takes connections. */
  port?: number | undefined;
}

export type WaitOutcome = { reason: 'ended' | 'quiet' | 'port' | 'time' } | { reason: 'pattern'; match: OutputMatch };

/** Waits for the first of the conditions, for the end of the job, or `waitMs`. */
export async function waitFor(
  job: Job,
  conditions: WaitConditions,
  waitMs: number,
  signal: AbortSignal,
): Promise<WaitOutcome> {
  const over = new AbortController();
  const outcome = new Deferred<WaitOutcome>();
  const settle = (work: Promise<WaitOutcome>) => {
    work.then(
      (one) => outcome.resolve(one),
      (error: unknown) => {
        if (!over.signal.aborted) outcome.reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  };
  const onAbort = () => outcome.reject(cancellationReason(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(() => outcome.resolve({ reason: 'time' }), waitMs);
  const { pattern, from = 0, quietMs, port } = conditions;
  try {
    // What it printed last may be what is waited for, so that the end is told by whoever looks for it.
    if (pattern !== undefined) settle(matching(job, pattern, from, over.signal));
    else settle(job.ended.then(() => ({ reason: 'ended' })));
    if (quietMs !== undefined) settle(silence(job, quietMs, over.signal));
    if (port !== undefined) settle(answering(port, over.signal));
    return await outcome.promise;
  } finally {
    clearTimeout(timer);
    over.abort();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Searches are as far apart as this while output keeps coming. */
const searchPauseMs = 100;

async function matching(job: Job, pattern: string, start: number, signal: AbortSignal): Promise<WaitOutcome> {
  let from = start;
  for (;;) {
    const hasEnded = job.exit !== undefined;
    const appended = new Deferred<void>();
    const subscription = job.output.onDidAppend.on(() => appended.resolve());
    try {
      const lineStart = job.log.lineStart;
      const { matches } = await searchOutput(job.log, {
        pattern,
        from,
        maxMatches: 1,
        env: job.spec.project.env,
        signal,
      });
      const [match] = matches;
      if (match !== undefined) return { reason: 'pattern', match };
      if (hasEnded) return { reason: 'ended' };
      // A line that is not finished is looked at again when there is more of it.
      from = Math.max(from, lineStart);
      await Promise.race([appended.promise, job.ended]);
      if (job.exit === undefined) await Promise.race([delay(searchPauseMs, signal), job.ended]);
    } finally {
      void subscription.dispose();
    }
    if (signal.aborted) return { reason: 'time' };
  }
}

function silence(job: Job, quietMs: number, signal: AbortSignal): Promise<WaitOutcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ reason: 'quiet' }), quietMs);
    const subscription = job.output.onDidAppend.on(() => timer.refresh());
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        void subscription.dispose();
      },
      { once: true },
    );
  });
}

const portPauseMs = 100;

/** Nobody tells when a port is opened, so it is tried until it answers. */
async function answering(port: number, signal: AbortSignal): Promise<WaitOutcome> {
  for (;;) {
    for (const host of ['127.0.0.1', '::1']) if (await canConnect(host, port)) return { reason: 'port' };
    await delay(portPauseMs, signal);
  }
}

async function canConnect(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    return await withTimeout(
      new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('error', () => resolve(false));
      }),
      1000,
    ).catch(() => false);
  } finally {
    socket.destroy();
  }
}
