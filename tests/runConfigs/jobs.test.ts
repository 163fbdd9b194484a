import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';

let ide: RunningSightline | undefined;
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
});

const files = {
  'package.json': JSON.stringify({
    main: 'greet.js',
    scripts: {
      greet: 'node greet.js',
      fail: 'node fail.js',
      endless: 'yes',
      line: 'node line.js',
      tree: 'node tree.js',
    },
  }),
  'greet.js': 'console.log("hello"); console.error("to stderr");',
  'fail.js': 'console.log("before"); process.exit(3);',
  'line.js': 'const c = "y".repeat(1 << 20); for (let i = 0; i < 100; i++) process.stdout.write(c);',
  // A child that ignores SIGTERM and leaves the group of its parent.
  'tree.js': `const { spawn } = require('child_process');
process.on('SIGTERM', () => {});
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
console.log('pids ' + process.pid + ' ' + child.pid);
setInterval(() => {}, 1000);`,
  'main.py': 'import sys\nif __name__ == "__main__":\n    print("python", sys.version_info[0])\n',
  '.vscode/launch.json': JSON.stringify({
    configurations: [
      { name: 'Built', type: 'node', request: 'launch', program: '${workspaceFolder}/out.js', preLaunchTask: 'build' },
      { name: 'Broken', type: 'node', request: 'launch', program: '${workspaceFolder}/out.js', preLaunchTask: 'break' },
      { name: 'Attach', type: 'node', request: 'attach', port: 9229 },
    ],
    compounds: [{ name: 'Both', configurations: ['Built', 'Built'] }],
  }),
  '.vscode/tasks.json': JSON.stringify({
    tasks: [
      { label: 'build', type: 'shell', command: 'echo "console.log(process.env.A)" > out.js' },
      { label: 'break', type: 'shell', command: 'echo the reason; exit 7' },
    ],
  }),
};

async function started() {
  ide = await startSightline({ project: files });
  return { ide, agent: await ide.connect({ face: 'workspace' }) };
}

test('a configuration runs to its end and says how it ended', async () => {
  const { agent } = await started();
  const greeted = await agent.data('run_configuration', { name: 'greet' });
  expect(greeted).toMatchObject({ status: 'started', state: 'stopped', exitCode: 0, mode: 'run' });
  expect(greeted['output']).toContain('hello\n');
  expect(greeted['output']).toContain('to stderr');
  expect(await agent.data('run_configuration', { name: 'npm: fail' })).toMatchObject({ exitCode: 3 });
  expect(await agent.data('run_configuration', { name: 'main.py' })).toMatchObject({
    exitCode: 0,
    output: 'python 3\n',
  });
  expect(await agent.data('read_run_output', { cursor: 7 })).toMatchObject({
    name: 'main.py',
    output: '3\n',
    cursor: 9,
  });
});

test('what must come first is run, and when it fails nothing is started', async () => {
  const { agent, ide: running } = await started();
  expect(await agent.data('run_configuration', { name: 'Built' })).toMatchObject({
    exitCode: 0,
    output: 'undefined\n',
  });
  expect(existsSync(join(running.root, 'out.js'))).toBe(true);
  const { error } = await agent.call('run_configuration', { name: 'Broken' });
  expect(error).toMatchObject({ name: 'launch_failed', message: expect.stringContaining('ended with code 7') });
  expect(JSON.stringify(error)).toContain('the reason');
});

test('what cannot be run says why, and a wrong name says the nearest', async () => {
  const { agent } = await started();
  const attach = await agent.call('run_configuration', { name: 'Attach' });
  expect(attach.error).toMatchObject({
    name: 'launch_failed',
    message: expect.stringContaining('attaches to a running'),
  });
  const wrong = await agent.call('run_configuration', { name: 'gret' });
  expect(wrong.error).toMatchObject({
    name: 'configuration_not_found',
    message: expect.stringContaining('"npm: greet"'),
  });
  const none = await agent.call('wait_job', { job_id: 'job_x' });
  expect(none.error).toMatchObject({ name: 'job_not_found' });
});

