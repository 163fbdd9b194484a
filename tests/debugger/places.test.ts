import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const files = {
  'loop.js': `const seen = [];
for (let i = 0; i < 3; i++) {
  seen.push(i);
  // nothing here
}
console.log(seen.length);
const total = Math.max(
  seen[0],
  seen[1],
);
console.log('total', total);
`,
  'main.cjs': `const { each } = require('lib');
function mine(n) {
  return n * 2;
}
debugger;
each([1, 2], mine);
console.log(new Error('trace').stack);
`,
  'node_modules/lib/package.json': '{ "name": "lib", "main": "index.js" }',
  'node_modules/lib/index.js': `exports.each = (list, act) => {
  const out = [];
  for (const item of list) out.push(act(item));
  return out;
};
`,
  'timed.test.cjs': `const test = require('node:test');
test('in time', { timeout: 300 }, async () => {
  await new Promise((resolve) => setTimeout(resolve, 30));
  const now = 1;
  await new Promise((resolve) => setTimeout(resolve, 30));
});
`,
  'bus.cjs': `const bus = new (require('node:events'))();
bus.on('news', (news) => {
  console.log(news);
});
debugger;
bus.emit('news', 1);
`,
  'late.mjs': 'export const later = 2;\n',
  'entry.mjs': `const first = 1;
const { later } = await import('./late.mjs');
console.log(first + later);
`,
  'idle.cjs': `globalThis.answer = 42;
function hidden() { const inside = 1; return inside; }
setInterval(hidden, 1000);
`,
};

describe('where a breakpoint stands', () => {
  let ide: RunningSightline;
  let probe: TestClient;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    probe = await ide.connect({ face: 'probe' });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it('is never behind the loop that it was set in', async () => {
    const text = await probe.text('debug_probe', { program: 'loop.js', breakpoints: [{ file: 'loop.js', line: 4 }] });
    expect(text).toContain('no code at or after line 4 in its loop; lines with code nearby: 2, 3, 6, 7');
    expect(text).toContain('exit code 0');
  });

  it('is told when it is another line, and several lines of one statement are one hit', async () => {
    const breakpoints = [{ file: 'loop.js', line: 7, expressions: ['seen.length'] }];
    const text = await probe.text('debug_probe', { program: 'loop.js', breakpoints });
    expect(text.match(/Stopped/g)).toHaveLength(1);
    expect(text).toContain('seen.length => 3');
  });

  it('says at once that its condition does not parse', async () => {
    const breakpoints = [{ file: 'loop.js', line: 3, condition: 'i === = 1' }];
    const { error } = await probe.call('debug_probe', { program: 'loop.js', breakpoints });
    expect(error).toMatchObject({ name: 'breakpoint_error' });
    expect(error?.message).toContain('does not parse');
  });

  it('may be all that set_breakpoint can set; log points are counted and do not stop', async () => {
    const text = await probe.text('debug_probe', {
      program: 'loop.js',
      breakpoints: [
        { file: 'loop.js', line: 3, log_message: 'round {i}' },
        { file: 'loop.js', line: 1, line_text: 'seen.push', hit_condition: '3', expressions: ['i'] },
      ],
    });
    expect(text).toContain('i => 2');
    expect(text.match(/Stopped/g)).toHaveLength(1);
    const quiet = await probe.text('debug_probe', {
      program: 'loop.js',
      breakpoints: [{ file: 'loop.js', line: 3, log_message: 'round {i}' }],
    });
    expect(quiet).not.toContain('Stopped');
    expect(quiet).toContain('[log] round 0\n[log] round 1\n[log] round 2');
    expect(quiet).toContain('bp_1 at loop.js:3 logged 3 times');
    const inside = await probe.text('debug_probe', {
      program: 'main.cjs',
      breakpoints: [{ function: 'mine', expressions: ['n'] }],
      max_hits: 10,
    });
    expect(inside).toContain('n => 1');
  });

  it('of a step from the beginning of a module is its next line, also over the load of another', async () => {
    await agent.data('start_debug_session', { program: 'entry.mjs', stop_on_entry: true });
    const lines: unknown[] = [];
    for (const tool of ['step_over', 'step_over']) lines.push(await agent.data(tool, { wait_ms: 10_000 }));
    expect(lines).toMatchObject([{ stop: { location: { line: 2 } } }, { stop: { location: { line: 3 } } }]);
    const missed = await agent.data('run_to_line', { file_path: 'entry.mjs', line: 1 });
    expect(missed).toMatchObject({ status: 'not_reached', state: 'stopped' });
  });

  it('is refused to run_to_line where there is no line or no code', async () => {
    await agent.data('start_debug_session', { program: 'main.cjs' });
    const beyond = await agent.call('run_to_line', { file_path: 'main.cjs', line: 99 });
    expect(beyond.error).toMatchObject({ name: 'breakpoint_error' });
    expect(beyond.error?.message).toContain('Line 99 does not exist');
    expect(await agent.data('get_debug_session_status')).toMatchObject({ state: 'paused' });
  });

  it('of a step into a library is the function of the user that it calls', async () => {
    await agent.data('step_over');
    const stepped = await agent.data('step_into');
    expect(stepped).toMatchObject({ stop: { location: { methodName: 'mine', line: 3 } } });
    const ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 0 });
  });

  it("of a step into one of Node's own modules is that too", async () => {
    await agent.data('start_debug_session', { program: 'bus.cjs' });
    await agent.data('step_over');
    const stepped = await agent.data('step_into');
    expect(stepped).toMatchObject({ stop: { location: { line: 3 } } });
    await agent.data('stop_debug_session');
  });

  it('leaves nothing of ours on the stacks of the program', async () => {
    const breakpoints = [{ file: 'main.cjs', line: 3 }];
    const text = await probe.text('debug_probe', { program: 'main.cjs', breakpoints, max_hits: 9 });
    expect(text).toContain('Error: trace');
    expect(text).not.toContain('preload.cjs');
    expect(text).not.toContain('sightline-debug');
  });

  it('is no frame while the program runs: what is evaluated then is global, and says so', async () => {
    await agent.data('start_debug_session', { program: 'idle.cjs', wait_ms: 500 });
    const answer = await agent.data('evaluate_expression', { expression: 'answer' });
    expect(answer).toMatchObject({ result: { value: '42' }, note: expect.stringContaining('global scope') });
    expect(answer).not.toHaveProperty('frameIndex');
    await agent.data('stop_debug_session');
  });

  it('may make a test exceed its time, and then that is said', async () => {
    await agent.data('set_breakpoint', { file_path: 'timed.test.cjs', line: 4 });
    await agent.data('start_debug_session', { test: 'timed.test.cjs' });
    await new Promise((resolve) => setTimeout(resolve, 600));
    let ended = await agent.data('resume_execution');
    for (let n = 0; n < 3 && ended['state'] === 'paused'; n++) ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 1 });
    expect(ended['exitReason']).toMatch(/stood still for \d\.\d s in the debugger/);
  });
});
