import { connect as connectSocket, type Socket } from 'node:net';
import { TransportError } from '../../base/errors.ts';
import { LineSplitter } from '../../base/text/lineSplitter.ts';
import type { Discovery } from './discovery.ts';
import { parseWelcome, type Hello, type Welcome } from './hello.ts';

/** A connection on which the shared process has said welcome. */
export interface SharedConnection {
  socket: Socket;
  version: string;
  build: string;
  pid: number;
}

const peer = 'the Sightline process';
const welcomeTimeoutMs = 5000;

/** Connects and says hello. Fails when the process is just ending, or does not want us; the caller then looks again. */
export function connectShared(discovery: Discovery, hello: Omit<Hello, 'token'>): Promise<SharedConnection> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(discovery.socket);
    const splitter = new LineSplitter(1_000_000);
    const timer = setTimeout(() => fail('did not answer'), welcomeTimeoutMs);
    const fail = (why: string, cause?: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new TransportError(peer, `${peer} (pid ${discovery.pid}) ${why}.`, '', cause));
    };
    const onError = (error: Error) => fail('cannot be reached', error);
    const onClose = () => fail('closed the connection');
    const onData = (chunk: Buffer) => {
      const [line, ...more] = splitter.push(chunk);
      if (line === undefined) return;
      const welcome: Welcome | undefined = parseWelcome(line);
      if (welcome === undefined || more.length > 0) return fail('answered with something else');
      if ('refused' in welcome) return fail(`refused: ${welcome.refused}`);
      clearTimeout(timer);
      socket.off('error', onError).off('close', onClose).off('data', onData);
      socket.pause();
      resolve({ socket, ...welcome.welcome });
    };
    socket.on('error', onError).on('close', onClose).on('data', onData);
    socket.write(`${JSON.stringify({ ...hello, token: discovery.token })}\n`);
  });
}
