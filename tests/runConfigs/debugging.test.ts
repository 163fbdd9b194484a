import { spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

let ide: RunningSightline | undefined;
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
});

const files = {
  'package.json': JSON.stringify({ scripts: { start: 'node app.js from-npm' } }),
  'app.js': `function greet(name, times) {
  const text = name + '!'.repeat(times);
  console.log(text, process.env.GREETING ?? 'no greeting');
  return text;
}
greet(process.argv[2] ?? 'nobody', 2);
`,
  'shop.py': `import os
import sys


def total(prices):
    result = sum(prices)
    return result


if __name__ == "__main__":
    print(total([1, 2, 3]), sys.argv[1:], os.environ.get("SHOP"))
`,
  'test_shop.py': `from shop import total


def test_total():
    assert total([1, 2]) == 4
`,
  '.env': 'GREETING="from the file"\n',
  '.vscode/launch.json': `{
  // What people write.
  "configurations": [
    { "name": "App", "type": "node", "request": "launch", "program": "\${workspaceFolder}/app.js", "args": ["world"], "envFile": "\${workspaceFolder}/.env" },
    { "name": "Shop", "type": "debugpy", "request": "launch", "program": "shop.py", "args": "--a 'b c'", "env": { "SHOP": "open" } },
    { "name": "Tests", "type": "debugpy", "request": "launch", "module": "pytest", "args": ["-q"] },
    { "name": "Attach", "type": "node", "request": "attach", "port": 0 },
  ],
  "compounds": [{ "name": "All", "configurations": ["App", "Shop"] }],
}`,
};

async function started(more: Record<string, string> = {}): Promise<{ agent: TestClient; root: string }> {
  await ensureEngine('debugpy');
  ide = await startSightline({ project: { ...files, ...more }, env: { SIGHTLINE_CACHE: testCacheDir } });
  return { agent: await ide.connect({ face: 'debugger' }), root: ide.root };
}

test('a launch.json program stops at its breakpoint with its arguments and environment', async () => {
  const { agent } = await started();
  await agent.data('set_breakpoint', { file_path: 'app.js', line: 3 });
  const stopped = await agent.data('start_debug_session', { configuration_name: 'App' });
  expect(stopped).toMatchObject({ name: 'App', state: 'paused', stop: { location: { line: 3 } } });
  expect(JSON.stringify(stopped['stop'])).toContain('world!!');
  const ended = await agent.data('resume_execution', {});
  expect(ended).toMatchObject({ state: 'stopped', exitCode: 0 });
  expect(ended['output']).toContain('world!! from the file');
});

test('a Python program and a test run, each with what its configuration says', async () => {
  const { agent } = await started();
  await agent.data('set_breakpoint', { file_path: 'shop.py', line: 7 });
  const shop = await agent.data('execute_run_configuration', { name: 'Shop' });
  expect(shop).toMatchObject({ state: 'paused', stop: { location: { line: 7 } } });
  const ended = await agent.data('resume_execution', {});
  expect(ended['output']).toContain("6 ['--a', 'b c'] open");
  const tests = await agent.data('execute_run_configuration', { name: 'Tests' });
  expect(tests).toMatchObject({ state: 'paused', stop: { location: { line: 7 } } });
  const failing = await agent.data('resume_execution', {});
  expect(failing).toMatchObject({ state: 'paused', stop: { reason: 'exception', location: { line: 5 } } });
});

test('an attach configuration joins a program that runs', async () => {
  const program = 'let n = 0; function tick() { n++; } setInterval(tick, 20); console.error("up");';
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', '-e', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const port = await new Promise<string>((resolve) => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    const launch = files['.vscode/launch.json'].replace('"port": 0', `"port": ${port}`);
    const { agent } = await started({ '.vscode/launch.json': launch });
    const attached = await agent.data('execute_run_configuration', { name: 'Attach', wait_ms: 500 });
    expect(attached).toMatchObject({ mode: 'debug', state: 'running' });
    const paused = await agent.data('pause_execution', {});
    expect(paused).toMatchObject({ state: 'paused' });
    await agent.data('stop_debug_session', {});
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill('SIGKILL');
  }
});

test('what cannot be debugged says why', async () => {
  const { agent } = await started({ 'main.go': 'package main\n\nfunc main() {}\n' });
  const go = await agent.call('start_debug_session', { configuration_name: 'go run .' });
  expect(go.error).toMatchObject({ name: 'launch_failed', message: expect.stringContaining('go.mod file not found') });
  const port = await agent.call('execute_run_configuration', { name: 'Attach' });
  expect(port.error?.message).toContain('neither a port nor a process id');
});
