import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../base/logger.ts';
import { DapConnection } from '../../../../protocol/dap/connection.ts';
import { encodeFrame, FrameDecoder } from '../../../../protocol/jsonrpc/framing.ts';
import { type BreakpointSetup, defaultValueLimits } from '../../model.ts';
import type { DapAdapter } from './dapAdapter.ts';
import type { DebuggeeEvent } from './debuggee.ts';
import { StandardDebuggee } from './standardDebuggee.ts';

interface Request {
  seq: number;
  command: string;
  arguments: Record<string, unknown>;
}

const adapter: DapAdapter = {
  name: 'fake',
  adapterId: 'fake',
  start: () => Promise.reject(new Error('not used')),
  launchArguments: () => ({}),
  attachArguments: () => ({}),
};

const setup: BreakpointSetup = {
  lines: new Map([['/app.x', [{ id: 'bp_1', file: '/app.x', line: 3, condition: 'x', suspendPolicy: 'all' }]]]),
  functions: [{ id: 'bp_2', functionName: 'main', suspendPolicy: 'all' }],
  exceptions: [{ id: 'bp_3', caught: false, uncaught: true, userUnhandled: false }],
};

/** An adapter that answers by a table; what is not in it is answered with an empty body. */
function scripted(answers: Record<string, object | ((request: Request) => object)>, quirks: DapAdapter['quirks'] = {}) {
  const toAdapter = new PassThrough();
  const fromAdapter = new PassThrough();
  const asked: Request[] = [];
  const send = (message: object) => void fromAdapter.write(encodeFrame({ seq: 0, ...message }));
  const event = (name: string, body: object = {}) => send({ type: 'event', event: name, body });
  const decoder = new FrameDecoder({
    onBody: (body) => {
      const request = JSON.parse(body.toString('utf8')) as Request;
      asked.push(request);
      const answer = answers[request.command];
      const told = typeof answer === 'function' ? answer(request) : (answer ?? {});
      const failed = 'failure' in told;
      send({
        type: 'response',
        request_seq: request.seq,
        command: request.command,
        success: !failed,
        ...(failed ? { message: told.failure } : { body: told }),
      });
      if (request.command === 'launch' && !failed) event('initialized');
    },
    onNoise: () => undefined,
  });
  toAdapter.on('data', (chunk: Buffer) => decoder.push(chunk));
  const connection = new DapConnection({ readable: fromAdapter, writable: toAdapter }, { peer: 'fake' });
  const debuggee = new StandardDebuggee(
    connection,
    { id: 'p1', kind: 'process', title: 'fake' },
    { ...adapter, quirks },
    { command: 'launch', arguments: { program: 'x' } },
    silentLogger,
  );
  const events: DebuggeeEvent[] = [];
  debuggee.events.on((each) => events.push(each));
  return {
    debuggee,
    asked,
    event,
    events,
    die: () => fromAdapter.destroy(),
    commands: () => asked.map(({ command }) => command),
  };
}

