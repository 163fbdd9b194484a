import type { Socket } from 'node:net';
import { answerError } from '../answer.ts';
import { ToolError } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { LineSplitter } from '../../base/text/lineSplitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { ControlMethod, ControlMethods, ControlRequest, ControlResponse } from './controlProtocol.ts';
import type { Hello } from './hello.ts';

export type ControlHandlers = {
  [Method in ControlMethod]: (
    params: ControlMethods[Method]['params'],
    caller: { hello: Hello; signal: AbortSignal },
  ) => Promise<ControlMethods[Method]['result']> | ControlMethods[Method]['result'];
};

const maxRequestBytes = 16_000_000;

/** Answers one command line until it hangs up; hanging up cancels what it asked for. */
export function serveControl(hello: Hello, socket: Socket, handlers: ControlHandlers, logger: Logger): void {
  const gone = new AbortController();
  const splitter = new LineSplitter(maxRequestBytes);
  socket.once('close', () => gone.abort());
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const line of splitter.push(chunk)) void answer(line);
    } catch {
      socket.destroy();
    }
  });
  socket.resume();

  async function answer(line: string): Promise<void> {
    const request = parseRequest(line);
    if (request === undefined) {
      socket.destroy();
      return;
    }
    const response = await respond(request);
    if (!socket.destroyed) socket.write(`${JSON.stringify(response)}\n`);
  }

  async function respond({ id, method, params }: ControlRequest): Promise<ControlResponse> {
    try {
      if (!Object.hasOwn(handlers, method)) throw new ToolError('unsupported', `There is no request "${method}".`);
      // The command line that sends it is ours, of this or another version; a handler checks what it depends on.
      const handler = handlers[method as ControlMethod] as (params: unknown, caller: unknown) => unknown;
      return { id, result: await handler(params, { hello, signal: gone.signal }) };
    } catch (thrown) {
      const error = answerError(thrown, () => {
        const bugId = randomId('bug');
        logger.error(`${bugId} in the control request ${method}`, thrown);
        return bugId;
      });
      return { id, error: { ...error, hint: error.hint?.toString() } };
    }
  }
}

function parseRequest(line: string): ControlRequest | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    const { id, method, params } = value as Partial<Record<keyof ControlRequest, unknown>>;
    if (typeof id !== 'number' || typeof method !== 'string') return undefined;
    return { id, method, params: typeof params === 'object' && params !== null ? { ...params } : {} };
  } catch {
    return undefined;
  }
}
