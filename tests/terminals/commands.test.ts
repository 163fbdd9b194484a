import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compose } from '../../src/cli/compose.ts';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

import { testBench } from '../support/sightline.ts';

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  ide = await startSightline({
    project: { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' },
    env: { NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '/nowhere.so', GIT_DIR: '/nowhere', KEPT: 'yes' },
  });
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(() => ide.dispose());

describe('run_command', () => {
  test('a line for a shell: exit code, both streams, files changed, and undo', async () => {
    const ran = await agent.data('run_command', {
      command: 'echo out; echo err >&2; echo more | tr a-z A-Z >> a.txt; exit 3',
    });
    expect(ran).toMatchObject({ state: 'exited', exitCode: 3, changed: { files: ['a.txt'], filesCount: 1 } });
    expect(String(ran['output']).split('\n').sort().join(' ')).toBe(' err out');
    const { historyId } = ran['changed'] as { historyId: string };
    await agent.data('undo', { history_id: historyId });
    expect(readFileSync(join(ide.root, 'a.txt'), 'utf8')).toBe('one\n');
    expect((await agent.data('list_changes', {}))['changes']).toEqual(
      expect.arrayContaining([expect.objectContaining({ tool: 'run_command' })]),
    );
  });

  test('a program with arguments, which no shell reads', async () => {
    const ran = await agent.data('run_command', { command: 'printf', args: ['%s|', '$(id)', 'a b', ';'] });
    expect(ran).toMatchObject({ exitCode: 0, output: '$(id)|a b|;|' });
  });

  test('folder, environment and input are those given; what would change other programs is stripped', async () => {
    const ran = await agent.data('run_command', {
      command: 'pwd; cat; echo "$A $KEPT [$NODE_OPTIONS$LD_PRELOAD$GIT_DIR]"',
      cwd: 'sub',
      env: { A: 'given' },
      stdin: 'typed\n',
    });
    expect(ran['output']).toBe(`${ide.root}/sub\ntyped\ngiven yes []\n`);
    const outside = await agent.call('run_command', { command: 'true', cwd: '/' });
    expect(outside.error).toMatchObject({ name: 'path_outside_project' });
  });

  test('a program that is not there, and one that is ended by a signal', async () => {
    const { error } = await agent.call('run_command', { command: 'no-such-program', args: [] });
    expect(error?.message).toContain('could not be started');
    expect(await agent.data('run_command', { command: 'kill -9 $$' })).toMatchObject({ signal: 'SIGKILL' });
  });

  test('a time-out ends it and says so; without a terminal a program that needs one fails by itself', async () => {
    const late = await agent.data('run_command', { command: 'echo begun; sleep 100', timeout_ms: 1500 });
    expect(late).toMatchObject({ state: 'stopped', timedOut: true, output: 'begun\n' });
    const tty = await agent.data('run_command', { command: 'stty size' });
    expect(tty).toMatchObject({ exitCode: 1, notes: [expect.stringContaining('run_in_terminal')] });
    expect(tty).not.toHaveProperty('command');
  });

  test('what never ends is a job that others wait for, read and stop', async () => {
    const messages: string[] = [];
    const begun = await agent.call(
      'run_command',
      { command: 'echo ready; sleep 1000', wait_ms: 2500 },
      { onProgress: (message) => messages.push(message ?? '') },
    );
    expect(begun.data).toMatchObject({ state: 'running', output: 'ready\n' });
    expect(messages.join()).toContain('ready');
    const { jobId: job_id } = begun.data ?? {};
    expect(await agent.data('wait_job', { job_id, wait_ms: 50 })).toMatchObject({ reason: 'time', state: 'running' });
    expect(await agent.data('wait_job', { job_id, quiet_ms: 100 })).toMatchObject({ reason: 'quiet' });
    expect(await agent.data('stop_job', { job_id })).toMatchObject({ state: 'stopped' });
  });

  test('daemons that leave the group are told of, and end with stop_job', async () => {
    const ran = await agent.data('run_command', { command: 'setsid sleep 4321 & echo $!' });
    expect(ran).toMatchObject({ state: 'exited', exitCode: 0 });
    expect(ran['leftRunning']).toEqual([expect.stringContaining('sleep 4321')]);
    const [pid] = String((ran['leftRunning'] as string[])[0]).split(' ');
    await agent.data('stop_job', { job_id: ran['jobId'] });
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 3000 }).toBe(false);
  });
});

test('a cancelled command ends with what it started', async () => {
  const cancel = new AbortController();
  const call = agent.call('run_command', { command: 'setsid sleep 1000 & sleep 1000' }, { signal: cancel.signal });
  call.catch(() => undefined);
  const { jobs } = ide.sightline.engines;
  await expect.poll(() => jobs.running.length, { timeout: 10_000 }).toBe(1);
  const [job] = jobs.running;
  cancel.abort();
  await expect.poll(() => job?.state, { timeout: 5000 }).toBe('stopped');
  expect(job?.leftBehind).toEqual([]);
});