test('a program of endless output is bounded, answers go on meanwhile, and it is gone when stopped', async () => {
  const { agent } = await started();
  const begun = await agent.data('run_configuration', { name: 'endless', wait_ms: 1000 });
  expect(begun).toMatchObject({ status: 'started', state: 'running' });
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 5; i++) {
    const asked = Date.now();
    await agent.data('list_run_configurations', {});
    expect(Date.now() - asked).toBeLessThan(10_000);
  }
  await expect
    .poll(async () => Number((await agent.data('read_run_output', {}))['totalBytes']), { timeout: 15_000 })
    .toBeGreaterThan(50_000_000);
  const read = await agent.data('read_run_output', {});
  expect(String(read['output']).length).toBeLessThan(6000);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  expect(await agent.data('stop_job', {})).toMatchObject({ state: 'stopped', jobId: begun['jobId'] });
});

test('a line of 100 MB is counted, and its beginning and end are given', async () => {
  const { agent } = await started();
  const begun = await agent.data('run_configuration', { name: 'line', wait_ms: 40_000 });
  expect(begun).toMatchObject({ exitCode: 0 });
  const { totalBytes } = await agent.data('wait_job', { job_id: begun['jobId'] });
  expect(Number(totalBytes)).toBeGreaterThanOrEqual(100 * 1024 * 1024);
  expect(begun['output']).toMatch(/ bytes left out …\ny+$/);
});

test.each(['stop_job', 'the client left'])('nothing that a job started stays after %s', async (how) => {
  ide = await startSightline({ project: files });
  const agent = await ide.connect({ face: 'workspace', transport: 'stdio' });
  const { jobId } = await agent.data('run_configuration', { name: 'tree', wait_ms: 0 });
  const output = async () => String((await agent.data('read_run_output', {}))['output']);
  await expect.poll(output, { timeout: 15_000 }).toMatch(/pids \d+ \d+/);
  const pids = (await output()).match(/\d+/g)?.map(Number).slice(-2) ?? [];
  expect(pids.filter(isAlive)).toEqual(pids);
  if (how !== 'stop_job') await agent.close();
  else await agent.data('stop_job', { job_id: jobId });
  await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([]);
});

test('both tools run and debug; each face has its own default', async () => {
  const { agent } = await started();
  const options = { name: 'greet.js' };
  expect(await agent.data('execute_run_configuration', options)).toMatchObject({ mode: 'debug', exitCode: 0 });
  expect(await agent.data('run_configuration', { ...options, mode: 'debug' })).toMatchObject({
    mode: 'debug',
    sessionId: expect.any(String),
    exitCode: 0,
  });
  expect(await agent.data('execute_run_configuration', { ...options, mode: 'run' })).toMatchObject({
    mode: 'run',
    jobId: expect.any(String),
    exitCode: 0,
    output: 'hello\nto stderr\n',
  });
  const both = await agent.data('run_configuration', { name: 'Both' });
  expect(both).toMatchObject({ exitCode: 0, others: [expect.any(String)] });
});

test('a cancelled run ends what it started', async () => {
  const { agent, ide: running } = await started();
  const cancel = new AbortController();
  const call = agent.call('run_configuration', { name: 'endless' }, { signal: cancel.signal });
  call.catch(() => undefined);
  const jobs = () => running.sightline.engines.jobs.running;
  await expect.poll(() => jobs().length, { timeout: 10_000 }).toBe(1);
  cancel.abort();
  await expect.poll(() => jobs().length, { timeout: 5000 }).toBe(0);
});

test('in a project that nobody trusts nothing is run', async () => {
  ide = await startSightline({ project: files, trusted: false });
  const agent = await ide.connect({ face: 'workspace' });
  expect((await agent.call('run_configuration', { name: 'greet' })).error).toMatchObject({
    name: 'project_not_trusted',
  });
});

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
