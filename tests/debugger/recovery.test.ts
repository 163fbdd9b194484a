import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DaemonHome } from '../daemon/home.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';
import { builtProgram, eventually, processesOf, type StdioProgram } from '../support/program.ts';

const files = {
  'app.js': `function step(n) {
  const next = n + 1;
  return next;
}
let n = 0;
setInterval(() => {
  n = step(n);
}, 20);
`,
  'app.py': `import sys, time


def step(n):
    next = n + 1
    return next


n = 0
while True:
    n = step(n)
    time.sleep(0.02)
`,
};

let built: string;
let home: DaemonHome;

beforeAll(async () => {
  await ensureEngine('debugpy');
  built = await builtProgram();
}, 240_000);
beforeEach(async () => {
  home = await DaemonHome.create(built, { SIGHTLINE_CACHE: testCacheDir });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.project, name), text);
});
afterEach(() => home.dispose());

/** What runs the program under test, whoever is its parent now. */
function debuggees(program: string): number[] {
  return processesOf(home.home)
    .filter(({ command }) => command.includes(program) || /launch\.py/.test(command))
    .map(({ pid }) => pid);
}

async function said(client: StdioProgram, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const { result } = (await client.callTool(tool, args)) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? '';
}

describe('after Sightline itself was killed with SIGKILL', () => {
  it.each([
    { program: 'app.js', line: 3, mode: 'embedded' },
    { program: 'app.py', line: 6, mode: 'embedded' },
    { program: 'app.js', line: 3, mode: 'shared' },
  ] as const)('the session of $program is started again by one call ($mode process)', async (scene) => {
    const { program, line, mode } = scene;
    const args = ['--face', 'probe', ...(mode === 'embedded' ? ['--embedded'] : [])];
    const first = home.stdio(args);
    await first.initialize();
    expect(await said(first, 'debug_launch', { program, args: ['--flag'] })).toContain('Ready for breakpoints');
    await said(first, 'debug_breakpoint', { file: program, line });
    expect(await said(first, 'debug_continue')).toContain(`Stopped (breakpoint) at ${program}:${line} in step`);
    expect(debuggees(program)).not.toEqual([]);

    process.kill(mode === 'embedded' ? (first.child.pid ?? 0) : home.discovery().pid, 'SIGKILL');
    if (mode === 'shared') first.child.stdin.end();
    // Meanwhile somebody writes above the breakpoint; it stays with its line.
    const comment = program === 'app.js' ? '// new\n' : '# new\n';
    writeFileSync(join(home.project, program), comment.repeat(2) + files[program]);
    const moved = line + 2;
    const second = home.stdio(args);
    await second.initialize();
    const again = await said(second, 'debug_launch');
    expect(again).toContain(`Debugger started for ${program}`);
    expect(again).toContain('was cut short was started again');
    expect(again).toContain(`Breakpoints kept: ${program}:${moved}`);
    expect(await eventually(() => debuggees(program).length === 1, 20_000)).toBe(true);
    expect(await said(second, 'debug_continue')).toContain(`Stopped (breakpoint) at ${program}:${moved} in step`);
    expect(
      await said(second, 'debug_evaluate', {
        expression: program === 'app.js' ? 'process.argv[2]' : 'sys.argv[1]',
      }),
    ).toContain('--flag');

    expect(await said(second, 'debug_stop')).toContain('Debug session ended');
    expect(debuggees(program)).toEqual([]);
    // What was ended properly is not taken up again.
    expect(await said(second, 'debug_launch')).toContain('nothing to start');
  });
});