describe('wait_job', () => {
  test('a pattern, printed before or after the wait began, also in a line without an end', async () => {
    const { jobId: job_id } = await agent.data('run_command', {
      command: 'echo \x1b[1mstarting\x1b[0m up; printf "on po"; sleep 1; printf "rt %s" 4711; sleep 1000',
      wait_ms: 0,
    });
    const first = await agent.data('wait_job', { job_id, pattern: 'starting up$' });
    expect(first).toMatchObject({ reason: 'pattern', match: { cursor: 0, text: 'starting up' } });
    const second = await agent.data('wait_job', { job_id, pattern: String.raw`port \d{4}`, cursor: 14 });
    expect(second).toMatchObject({ reason: 'pattern', state: 'running', match: { text: 'on port 4711' } });
    const bad = await agent.call('wait_job', { job_id, pattern: '(' });
    expect(bad.error).toMatchObject({ name: 'invalid_arguments', message: expect.stringContaining('regex') });
    await agent.data('stop_job', { job_id });
  });

  test('the end comes before the pattern, or the last line is the pattern', async () => {
    const { jobId: job_id } = await agent.data('run_command', { command: 'sleep 0.3; echo last', wait_ms: 0 });
    expect(await agent.data('wait_job', { job_id, pattern: 'last' })).toMatchObject({ reason: 'pattern' });
    expect(await agent.data('wait_job', { job_id, pattern: 'never' })).toMatchObject({ reason: 'ended', exitCode: 0 });
  });

  test('a port that answers', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const address = probe.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await new Promise((resolve) => probe.close(resolve));
    const { jobId: job_id } = await agent.data('run_command', {
      command: `sleep 0.3; exec node -e 'require("net").createServer().listen(${port}, "127.0.0.1")'`,
      wait_ms: 0,
    });
    const answered = await agent.data('wait_job', { job_id, port });
    expect(answered).toMatchObject({ reason: 'port', state: 'running' });
    expect(answered).not.toHaveProperty('notes');
    const other = await agent.data('run_command', { command: 'sleep 1000', wait_ms: 0 });
    const foreign = await agent.data('wait_job', { job_id: other['jobId'], port });
    expect(JSON.stringify(foreign['notes'])).toContain('another program');
    for (const each of [job_id, other['jobId']]) await agent.data('stop_job', { job_id: each });
  });
});

describe('much output', () => {
  test('200 MB: bounded in memory and on disk, answers meanwhile, read and searched on disk', async () => {
    const before = process.memoryUsage().rss;
    const { jobId: job_id } = await agent.data('run_command', {
      command: 'yes "a line of a log" | head -c 50M; yes "a second half" | head -c 150M; echo; echo the end',
      wait_ms: 0,
    });
    let peak = 0;
    const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
    const asked = Date.now();
    await agent.data('list_changes', {});
    expect(Date.now() - asked).toBeLessThan(10_000);
    const ended = await agent.data('wait_job', { job_id, wait_ms: 40_000 });
    clearInterval(sampling);
    expect(peak - before).toBeLessThan(150 * 1024 * 1024);
    expect(ended).toMatchObject({ exitCode: 0, totalBytes: 200 * 1024 * 1024 + 9 });
    expect(ended['output']).toMatch(/^a line of a log\n[^]* bytes left out …\n[^]*the end\n$/);
    const kept = sizeBelow(join(ide.home, 'state'));
    expect(kept).toBeLessThan(150 * 1024 * 1024);
    // Beyond what memory keeps, but on disk.
    expect(await agent.data('read_run_output', { job_id, cursor: 20_000_000, max_chars: 500 })).toMatchObject({
      output: expect.stringContaining('a line of a log\n'),
    });
    const found = await agent.data('read_run_output', { job_id, pattern: '^the (end|middle)$' });
    expect(found['matches']).toEqual([{ cursor: 200 * 1024 * 1024 + 1, text: 'the end' }]);
    expect(JSON.stringify(found['notes'])).toContain('were not searched');
    const many = await agent.data('read_run_output', { job_id, pattern: 'a line' });
    expect(many).toMatchObject({ isMore: true });
  });

  function sizeBelow(folder: string): number {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0);
  }
});

test('after a restart jobs are known with their output; one that ran is lost', async () => {
  const bench = await testBench();
  mkdirSync(bench.home, { recursive: true });
  writeFileSync(join(bench.home, '.bashrc'), 'echo from the start-up file\n');
  expect(await bench.data('run_command', { command: 'echo plain' })).toMatchObject({ output: 'plain\n' });
  const done = await bench.data('run_command', { command: 'seq 300000; exit 4' });
  const running = await bench.data('run_command', { command: 'echo alive; sleep 1000', wait_ms: 0 });
  await bench.data('wait_job', { job_id: running['jobId'], pattern: 'alive' });
  await bench.sightline.dispose();

  const next = await compose({ env: { PATH: process.env['PATH'], HOME: bench.home, SIGHTLINE_HOME: bench.home } });
  try {
    const client = next.backend.connect({
      name: 'later',
      transport: 'embedded',
      face: 'all',
      cwd: bench.root,
      env: {},
    });
    const call = async (tool: string, args: Record<string, unknown>) =>
      (await next.backend.callTool({ tool, args, client })).data;
    expect(await call('read_run_output', { job_id: done['jobId'] })).toMatchObject({
      state: 'exited',
      exitCode: 4,
      totalBytes: done['totalBytes'],
      output: expect.stringMatching(/^\d+\n[^]*300000\n$/),
    });
    expect(await call('read_run_output', { job_id: done['jobId'], pattern: '^150000$' })).toMatchObject({
      matches: [{ text: '150000' }],
    });
    expect(await call('wait_job', { job_id: running['jobId'] })).toMatchObject({ state: 'lost', output: 'alive\n' });
    expect(await call('read_run_output', {})).toMatchObject({ jobId: running['jobId'] });
  } finally {
    await next.dispose();
    await bench.dispose();
  }
});
