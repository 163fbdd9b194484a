import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appDirs } from '../base/appDirs.ts';
import { PeerError, ToolError } from '../base/errors.ts';
import { Logger, type LogRecord } from '../base/logger.ts';
import type { Project } from '../engine/workspace/project.ts';
import { defineTool, type Effect, type ToolCall } from '../tools/defineTool.ts';
import { Approvals, defaultPolicy } from './approvals.ts';
import { Client } from './clients.ts';
import type { Engines } from '../tools/engines.ts';
import { ToolRunner, type CallRecorder } from './toolRunner.ts';

const project: Project = { id: 'p', name: 'p', root: '/p', stateDir: '/s', env: {}, trusted: true };

interface Given {
  effect?: Effect;
  run: (args: { n: number; file?: string | undefined }, call: ToolCall) => Promise<{ n: number; list?: string[] }>;
}

function setUp(given: Given) {
  const tool = defineTool({
    name: 'try_it',
    title: 'Try',
    description: 'Tries.',
    faces: ['debugger'],
    toolset: 'debugger',
    effect: given.effect ?? 'read',
    paths: { file: 'file' },
    input: z.object({ n: z.int(), file: z.string().optional() }),
    output: z.object({ n: z.number(), list: z.array(z.string()).optional() }),
    run: async (_engines, args, call) => given.run(args, call),
  });
  const logged: LogRecord[] = [];
  const recorded: { tool?: string; status?: string; error?: string; parameters?: unknown; affectedFiles?: string[] }[] =
    [];
  const recorder: CallRecorder = {
    begin: (call) => void recorded.push({ tool: call.tool, parameters: call.parameters }),
    end: (_id, outcome) => void recorded.push(outcome),
  };
  const approvals = new Approvals();
  const runner = new ToolRunner({
    findTool: () => tool,
    // The tools of this test use no engine.
    engines: { dirs: appDirs({ SIGHTLINE_HOME: '/nowhere' }) } as Engines,
    approvals,
    logger: new Logger((record) => void logged.push(record)),
    recorder,
    policyFor: () => defaultPolicy,
    resolveProject: async () => project,
    resolvePath: async (_project, path) => `/p/${path}`,
    preconditions: { session: () => undefined, pausedSession: () => undefined, trustedProject: () => undefined },
  });
  const client = new Client({ name: 'tester', transport: 'cli', face: 'debugger' });
  const call = (args: unknown, signal?: AbortSignal) => runner.call({ tool: 'try_it', args, client, signal });
  return { call, approvals, client, logged, recorded };
}

describe('ToolRunner', () => {
  it('answers with checked data, text, and notes about corrected arguments', async () => {
    const { call, recorded } = setUp({ run: async (args) => ({ n: args.n + 1 }) });
    const answer = await call({ n: '4' });
    expect(answer.data).toEqual({ n: 5, notes: ['Note: n: "4" was read as 4.'] });
    expect(answer.text).toBe('Note: n: "4" was read as 4.\nn: 5');
    expect(recorded).toMatchObject([{ tool: 'try_it', parameters: { n: 4 } }, { status: 'success' }]);
  });

  it('hands the tool the resolved path and writes down the files it changed', async () => {
    let seen = '';
    const { call, recorded } = setUp({
      run: async (args, toolCall) => {
        seen = args.file ?? '';
        toolCall.affects(seen);
        return { n: 0 };
      },
    });
    await call({ n: 1, file: 'a.ts' });
    expect(seen).toBe('/p/a.ts');
    expect(recorded[1]?.affectedFiles).toEqual(['/p/a.ts']);
  });

  it('says which argument does not fit, and records the failed call', async () => {
    const { call, recorded } = setUp({ run: async () => ({ n: 0 }) });
    const answer = await call({ n: 'many' });
    expect(answer.error?.code).toBe('invalid_arguments');
    expect(answer.error?.message).toContain('n: ');
    expect(recorded).toMatchObject([{ tool: 'try_it', parameters: { n: 'many' } }, { status: 'error' }]);
  });

  it('keeps what a tool error and an engine said, and hides a bug behind an id that the log explains', async () => {
    const known = await setUp({
      run: async () => Promise.reject(new ToolError('not_paused', 'Running.', { hint: 'Pause it.' })),
    }).call({ n: 1 });
    expect(known.error).toEqual({ code: 'not_paused', message: 'Running.', hint: 'Pause it.' });
    const peer = await setUp({ run: async () => Promise.reject(new PeerError('gopls', 'rename', 'no')) }).call({
      n: 1,
    });
    expect(peer.error).toEqual({ code: 'engine_failed', message: 'gopls refused rename: no' });
    const broken = setUp({ run: async () => Promise.reject(new TypeError('x is undefined')) });
    const bug = await broken.call({ n: 1 });
    expect(bug.error?.code).toBe('internal_error');
    const id = /bug_[\w-]+/.exec(bug.error?.message ?? '')?.[0];
    expect(id).toBeDefined();
    expect(broken.logged.map((record) => record.message)).toContain(`${id} in try_it`);
  });

  it('bounds the answer and says what is missing', async () => {
    const { call } = setUp({
      run: async () => ({ n: 1, list: Array.from({ length: 5000 }, (_, index) => `row ${index}`) }),
    });
    const answer = await call({ n: 1, max_chars: 500 });
    expect(JSON.stringify(answer.data).length).toBeLessThan(800);
    expect(answer.text.length).toBeLessThan(800);
    expect(answer.text).toContain('Left out to fit 500 characters: list: ');
  });

  it('stops the work when the client cancels', async () => {
    const cancel = new AbortController();
    let stopped = false;
    const { call } = setUp({
      run: (_args, toolCall) =>
        new Promise((_resolve, reject) => {
          toolCall.signal.addEventListener('abort', () => {
            stopped = true;
            reject(new Error('stopped'));
          });
        }),
    });
    const answer = call({ n: 1 }, cancel.signal);
    setTimeout(() => cancel.abort(), 5);
    expect((await answer).error?.code).toBe('cancelled');
    expect(stopped).toBe(true);
  });

  it('asks before a destructive call: refused, nothing runs; accepted, it goes on', async () => {
    let runs = 0;
    const { call, approvals, client } = setUp({ effect: 'destructive', run: async () => ({ n: ++runs }) });
    client.elicit = async () => 'refused';
    expect((await call({ n: 1 })).error?.code).toBe('approval_denied');
    expect(runs).toBe(0);
    client.elicit = async () => 'approved';
    expect((await call({ n: 1 })).data).toEqual({ n: 1 });
    expect(approvals.list()).toEqual([]);
    client.elicit = undefined;
    const waiting = call({ n: 2 });
    approvals.changed.once((ticket) => approvals.decide(ticket.id, true, 'person'));
    expect((await waiting).data).toEqual({ n: 2 });
  });

  it('escapes invisible characters from the project in text', async () => {
    const { call } = setUp({ run: async () => ({ n: 1, list: ['a\u202eb'] }) });
    expect((await call({ n: 1 })).text).toContain('a\\u202eb');
  });
});
