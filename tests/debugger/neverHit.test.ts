import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

/** The map of crossed.js says that its first line is app.ts:1 and its second other.ts:1. */
const crossedMap = { version: 3, sources: ['app.ts', 'other.ts'], names: [], mappings: 'AAAA;ACAA' };

const files = {
  'main.js': `const { fork } = require('node:child_process');
function count(n) {
  return n + 1;
}
function unused() {
  return 0;
}
if (process.argv[2] === 'child') {
  for (let i = 0; i < 3; i++) count(i);
} else {
  for (let i = 0; i < 2; i++) count(i);
  fork(__filename, ['child']);
}
module.exports = unused;
`,
  'never.js': 'exports.x = 1;\n',
  'app.ts': 'first();\n',
  'other.ts': 'second();\n',
  'crossed.js': `// the compiler left no code here\nlet second = 2;\n//# sourceMappingURL=crossed.js.map\n`,
  'crossed.js.map': JSON.stringify(crossedMap),
};

describe('a program that ends without a stop', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  async function reasons(program: string, breakpoints: Record<string, unknown>[]): Promise<string[]> {
    const ids: unknown[] = [];
    for (const each of breakpoints) ids.push((await agent.data('set_breakpoint', each))['breakpointId']);
    const ended = await agent.data('start_debug_session', { program });
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 0 });
    const told = ended['neverHit'] as { breakpointId: string; reason: string }[];
    for (const id of ids) await agent.data('remove_breakpoint', { breakpoint_id: id });
    return ids.map((id) => told.find((each) => each.breakpointId === id)?.reason ?? '(hit)');
  }

  it('names each breakpoint and why: counted over all its processes', async () => {
    const at = (line: number, more: Record<string, unknown> = {}) => ({ file_path: 'main.js', line, ...more });
    expect(
      await reasons('main.js', [
        at(3, { condition: 'n === 99' }),
        at(6),
        at(9, { condition: 'nobody.knows' }),
        at(11, { hit_condition: '7' }),
        { file_path: 'never.js', line: 1 },
        { function: 'nowhere' },
      ]),
    ).toEqual([
      'its condition was false 5 times',
      'its line was never reached',
      'its condition failed once: ReferenceError: nobody is not defined',
      'reached once, but its hit condition is 7',
      'the file was never loaded by the program',
      'no function nowhere was loaded',
    ]);
  });

  it('says that the source map points elsewhere', async () => {
    const [reason] = await reasons('crossed.js', [{ file_path: 'app.ts', line: 1 }]);
    expect(reason).toMatch(/^its source map points elsewhere: .*crossed\.js:2, which maps back to .*other\.ts:1$/);
  });

  it('says that another session was stopped there', async () => {
    const set = await agent.data('set_breakpoint', { file_path: 'never.js', line: 1 });
    const waiting = await agent.data('start_debug_session', { program: 'main.js', stop_on_entry: true });
    expect(await agent.data('start_debug_session', { program: 'never.js' })).toMatchObject({ state: 'paused' });
    await agent.data('stop_debug_session');
    const ended = await agent.data('resume_execution', { session_id: waiting['sessionId'] });
    expect(ended['neverHit']).toMatchObject([
      { reason: 'the file was never loaded by the program; it was hit in another session' },
    ]);
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
  });
});
