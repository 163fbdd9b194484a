import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { delay } from '../../src/base/cancellation.ts';
import { Deferred } from '../../src/base/deferred.ts';
import { defineTool } from '../../src/tools/defineTool.ts';
import { toolsOnly, ways } from './toolsOnly.ts';

/** The one answer that is believed. */
const yes: ElicitResult = { action: 'accept', content: { approve: true } };

describe.each(ways)('a destructive call over $name', (way) => {
  let end: () => Promise<void> = async () => undefined;
  afterEach(() => end());

  async function setUp(answer: ElicitResult | undefined) {
    const runs: string[] = [];
    const served = await toolsOnly([destroyer(runs)]);
    end = served.dispose;
    const questions: string[] = [];
    const forms: unknown[] = [];
    const agent = await served.connect(way, {
      ...(answer === undefined ? {} : { client: { capabilities: { elicitation: { form: {} } } } }),
      prepare: (client: Client) => {
        if (answer === undefined) return;
        client.setRequestHandler('elicitation/create', async (request) => {
          questions.push(request.params.message);
          forms.push(request.params);
          return answer;
        });
      },
    });
    return { served, agent, questions, forms, runs };
  }

  it('asks the person through the client, and runs once when told yes', async () => {
    const { agent, questions, forms, runs, served } = await setUp(yes);
    const { data, error } = await agent.call('destroy', { what: 'branch' });
    expect(error).toBeUndefined();
    expect(data).toEqual({ destroyed: 'branch' });
    expect(questions).toEqual([expect.stringMatching(/wants to call destroy \(destructive\) with {"what":"branch"}/)]);
    expect(forms).toMatchObject([
      { requestedSchema: { properties: { approve: { type: 'boolean' } }, required: ['approve'] } },
    ]);
    expect(runs).toEqual(['branch']);
    expect(served.approvals.list()).toEqual([]);
    // The next one is a new question.
    await agent.call('destroy', { what: 'branch' });
    expect(questions).toHaveLength(2);
  });

  it('does nothing when told no', async () => {
    const { agent, runs, served } = await setUp({ action: 'accept', content: { approve: false } });
    const { error } = await agent.call('destroy', { what: 'branch' });
    expect(error).toMatchObject({ name: 'approval_denied', message: expect.stringContaining('A person refused') });
    expect(runs).toEqual([]);
    expect(served.approvals.list()).toEqual([]);
  });

  it.each<[string, ElicitResult]>([
    ['accept without an answer', { action: 'accept', content: {} }],
    ['accept with nothing at all', { action: 'accept' }],
    ['accept with a text', { action: 'accept', content: { approve: 'true' } }],
    ['accept with a number', { action: 'accept', content: { approve: 1 } }],
    ['accept with another field', { action: 'accept', content: { confirm: true } }],
    ['decline', { action: 'decline' }],
    ['decline with a yes', { action: 'decline', content: { approve: true } }],
    ['cancel', { action: 'cancel' }],
  ])('believes no rule of the client: %s leaves a ticket that a person can approve', async (_what, answer) => {
    const { agent, runs, served } = await setUp(answer);
    const startedAt = Date.now();
    const { error, text } = await agent.call('destroy', { what: 'branch' }).catch((thrown: unknown) => ({
      // The client's own package refuses some of these before they are sent.
      error: { name: 'approval_pending', data: undefined },
      text: String(thrown),
    }));
    expect(Date.now() - startedAt).toBeLessThan(5000);
    expect(error?.name, text).toBe('approval_pending');
    expect(text).not.toContain('refused');
    expect(runs).toEqual([]);
    const [ticket] = served.approvals.list();
    expect(ticket?.state).toBe('pending');
    served.approvals.decide(ticket?.id ?? '', true, 'person');
    expect((await agent.call('destroy', { what: 'branch' })).data).toEqual({ destroyed: 'branch' });
    expect(runs).toEqual(['branch']);
  });

  it('waits for a ticket to be answered when the client cannot ask', async () => {
    const { agent, runs, served } = await setUp(undefined);
    served.approvals.changed.once((ticket) => served.approvals.decide(ticket.id, true, 'person'));
    expect((await agent.call('destroy', { what: 'stash' })).data).toEqual({ destroyed: 'stash' });
    expect(runs).toEqual(['stash']);
  });

  it('takes the question back when the client takes the call back', async () => {
    const { agent, runs, served } = await setUp(undefined);
    const cancel = new AbortController();
    const decided = new Promise<string>((resolve) =>
      served.approvals.changed.on((ticket) => {
        if (ticket.state === 'pending') cancel.abort('never mind');
        else resolve(`${ticket.state} by ${ticket.decidedBy}`);
      }),
    );
    await expect(agent.call('destroy', { what: 'stash' }, { signal: cancel.signal })).rejects.toThrow(/never mind/);
    expect(await decided).toBe('denied by cancelled');
    expect(runs).toEqual([]);
  });
});

