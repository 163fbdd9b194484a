import type { Logger } from '../base/logger.ts';
import { randomId } from '../base/ids.ts';
import { endOwned, endWithin } from '../base/processes.ts';

export interface Life {
  /** Begins the end; the first reason counts. */
  end(reason: string): void;
  /** Resolves with the reason once the end has begun. */
  readonly ending: Promise<string>;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** R1: an embedded process is gone in 5 s, and leaves nothing. What has not ended politely until then is ended all the same. */
const lastMomentMs = 3500;
/** For an end that does not even get there: a blocked event loop, or threads of the runtime that wait for each other. */
const endForSureMs = 4500;

/** Turns the signals that end a process into one orderly end, and keeps one bad event from being one. */
export function processLife(logger: () => Logger | undefined): Life {
  let end: (reason: string) => void = () => undefined;
  let hasBegun = false;
  const ending = new Promise<string>((resolve) => {
    end = (reason) => {
      if (hasBegun) return;
      hasBegun = true;
      endWithin(endForSureMs);
      setTimeout(() => {
        endOwned();
        process.exit(1);
      }, lastMomentMs).unref();
      resolve(reason);
    };
  });
  for (const signal of signals) process.on(signal, () => end(signal));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => logger()?.error(`${randomId('bug')} ${event}; the process goes on`, error));
  // A terminal or log reader that went away is no reason to stop serving others.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  return { end, ending };
}
