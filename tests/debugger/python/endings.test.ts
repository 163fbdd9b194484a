import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DaemonHome } from '../../daemon/home.ts';
import { testCacheDir } from '../../support/engines.ts';
import { builtProgram, eventually, processesOf } from '../../support/program.ts';
import { ensureDebugpy } from './harness.ts';

const program = `import multiprocessing, os, signal, subprocess, sys, time

def work():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(0.05)

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    multiprocessing.Process(target=work).start()
    subprocess.Popen([sys.executable, "-c", "import sys, time; open('child.txt', 'w').write(str('debuggee_child' in sys.modules)); time.sleep(1000)"], start_new_session=True)
    print("ready", flush=True)
    value = 1
    while True:
        value += 1
        time.sleep(0.01)
`;

let built: string;
let home: DaemonHome;

beforeAll(async () => {
  await ensureDebugpy();
  built = await builtProgram();
}, 240_000);
beforeEach(async () => {
  home = await DaemonHome.create(built, { SIGHTLINE_CACHE: testCacheDir });
  writeFileSync(join(home.project, 'tree.py'), program);
});
afterEach(() => home.dispose());

/** Every Python that runs with this home, however it was started. */
function pythons(): number[] {
  return processesOf(home.home)
    .filter(({ command }) => /python/.test(command.split(/[ \0]/)[0] ?? ''))
    .map(({ pid }) => pid);
}

describe('a Python program and its children', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('are gone when Sightline itself ends by %s', async (signal) => {
    const client = home.stdio(['--embedded']);
    await client.initialize();
    await client.callTool('set_breakpoint', { file_path: 'tree.py', line: 14 });
    const started = await client.callTool('start_debug_session', { program: 'tree.py' });
    expect(JSON.stringify(started)).toContain('Stopped (breakpoint)');
    // Its code runs, so it is connected by now and does not just fail to connect; and it knows with whom it is to end.
    const child = join(home.project, 'child.txt');
    await expect.poll(() => (existsSync(child) ? readFileSync(child, 'utf8') : '')).toBe('True');
    expect(pythons().length).toBeGreaterThanOrEqual(3);
    client.child.kill(signal);
    expect(await eventually(() => pythons().length === 0, 20_000)).toBe(true);
  });
});
