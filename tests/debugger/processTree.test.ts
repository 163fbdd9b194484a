import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  removeDirectory,
  type RunningSightline,
  startSightline,
  temporaryDirectory,
  type TestClient,
} from '../harness/harness.ts';

const files = {
  'cluster.js': `const cluster = require('node:cluster');
function serve(id) {
  const greeting = 'worker ' + id;
  return greeting;
}
if (cluster.isPrimary) {
  cluster.fork({ WORK: 'a' }).on('exit', () => cluster.fork({ WORK: 'b' }));
} else {
  serve(process.env.WORK);
  cluster.worker.disconnect();
}
`,
  'package.json': JSON.stringify({ scripts: { serve: "sh -c 'echo shell; node script.js one'" } }),
  'script.js': `const word = process.argv[2];
console.log(word);
`,
  'a.test.js': `const { test } = require('node:test');
const { add } = require('./add.js');
test('a', () => { add(1); });
`,
  'b.test.js': `const { test } = require('node:test');
const { add } = require('./add.js');
test('b', () => { add(2); });
`,
  'add.js': `exports.add = (n) => {
  return n + 1;
};
`,
  'slow.js': `function work() {
  for (;;) {}
}
debugger;
work();
`,
  'src/service.ts': `let count: number = 0;
function tick(step: number): number {
  count += step;
  return count;
}
setInterval(() => tick(2), 10);
console.log('up');
`,
};

interface Stop {
  process?: string;
  variables: { name: string; value: string }[];
}

describe('a session is a tree of processes', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let remote: string;
  let program: ChildProcess | undefined;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    agent = await ide.connect({ face: 'debugger' });
    remote = await temporaryDirectory('remote');
  });
  afterEach(() => void program?.kill('SIGKILL'));
  afterAll(async () => {
    await ide.dispose();
    await removeDirectory(remote);
  });

  /** Each stop until the end: which process, and a variable there. */
  async function follow(
    start: Record<string, unknown>,
    breakpoint: Record<string, unknown>,
    variable: string,
  ): Promise<{ process: string | undefined; value: string | undefined }[]> {
    const { breakpointId } = await agent.data('set_breakpoint', breakpoint);
    const seen: { process: string | undefined; value: string | undefined }[] = [];
    let answer = await agent.data('start_debug_session', { ...start, wait_ms: 25_000 });
    for (; answer['state'] === 'paused'; answer = await agent.data('resume_execution')) {
      const stop = answer['stop'] as Stop;
      seen.push({ process: stop.process, value: stop.variables.find((each) => each.name === variable)?.value });
    }
    expect(answer).toMatchObject({ state: 'stopped', exitCode: 0 });
    await agent.data('remove_breakpoint', { breakpoint_id: breakpointId });
    return seen;
  }

  it('with the workers of a cluster, one after the other', async () => {
    const seen = await follow({ program: 'cluster.js' }, { file_path: 'cluster.js', line: 3 }, 'id');
    expect(seen).toEqual([
      { process: expect.stringMatching(/^cluster\.js \(pid \d+\)$/), value: '"a"' },
      { process: expect.stringMatching(/^cluster\.js \(pid \d+\)$/), value: '"b"' },
    ]);
    expect(new Set(seen.map((each) => each.process)).size).toBe(2);
  });

  it('with what a script of package.json starts through a shell', async () => {
    const seen = await follow({ configuration_name: 'serve' }, { file_path: 'script.js', line: 2 }, 'word');
    expect(seen).toEqual([{ process: expect.stringMatching(/^script\.js one \(pid \d+\)$/), value: '"one"' }]);
  });

  it('with the processes in which node --test runs each file', async () => {
    await mkdir(join(ide.root, '.vscode'));
    const configuration = {
      type: 'node',
      request: 'launch',
      name: 'tests',
      runtimeExecutable: 'node',
      runtimeArgs: ['--test', '--test-concurrency=1', 'a.test.js', 'b.test.js'],
    };
    await writeFile(join(ide.root, '.vscode/launch.json'), JSON.stringify({ configurations: [configuration] }));
    const seen = await follow({ configuration_name: 'tests' }, { file_path: 'add.js', line: 2 }, 'n');
    expect(seen).toEqual([
      { process: expect.stringContaining('a.test.js'), value: '1' },
      { process: expect.stringContaining('b.test.js'), value: '2' },
    ]);
  });

  it('killed with kill -9 in the middle of a step says so, and the next session works', async () => {
    expect(await agent.data('start_debug_session', { program: 'slow.js' })).toMatchObject({ state: 'paused' });
    expect(await agent.data('step_over')).toMatchObject({ stop: { location: { line: 5 } } });
    const sessions = (await agent.data('list_debug_sessions'))['sessions'] as {
      isCurrent: boolean;
      processId: number;
    }[];
    const stepping = agent.data('step_over', { wait_ms: 20_000 });
    await expect.poll(async () => (await agent.data('get_debug_session_status'))['state']).toBe('running');
    process.kill(sessions.find((session) => session.isCurrent)?.processId ?? 0, 'SIGKILL');
    expect(await stepping).toMatchObject({ state: 'stopped', exitSignal: 'SIGKILL' });
    expect(await agent.data('start_debug_session', { program: 'script.js' })).toMatchObject({ exitCode: 0 });
  });

  it('on another machine is shown with the files of this one', async () => {
    const outfile = join(ide.root, 'dist/service.js');
    await build({ entryPoints: [join(ide.root, 'src/service.ts')], sourcemap: true, format: 'cjs', outfile });
    await cp(join(ide.root, 'dist'), join(remote, 'dist'), { recursive: true });
    const started = spawn(process.execPath, ['--inspect=127.0.0.1:0', join(remote, 'dist/service.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    program = started;
    let said = '';
    started.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    await once(started.stdout, 'data');
    const port = Number(/:(\d+)\//.exec(said)?.[1]);
    const set = await agent.data('set_breakpoint', { file_path: 'src/service.ts', line: 4, condition: 'step === 2' });
    expect(set).toMatchObject({ verified: false, willBindAt: expect.stringMatching(/^dist\/service\.js:\d+$/) });
    const mappings = [{ localRoot: ide.root, remoteRoot: remote }];
    const attached = await agent.data('start_debug_session', { host: '127.0.0.1', port, path_mappings: mappings });
    expect(attached).toMatchObject({
      state: 'paused',
      stop: { location: { file: join(ide.root, 'src/service.ts'), line: 4, methodName: 'tick' } },
    });
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
    expect(await agent.data('stop_debug_session')).toMatchObject({ exitReason: 'detached' });
    expect(started.exitCode ?? started.signalCode).toBeNull();
  });
});
