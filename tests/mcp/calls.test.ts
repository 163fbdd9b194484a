import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { delay } from '../../src/base/cancellation.ts';
import { Deferred } from '../../src/base/deferred.ts';
import { defineTool } from '../../src/tools/defineTool.ts';
import { toolsOnly, ways } from './toolsOnly.ts';

const common = { faces: ['debugger'], toolset: 'debugger', scope: 'none', effect: 'execute' } as const;

/** A tool that works until it is stopped, and tells the test about it. */
function endless() {
  const started = new Deferred<void>();
  const stopped = new Deferred<void>();
  const tool = defineTool({
    ...common,
    name: 'work_forever',
    title: 'Work',
    description: 'Works until stopped.',
    input: z.object({}),
    output: z.object({}),
    run: async (_engines, _args, call) => {
      call.signal.addEventListener('abort', () => stopped.resolve());
      started.resolve();
      await delay(60_000, call.signal);
      return {};
    },
  });
  return { tool, started: started.promise, stopped: stopped.promise };
}

describe.each(ways)('over $name', (way) => {
  let end: () => Promise<void> = async () => undefined;
  afterEach(() => end());

  it('stops the work when the client cancels, and goes on with the next call', async () => {
    const { tool, started, stopped } = endless();
    const served = await toolsOnly([tool, echo]);
    end = served.dispose;
    const agent = await served.connect(way);
    const cancel = new AbortController();
    const call = agent.call('work_forever', {}, { signal: cancel.signal }).catch(String);
    await started;
    cancel.abort('enough');
    await stopped;
    expect(await call).toMatch(/enough/);
    expect((await agent.call('echo', { text: 'still here' })).data).toEqual({ text: 'still here' });
  });

  it('stops the work when the client goes away', async () => {
    const { tool, started, stopped } = endless();
    const served = await toolsOnly([tool]);
    end = served.dispose;
    const agent = await served.connect(way);
    const call = agent.call('work_forever').catch(() => undefined);
    await started;
    await agent.mcp.close();
    await stopped;
    await call;
  });

  it('reports progress while it works', async () => {
    const served = await toolsOnly([counting]);
    end = served.dispose;
    const agent = await served.connect(way);
    const heard: [string | undefined, number][] = [];
    await agent.call('count', {}, { onProgress: (message, progress) => void heard.push([message, progress]) });
    expect(heard.map(([message]) => message)).toEqual(['one', 'two', 'three']);
    const numbers = heard.map(([, progress]) => progress);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(3);
  });
});

const echo = defineTool({
  ...common,
  name: 'echo',
  title: 'Echo',
  description: 'Answers what it was told.',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  run: async (_engines, args) => args,
});

const counting = defineTool({
  ...common,
  name: 'count',
  title: 'Count',
  description: 'Counts to three.',
  input: z.object({}),
  output: z.object({}),
  run: async (_engines, _args, call) => {
    call.progress('one', 0.3);
    await delay(5);
    call.progress('two');
    await delay(5);
    call.progress('three', 0.9);
    await delay(5);
    return {};
  },
});