it.each(ways)('an approved call can still be stopped over $name', async (way) => {
  const stopped = new Deferred<void>();
  const started = new Deferred<void>();
  const slow = defineTool({
    name: 'destroy_slowly',
    title: 'Destroy',
    description: 'Destroys something, in its own time.',
    faces: ['debugger'],
    toolset: 'debugger',
    scope: 'none',
    effect: 'destructive',
    input: z.object({}),
    output: z.object({}),
    run: async (_engines, _args, call) => {
      call.signal.addEventListener('abort', () => stopped.resolve());
      started.resolve();
      await delay(60_000, call.signal);
      return {};
    },
  });
  const served = await toolsOnly([slow]);
  const agent = await served.connect(way, {
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) => client.setRequestHandler('elicitation/create', async () => yes),
  });
  const cancel = new AbortController();
  const call = agent.call('destroy_slowly', {}, { signal: cancel.signal }).catch(String);
  await started.promise;
  cancel.abort('enough');
  await stopped.promise;
  expect(await call).toMatch(/enough/);
  // A yes is good for one call: nothing of it is left for the next.
  expect(served.approvals.list()).toEqual([]);
  await served.dispose();
});

it('leaves a dismissed question open as a ticket (2026)', async () => {
  const runs: string[] = [];
  const served = await toolsOnly([destroyer(runs)]);
  const agent = await served.connect(
    { transport: 'http', era: 'auto' },
    {
      client: { capabilities: { elicitation: { form: {} } } },
      prepare: (client) => client.setRequestHandler('elicitation/create', async () => ({ action: 'cancel' })),
    },
  );
  const { error } = await agent.call('destroy', { what: 'tag' });
  expect(error?.name).toBe('approval_pending');
  const [ticket] = served.approvals.list();
  expect(error?.data).toEqual({ ticketId: ticket?.id });
  served.approvals.decide(ticket?.id ?? '', true, 'person');
  expect((await agent.call('destroy', { what: 'tag' })).data).toEqual({ destroyed: 'tag' });
  expect(runs).toEqual(['tag']);
  await served.dispose();
});

it('asks on the stream of the call, because a client need not open another (2025)', async () => {
  const served = await toolsOnly([destroyer([])]);
  const headers = {
    authorization: `Bearer ${served.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (message: object, session: Record<string, string> = {}) =>
    fetch(`${served.http.url}/debugger-mcp`, {
      method: 'POST',
      headers: { ...headers, ...session },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const clientInfo = { name: 'bare', version: '1' };
  const hello = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo };
  const opened = await post({ id: 1, method: 'initialize', params: hello });
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post({ method: 'notifications/initialized' }, session);
  const params = { name: 'destroy', arguments: { what: 'tag' } };
  const call = await post({ id: 2, method: 'tools/call', params }, session);
  let heard = '';
  for await (const chunk of call.body ?? []) {
    heard += Buffer.from(chunk).toString();
    const [, id] = /"method":"elicitation\/create".*"id":(\d+)/.exec(heard) ?? [];
    if (id === undefined || heard.includes('"id":2')) continue;
    await post({ id: Number(id), result: yes }, session);
  }
  expect(heard).toContain('{\\"destroyed\\":\\"tag\\"}');
  await served.dispose();
});

it('does not take an answer for another question (2026)', async () => {
  const runs: string[] = [];
  const served = await toolsOnly([destroyer(runs)]);
  const agent = await served.connect(
    { transport: 'http', era: 'auto' },
    { client: { capabilities: { elicitation: { form: {} } } } },
  );
  const call = (what: string, more: object = {}) =>
    agent.mcp.request(
      { method: 'tools/call', params: { name: 'destroy', arguments: { what }, ...more } },
      { allowInputRequired: true },
    );
  const asked: unknown = await call('a branch');
  expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  const { requestState } = Object(asked) as { requestState: string };
  const approved = { requestState, inputResponses: { approval: yes } };
  expect(await call('everything', approved)).toMatchObject({ resultType: 'input_required' });
  expect(runs).toEqual([]);
  expect(await call('a branch', approved)).toMatchObject({ structuredContent: { destroyed: 'a branch' } });
  expect(runs).toEqual(['a branch']);
  await served.dispose();
});

function destroyer(runs: string[]) {
  return defineTool({
    name: 'destroy',
    title: 'Destroy',
    description: 'Destroys something.',
    faces: ['debugger'],
    toolset: 'debugger',
    scope: 'none',
    effect: 'destructive',
    input: z.object({ what: z.string() }),
    output: z.object({ destroyed: z.string() }),
    run: async (_engines, args) => {
      runs.push(args.what);
      return { destroyed: args.what };
    },
  });
}
