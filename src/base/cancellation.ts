import { setMaxListeners } from 'node:events';
import { CancelledError, ToolError } from './errors.ts';

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancellationReason(signal);
}

export function cancellationReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error && signal.reason.name !== 'AbortError' ? signal.reason : new CancelledError();
}

/** Waits for `work`, but no longer than the signal lives. The work itself must listen to the signal to really stop. */
export async function untilCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  if (signal.aborted) {
    work.catch(() => undefined);
    throw cancellationReason(signal);
  }
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(cancellationReason(signal));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}

/** Waits for `work` at most `timeoutMs`; afterwards throws what `onTimeout` makes (a `timeout` ToolError unless told). */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number, onTimeout?: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(onTimeout?.() ?? new ToolError('timeout', `No answer within ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

/** Waits `ms`, or less when cancelled (then it throws). For pauses between polls, never instead of an event. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await untilCancelled(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** A wait that keeps nobody alive. */
export function unreferencedDelay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** Ends with the first of these. Many requests listen to it at a time. */
export function untilAny(signals: readonly AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any([...signals]);
  setMaxListeners(0, signal);
  return signal;
}