describe('a program behind any debug adapter', () => {
  it('is never asked for what the adapter has not announced', async () => {
    const fake = scripted({ initialize: {}, setBreakpoints: { breakpoints: [{ id: 7, verified: true, line: 4 }] } });
    await fake.debuggee.start(setup);
    expect(fake.commands()).toEqual(['initialize', 'launch', 'setBreakpoints']);
    expect(fake.asked[2]?.arguments['breakpoints']).toEqual([{ line: 3 }]);
    expect(fake.events.map((event) => (event.type === 'breakpoint' ? event.binding : event))).toEqual([
      { breakpointId: 'bp_1', verified: true, location: { file: '/app.x', line: 4 } },
      { breakpointId: 'bp_2', verified: false, message: 'fake has no function breakpoints.' },
      { breakpointId: 'bp_3', verified: false, message: 'fake has no exception breakpoints.' },
    ]);
  });

  it('gets conditions, filters and the end of configuration when these are announced', async () => {
    const fake = scripted({
      initialize: {
        supportsConfigurationDoneRequest: true,
        supportsConditionalBreakpoints: true,
        supportsFunctionBreakpoints: true,
        exceptionBreakpointFilters: [
          { filter: 'uncaught', label: '' },
          { filter: 'raised', label: '' },
        ],
      },
      setBreakpoints: { breakpoints: [{ id: 7, verified: false, message: 'not yet' }] },
      setFunctionBreakpoints: { breakpoints: [{ id: 8, verified: true }] },
    });
    await fake.debuggee.start(setup);
    expect(fake.commands()).toEqual([
      'initialize',
      'launch',
      'setBreakpoints',
      'setFunctionBreakpoints',
      'setExceptionBreakpoints',
      'configurationDone',
    ]);
    expect(fake.asked[2]?.arguments['breakpoints']).toEqual([{ line: 3, condition: 'x' }]);
    expect(fake.asked[4]?.arguments).toEqual({ filters: ['uncaught'] });
    fake.events.length = 0;
    fake.event('breakpoint', { reason: 'changed', breakpoint: { id: 7, verified: true, line: 5 } });
    fake.event('stopped', { reason: 'breakpoint', threadId: 1, hitBreakpointIds: [7], allThreadsStopped: true });
    await expect.poll(() => fake.events.length).toBe(2);
    expect(fake.events).toMatchObject([
      { type: 'breakpoint', binding: { breakpointId: 'bp_1', verified: true, location: { line: 5 } } },
      { type: 'paused', stop: { threadId: '1', reason: 'breakpoint', breakpointIds: ['bp_1'] } },
    ]);
    expect(await fake.debuggee.statistics()).toMatchObject([
      { breakpointId: 'bp_1', hits: 1 },
      { breakpointId: 'bp_2', hits: 0 },
    ]);
  });

  it('fails at once when the launch fails, though `initialized` never comes', async () => {
    const fake = scripted({ launch: { failure: 'no such program' } });
    await expect(fake.debuggee.start(setup)).rejects.toThrow('no such program');
  });

  it('lies about its stack and its variables without harm: everything comes at once, only the page is shown', async () => {
    const frames = Array.from({ length: 50 }, (_each, id) => ({
      id,
      name: `f${id}`,
      line: id + 1,
      column: 0,
      source: { path: '/a' },
    }));
    const variables = Array.from({ length: 5000 }, (_each, n) => ({
      name: `v${n}`,
      value: 'x'.repeat(1000),
      variablesReference: 0,
    }));
    const fake = scripted({ stackTrace: { stackFrames: frames }, variables: { variables } });
    const slice = await fake.debuggee.stack('1', 10, 2);
    expect(slice).toMatchObject({
      totalFrames: 50,
      frames: [
        { id: '10', index: 10 },
        { id: '11', index: 11 },
      ],
    });
    const page = await fake.debuggee.variables('5', { start: 4000, count: 2 }, defaultValueLimits);
    expect(page.variables.map(({ name }) => name)).toEqual(['v4000', 'v4001']);
    expect(page.variables[0]?.value.length).toBeLessThanOrEqual(defaultValueLimits.maxValueChars);
    expect(page.total).toBe(5000);
  });

  it('says so when it dies in the middle of a step', async () => {
    const fake = scripted({});
    await fake.debuggee.start({ ...setup, functions: [], exceptions: [] });
    const step = fake.debuggee.step('1', 'over');
    fake.die();
    await expect(step).rejects.toMatchObject({ name: 'TransportError' });
    await expect.poll(() => fake.events.at(-1)?.type).toBe('closed');
  });

  it('changes a variable by name when it cannot by expression, with lldb answering in its own way', async () => {
    const fake = scripted(
      {
        initialize: { supportsSetVariable: true },
        scopes: { scopes: [{ name: 'Locals', variablesReference: 9, expensive: false }] },
        variables: { variables: [{ name: 'n', value: '1', variablesReference: 0 }] },
        setVariable: { result: '5', type: 'int' },
      },
      { setVariableAnswersResult: true },
    );
    await fake.debuggee.start({ ...setup, functions: [], exceptions: [] });
    const request = { threadId: '1', frameId: '1', valueExpression: '5', timeoutMs: 1000, limits: defaultValueLimits };
    expect(await fake.debuggee.setVariable({ ...request, path: 'n' })).toMatchObject({
      name: 'n',
      value: '5',
      type: 'int',
    });
    await expect(fake.debuggee.setVariable({ ...request, path: 'm' })).rejects.toMatchObject({
      code: 'evaluation_error',
    });
  });

  it('turns a refused and a late evaluation into clear errors', async () => {
    const fake = scripted({ evaluate: { failure: 'undeclared identifier' } });
    const request = {
      expression: 'x',
      threadId: '1',
      purpose: 'repl',
      readOnly: false,
      timeoutMs: 500,
      limits: defaultValueLimits,
    } as const;
    await expect(fake.debuggee.evaluate(request)).rejects.toMatchObject({
      code: 'evaluation_error',
      message: 'undeclared identifier',
    });
  });
});
