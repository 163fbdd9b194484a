import { connect } from 'node:net';
import { delay } from '../../../base/cancellation.ts';

/** A program listens on either; which one depends on how it names the host. */
const loopbacks = ['127.0.0.1', '::1'] as const;
const connectMs = 500;
const pauseMs = 100;

/** Whether something answers on a port of this machine. */
export async function portAnswers(port: number): Promise<boolean> {
  const answers = await Promise.all(loopbacks.map((host) => connects(host, port)));
  return answers.includes(true);
}

/** Resolves once something answers on the port. Ends with the signal; nothing tells when a port opens, so it is tried. */
export async function untilPortAnswers(port: number, signal: AbortSignal): Promise<true> {
  while (!(await portAnswers(port))) await delay(pauseMs, signal);
  return true;
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMs });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
