import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../../support/engines.ts';
import { hardLanguages } from './hardPrograms.ts';

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  await ensureEngine('debugpy');
  const files = Object.assign({}, ...hardLanguages.map((each) => each.files)) as Record<string, string>;
  ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
  agent = await ide.connect({ face: 'debugger' });
}, 180_000);
afterAll(() => ide.dispose());

describe.each(hardLanguages)('$name', ({ isNode, source, start, at, words, id }) => {
  const breakAt = async (program: string, mark: string, more: Record<string, unknown> = {}) =>
    agent.data('set_breakpoint', { file_path: source(program), line: at(program, mark), ...more });
  const remove = async (...breakpoints: Record<string, unknown>[]) => {
    for (const each of breakpoints) await agent.data('remove_breakpoint', { breakpoint_id: each['breakpointId'] });
  };
  // What a failed test leaves behind must not make the others fail.
  afterEach(async () => {
    for (const { id: left } of (await agent.data('list_breakpoints'))['breakpoints'] as { id: string }[])
      if (left !== 'bp_uncaught') await agent.data('remove_breakpoint', { breakpoint_id: left });
  });
  const evaluate = async (expression: string, more: Record<string, unknown> = {}) => {
    const { result } = await agent.data('evaluate_expression', { expression, ...more });
    return result as { value: string; error?: string };
  };

  it('refuses breakpoints that cannot be, and says what can', async () => {
    const file = source('quick');
    const refused = async (args: Record<string, unknown>) => (await agent.call('set_breakpoint', args)).error;
    const extension = file.slice(file.lastIndexOf('.'));
    expect(await refused({ file_path: file.replace('quick', 'quack'), line: 1 })).toMatchObject({
      code: -32002,
      name: 'file_not_found',
      hint: expect.stringContaining(`quick${extension}`),
    });
    expect(await refused({ file_path: `/etc/hosts${extension}`, line: 1 })).toMatchObject({
      name: expect.stringMatching(/path_outside_project|file_not_found/),
    });
    expect(await refused({ file_path: '/etc/hostname', line: 1 })).toMatchObject({ name: 'path_outside_project' });
    expect(await refused({ file_path: file, line: 4000 })).toMatchObject({
      code: -32004,
      message: expect.stringMatching(/^Line 4000 does not exist: the file has \d+ lines\.$/),
    });
    for (const line of [0, -3])
      expect(await refused({ file_path: file, line })).toMatchObject({ code: -32602, name: 'invalid_arguments' });
    expect(await refused({ file_path: file, line: at('quick', 'done'), condition: words.badCondition })).toMatchObject({
      code: -32004,
      message: expect.stringContaining('does not parse'),
    });
    expect(await refused({ file_path: file, line: at('quick', 'done'), hit_condition: 'often' })).toMatchObject({
      message: expect.stringContaining('often'),
      hint: expect.stringContaining('>='),
    });
    expect(
      await refused({ file_path: file, line: at('quick', 'done'), log_message: `x {${words.badCondition}}` }),
    ).toMatchObject({ message: expect.stringContaining('does not parse') });
    expect(await agent.data('list_breakpoints', { type: 'line' })).toMatchObject({ count: 0 });
  });

  it('names the breakpoints of a program that ended at once, and the script that is not there', async () => {
    const behind = await agent.data('set_breakpoint', {
      file_path: source('quick'),
      line: at('quick', 'done') + 1,
    });
    const elsewhere = await breakAt('failing', 'throw');
    let ended = await agent.data('start_debug_session', { program: start('quick') });
    // V8 has a place behind the last statement; there the program stands still once more.
    const isBehind = ended['state'] === 'paused';
    if (isBehind) ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 0 });
    const reasons = Object.fromEntries(
      (ended['neverHit'] as { breakpointId: string; reason: string }[]).map((each) => [each.breakpointId, each.reason]),
    );
    expect(reasons[String(elsewhere['breakpointId'])]).toMatch(/^the file was never loaded by the program/);
    expect(isBehind ? 'no code' : reasons[String(behind['breakpointId'])]).toMatch(/no code/i);
    await remove(behind, elsewhere);
    const missing = await agent.call('start_debug_session', { program: start('quack') });
    expect(missing.error).toMatchObject({ name: 'file_not_found', code: -32002 });
  });

  it('stops where an exception nobody catches is thrown, with the values that matter', async () => {
    const failed = await agent.data('start_debug_session', { program: start('failing') });
    expect(failed).toMatchObject({
      state: 'paused',
      stop: {
        reason: 'exception',
        location: { line: at('failing', 'throw'), methodName: 'divide' },
        exception: { ...words.uncaught, uncaught: true },
        variables: expect.arrayContaining([
          expect.objectContaining({ name: 'parts' }),
          expect.objectContaining({ name: 'by', value: '0' }),
        ]),
      },
    });
    const ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 1 });
    const rejected = await agent.data('start_debug_session', { program: start('rejecting') });
    expect(rejected).toMatchObject({
      stop: {
        reason: 'exception',
        location: { line: at('rejecting', 'throw'), methodName: 'load' },
        exception: { message: 'status 500' },
      },
    });
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped', exitCode: 1 });
  });

  it('shows a million elements and ten million characters within the budget', async () => {
    const bp = await breakAt('big', 'look');
    const { text } = await agent.call('start_debug_session', { program: start('big') });
    expect(text.length).toBeLessThan(6000);
    const { variables } = (JSON.parse(text) as { stop: { variables: { name: string; value: string }[] } }).stop;
    expect(Object.fromEntries(variables.map(({ name, value }) => [name, value]))).toMatchObject({
      list: expect.stringMatching(words.list),
      text: expect.stringMatching(words.text(1_000_000)),
      huge: expect.stringMatching(words.text(10_000_000)),
    });
    const began = performance.now();
    expect(await agent.data('expand_variable', { path: 'list', start: 999_998, count: 5 })).toMatchObject({
      total: 1_000_000,
      variables: [
        { name: '999998', value: '7' },
        { name: '999999', value: '7' },
      ],
    });
    for (const args of [{ expression: 'huge' }, { expression: 'list' }]) {
      const answer = await agent.call('evaluate_expression', args);
      expect(answer.text.length).toBeLessThan(1500);
    }
    expect(performance.now() - began).toBeLessThan(30_000);
    await agent.data('stop_debug_session');
    await remove(bp);
  });

  it('evaluates what goes wrong, and the session stays', async () => {
    const inside = await breakAt('evaluating', 'touch');
    const bp = await breakAt('evaluating', 'round', { hit_condition: '3' });
    await agent.data('start_debug_session', { program: start('evaluating') });
    const zero = await evaluate('1 / 0');
    expect(zero.error ?? zero.value).toMatch(words.zero);
    expect(await evaluate(words.raise.expression)).toMatchObject({ error: words.raise.error });
    const endless = await evaluate(words.endless, { timeout_ms: 200 });
    expect(endless.error).toContain('did not end within 200 ms');
    expect(await evaluate(words.several)).toMatchObject({ value: '41' });
    // A call that runs into a breakpoint either passes it or says that it did; it never leaves the program elsewhere.
    const called = await evaluate('touch(5)');
    expect(called.error ?? called.value).toMatch(/^5$|breakpoint/);
    for (const [expression, answer] of words.awaited) {
      const awaited = await evaluate(expression);
      expect(awaited.error ?? awaited.value).toMatch(answer);
    }
    expect(await evaluate('rounds')).toMatchObject({ value: '2' });
    expect(await agent.data('get_debug_session_status')).toMatchObject({
      state: 'paused',
      currentLocation: { line: at('evaluating', 'round'), methodName: 'main' },
    });
    expect(await agent.data('set_variable', { variable_path: 'order.items[2].qty', value: '4 * 10' })).toMatchObject({
      oldValue: '3',
      newValue: '40',
    });
    const wrong = await agent.call('set_variable', { variable_path: 'order.nothing.qty', value: '1' });
    expect(wrong.error).toMatchObject({ code: -32005 });
    await remove(inside, bp);
    expect(await agent.data('step_over')).toMatchObject({ state: 'paused', stop: { reason: 'step' } });
  });

  it('keeps evaluation within the safety mode of the settings', async () => {
    const settings = (evaluation: object) =>
      writeFile(join(ide.root, '.sightline.json'), JSON.stringify({ evaluation }));
    const refusal = async (expression: string) =>
      (await agent.call('evaluate_expression', { expression })).error?.name ?? 'evaluated';
    const allowed = async (expression: string) => evaluate(expression);
    try {
      await settings({ mode: 'default_blocklist', blockedPatterns: ['\\bforbidden\\b'] });
      expect(await refusal(words.dangerous)).toBe('evaluation_blocked');
      expect(await refusal('forbidden + 1')).toBe('evaluation_blocked');
      expect(await allowed(words.harmlessText.expression)).toMatchObject({ value: words.harmlessText.value });
      expect(await allowed(words.read.expression)).toBeDefined();
      for (const args of [
        { condition: words.dangerous },
        { log_message: `x {${words.dangerous}}` },
        { condition: 'forbidden' },
      ]) {
        const set = { file_path: source('evaluating'), line: at('evaluating', 'touch'), ...args };
        expect((await agent.call('set_breakpoint', set)).error?.name).toBe('evaluation_blocked');
      }
      expect((await agent.call('add_watch', { expression: words.dangerous })).error?.name).toBe('evaluation_blocked');
      const assigned = await agent.call('set_variable', { variable_path: 'rounds', value: words.dangerous });
      expect(assigned.error?.name).toBe('evaluation_blocked');

      await settings({ mode: 'read_only' });
      expect(await allowed(words.read.expression)).toMatchObject({ value: expect.stringMatching(/^\[2, 4, /) });
      for (const expression of [words.write, words.call, words.dangerous]) {
        const { data, error } = await agent.call('evaluate_expression', { expression });
        const result = data?.['result'] as { error?: string } | undefined;
        expect(error?.name ?? result?.error, expression).toMatch(/blocked|side-effect|read-only/i);
      }
      const set = await agent.call('set_variable', { variable_path: 'rounds', value: '5' });
      expect(set.error?.name).toBe('evaluation_blocked');
      await settings({ mode: 'unrestricted' });
      expect(await evaluate('touched')).toMatchObject({ value: expect.stringMatching(/^[05]$/) });
    } finally {
      await settings({});
    }
    expect(await agent.data('stop_debug_session')).toMatchObject({ state: 'stopped' });
  });

  it('is killed in the middle of a step, and the session says by what', async () => {
    const bp = await breakAt('counting', 'add');
    const started = await agent.data('start_debug_session', { program: start('counting') });
    process.kill(await pidOf(started), 'SIGKILL');
    const stepped = await agent.call('step_over');
    const ended = stepped.data ?? (await agent.data('get_debug_session_status', { wait_ms: 30_000 }));
    expect(ended).toMatchObject({ state: 'stopped', exitSignal: 'SIGKILL' });
    const after = await agent.call('step_over');
    expect(after.error?.message).toMatch(/ended/);
    // The next one works as if nothing had been.
    expect(await agent.data('start_debug_session', { program: start('counting') })).toMatchObject({ state: 'paused' });
    await agent.data('stop_debug_session');
    await remove(bp);
  });

  it('forks, ignores SIGTERM and leaves its group, and is gone after stop with all it started', async () => {
    const output = await startAndRead(start('stubborn'), /pids \[.*\]/);
    const pids = JSON.parse(/pids (\[.*\])/.exec(output)?.[1] ?? '[]') as number[];
    expect(pids).toHaveLength(3);
    expect(pids.filter(isAlive)).toEqual(pids);
    await agent.data('stop_debug_session');
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('reads its input', async () => {
    const bp = await breakAt('asking', 'got');
    await startAndRead(start('asking'), /name\?/);
    const stopped = await agent.data('get_debug_session_status', { input: 'ann\n', wait_ms: 40_000 });
    expect(stopped).toMatchObject({ state: 'paused', currentLocation: { line: at('asking', 'got') } });
    expect(await agent.data('resume_execution')).toMatchObject({ exitCode: 0, output: 'got ANN\n' });
    await remove(bp);
  });

  it('counts hits alike: 5 once, >=5 from then on, %5 every fifth; only where the condition holds', async () => {
    for (const [hit_condition, expected] of [
      ['5', ['5']],
      ['>=10', ['10', '11', '12']],
      ['%5', ['5', '10']],
    ] as const)
      expect(await stopsAt({ hit_condition }), hit_condition).toEqual(expected);
    expect(await stopsAt({ hit_condition: '%2', condition: isNode ? 'i % 2 === 0' : 'i % 2 == 0' })).toEqual([
      '4',
      '8',
      '12',
    ]);

    async function stopsAt(more: Record<string, unknown>): Promise<(string | undefined)[]> {
      const bp = await breakAt('counting', 'add', more);
      const seen: (string | undefined)[] = [];
      let now = await agent.data('start_debug_session', { program: start('counting') });
      while (now['state'] === 'paused') {
        const { variables } = now['stop'] as { variables: { name: string; value: string }[] };
        seen.push(variables.find(({ name }) => name === 'i')?.value);
        now = await agent.data('resume_execution');
      }
      expect(now).toMatchObject({ state: 'stopped', exitCode: 0 });
      await remove(bp);
      return seen;
    }
  });

  it('logs without pausing, says why a condition never held, stops once at a temporary one', async () => {
    const log = await breakAt('counting', 'add', { log_message: 'sum {sum} + {i}' });
    const bad = await breakAt('counting', 'each', { condition: 'nothing > 1' });
    const never = await breakAt('counting', 'sum', { condition: 'seen < 0' });
    const ended = await agent.data('start_debug_session', { program: start('counting') });
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 0 });
    const logged = String(ended['output']).match(/sum \d+ \+ \d+/g);
    expect(logged).toHaveLength(12);
    expect(logged?.[11]).toBe('sum 66 + 12');
    const reasons = (ended['neverHit'] as { breakpointId: string; reason: string }[]).map(({ reason }) => reason);
    expect(reasons[0]).toMatch(words.failingCondition);
    expect(reasons).toEqual([
      expect.stringMatching(/^its condition failed 12 times: /),
      'its condition was false once',
    ]);
    await remove(log, bad, never);

    await breakAt('counting', 'each', { temporary: true });
    const named = await agent.data('set_breakpoint', { function: 'add', condition: 'i > 10' });
    const once = await agent.data('start_debug_session', { program: start('counting') });
    expect(once).toMatchObject({ state: 'paused', stop: { location: { line: at('counting', 'each') } } });
    const byName = await agent.data('resume_execution');
    expect(byName).toMatchObject({
      stop: {
        reason: 'function breakpoint',
        variables: expect.arrayContaining([expect.objectContaining({ name: 'i', value: '11' })]),
      },
    });
    await remove(named);
    expect(await agent.data('resume_execution')).toMatchObject({ state: 'stopped' });
    expect(await agent.data('list_breakpoints', { type: 'line' })).toMatchObject({ count: 0 });
  });

  it('runs twice at once, each session by its id', async () => {
    const bp = await breakAt('counting', 'each');
    const one = await agent.data('start_debug_session', { program: start('counting') });
    const two = await agent.data('start_debug_session', { program: start('counting') });
    await agent.data('resume_execution', { session_id: one['sessionId'] });
    const values = async (session_id: unknown) => evaluate('i', { session_id });
    expect(await values(one['sessionId'])).toMatchObject({ value: '2' });
    expect(await values(two['sessionId'])).toMatchObject({ value: '1' });
    for (const { sessionId } of [one, two]) await agent.data('stop_debug_session', { session_id: sessionId });
    await remove(bp);
  });

  it('is gone soon after its client', async () => {
    const other = await ide.connect({ face: 'debugger', transport: 'stdio', name: `${id} client` });
    const started = await other.data('start_debug_session', { program: start('counting'), stop_on_entry: true });
    expect(started).toMatchObject({ state: 'paused', stop: { reason: 'entry' } });
    const pid = await pidOf(started, other);
    expect(isAlive(pid)).toBe(true);
    await other.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

async function pidOf(started: Record<string, unknown>, client = agent): Promise<number> {
  const { sessions } = (await client.data('list_debug_sessions')) as { sessions: { id: string; processId: number }[] };
  return sessions.find(({ id }) => id === started['sessionId'])?.processId ?? 0;
}

async function startAndRead(program: string, until: RegExp): Promise<string> {
  let now = await agent.data('start_debug_session', { program, wait_ms: 0 });
  let output = '';
  for (;;) {
    if (typeof now['output'] === 'string') output += now['output'];
    if (until.test(output) || now['state'] === 'stopped') return output;
    now = await agent.data('get_debug_session_status', { wait_ms: 100 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}
