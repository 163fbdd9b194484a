import { expect, it } from 'vitest';
import { Deferred } from '../../../../../base/deferred.ts';
import { silentLogger } from '../../../../../base/logger.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import { Isolate } from './isolate.ts';

const location = { scriptId: '7', lineNumber: 0, columnNumber: 0 };
const frame = { callFrameId: '1', functionName: 'work', location, url: '', scopeChain: [], this: { type: 'object' } };

/** An isolate that runs, with a V8 whose events the test sends and whose answers to one method wait for the test. */
async function runningIsolate(slowMethod: string) {
  const sent: string[] = [];
  const listeners = new Map<string, (params: unknown) => void>();
  const asked = new Deferred<void>();
  const slow = new Deferred<unknown>();
  const session = {
    isClosed: false,
    closed: new Promise<void>(() => undefined),
    on: (event: string, listener: (params: unknown) => void) => void listeners.set(event, listener),
    send: (method: string) => {
      sent.push(method);
      if (method !== slowMethod) return Promise.resolve({});
      asked.resolve();
      return slow.promise;
    },
  };
  const isolate = new Isolate({
    threadId: 't1',
    processId: 'p1',
    name: 'main',
    // Only what an isolate asks of V8 when it pauses and goes on.
    session: session as unknown as CdpSession,
    isWorker: false,
    logger: silentLogger,
    nextHandleId: () => 'v1',
    toLocalPath: (path) => path,
    toRemotePath: (path) => path,
  });
  const events: string[] = [];
  isolate.events.on((event) => events.push(event.type));
  await isolate.prepare(() => undefined);
  const parsed = { scriptId: '7', url: 'file:///p/app.js', startLine: 0, startColumn: 0, endLine: 1, endColumn: 9 };
  listeners.get('Debugger.scriptParsed')?.({ ...parsed, executionContextId: 1, hash: '', buildId: '' });
  await isolate.run(() => false);
  const stands = () => listeners.get('Debugger.paused')?.({ reason: 'other', callFrames: [frame] });
  return { isolate, events, sent, stands, asked: asked.promise, answer: (value: unknown) => slow.resolve(value) };
}

it('a pause that bites while another thread becomes the stop is held, and no second stop', async () => {
  const { isolate, events, stands, asked, answer } = await runningIsolate('Debugger.getScriptSource');
  await isolate.pause();
  stands();
  await asked;
  await isolate.hold();
  answer({ scriptSource: 'work();' });
  await expect.poll(() => isolate.isPaused).toBe(true);
  expect(isolate.isHeld).toBe(true);
  expect(events).toEqual(['held']);
});

it('a pause that bites while the program is let go on does not undo that', async () => {
  const { isolate, events, sent, stands, asked, answer } = await runningIsolate('Debugger.getScriptSource');
  await isolate.pause();
  stands();
  await asked;
  await isolate.hold();
  await isolate.release();
  answer({ scriptSource: 'work();' });
  await expect.poll(() => sent.at(-1)).toBe('Debugger.resume');
  expect(isolate.isPaused).toBe(false);
  expect(events).toEqual([]);
});

it('a thread that is to stand still again while its last pause is being forgotten is paused again', async () => {
  const { isolate, sent, asked, answer } = await runningIsolate('Runtime.evaluate');
  await isolate.hold();
  const released = isolate.release();
  await asked;
  await isolate.hold();
  answer({});
  await released;
  expect(sent.filter((method) => method === 'Debugger.pause')).toHaveLength(2);
});
