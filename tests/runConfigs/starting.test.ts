import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const server = `const port = Number(process.argv[2]);
if (!port) process.exit(4);
setTimeout(() => require('http').createServer((q, r) => r.end('ok')).listen(port, '127.0.0.1', () => console.log('up', process.pid)), 200);`;

const files = {
  'package.json': '{}',
  'show.js': 'console.log(process.argv.slice(2).join(","), process.env.A, process.env.B)',
  'server.js': server,
  'forever.js': 'console.log("pid", process.pid); setInterval(() => {}, 1000);',
  'local.env': '# comment\nexport A=from-file\nB="two words"\n',
  '.vscode/launch.json': JSON.stringify({
    configurations: [
      { name: 'Asks', type: 'node', request: 'launch', program: 'show.js', args: ['${input:who}', '${input:stage}'] },
      { name: 'Asks program', type: 'node', request: 'launch', program: '${workspaceFolder}/${input:script}.js' },
      { name: 'Server', type: 'node', request: 'launch', program: 'server.js', args: ['${input:port}'] },
      { name: 'Forever', type: 'node', request: 'launch', program: 'forever.js' },
      { name: 'Other', type: 'node', request: 'launch', program: 'forever.js' },
      { name: 'Gone env', type: 'node', request: 'launch', program: 'show.js', envFile: '${workspaceFolder}/none.env' },
      { name: 'Attach', type: 'node', request: 'attach', port: 9 },
    ],
    compounds: [
      { name: 'Pair', configurations: ['Forever', 'Other'], stopAll: true },
      { name: 'Asking pair', configurations: ['Forever', 'Asks'] },
      { name: 'With attach', configurations: ['Forever', 'Attach'] },
    ],
    inputs: [
      { id: 'who', type: 'promptString', description: 'Whom to greet', default: 'world' },
      { id: 'stage', type: 'pickString', options: ['dev', { label: 'Production', value: 'prod' }] },
      { id: 'port', type: 'promptString' },
    ],
  }),
  '.vscode/tasks.json': JSON.stringify({
    tasks: [
      { label: 'first', type: 'shell', command: 'echo first >> order.txt' },
      { label: 'second', type: 'shell', command: 'echo ${input:word} >> order.txt', dependsOn: 'first' },
      { label: 'both', dependsOn: ['first', 'one'] },
      { label: 'one', type: 'shell', command: 'echo one' },
      { label: 'around', dependsOn: ['around'] },
    ],
    inputs: [{ id: 'word', type: 'promptString' }],
  }),
};

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  ide = await startSightline({ project: files, env: { SIGHTLINE_POLICY_DESTRUCTIVE: 'allow' } });
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(() => ide.dispose());

const running = () => ide.sightline.engines.jobs.running.map((job) => job.spec.name).sort();

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => probe.once('listening', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

describe('inputs', () => {
  it('are asked for with what is known of them, and never guessed', async () => {
    const { error } = await agent.call('run_configuration', { name: 'Asks' });
    expect(error).toMatchObject({
      name: 'invalid_arguments',
      hint: expect.stringContaining('{"who":"…","stage":"…"}'),
    });
    expect(error?.message).toContain('who (Whom to greet; usually world) and stage (one of dev, prod)');
    const { configurations } = await agent.data('list_run_configurations', { filter: 'Asks' });
    expect((configurations as unknown[]).slice(0, 2)).toMatchObject([
      { name: 'Asks', canRun: true, inputs: [{ id: 'who' }, { id: 'stage', options: ['dev', 'prod'] }] },
      { name: 'Asks program', inputs: [{ id: 'script' }] },
    ]);
  });

  it('are taken as given', async () => {
    const inputs = { who: 'a b', stage: 'prod' };
    expect(await agent.data('run_configuration', { name: 'Asks', inputs })).toMatchObject({
      exitCode: 0,
      output: 'a b,prod undefined undefined\n',
    });
    const chosen = { name: 'Asks program', inputs: { script: 'show' } };
    expect(await agent.data('run_configuration', chosen)).toMatchObject({ exitCode: 0 });
  });

  it('outside their options, or naming a program that is not there, are refused', async () => {
    const wrong = await agent.call('run_configuration', { name: 'Asks', inputs: { who: 'x', stage: 'moon' } });
    expect(wrong.error?.message).toContain('one of dev, prod, not "moon"');
    const none = await agent.call('run_configuration', { name: 'Asks program', inputs: { script: 'none' } });
    expect(none.error?.message).toContain('none.js does not exist');
    const unasked = await agent.call('run_configuration', { name: 'Forever', inputs: { who: 'x' } });
    expect(unasked.error?.message).toContain('does not ask for who');
    const compound = await agent.call('run_configuration', { name: 'Asking pair' });
    expect(compound.error?.message).toContain('who (Whom to greet');
    expect(running()).toEqual([]);
  });
});

describe('a port', () => {
  it('that answers ends the wait, while the program goes on', async () => {
    const port = await freePort();
    const inputs = { port: String(port) };
    const started = await agent.data('run_configuration', { name: 'Server', inputs, ready_port: port });
    expect(started).toMatchObject({
      ready: true,
      state: 'running',
      message: expect.stringContaining(`${port} answers`),
    });
    const printed = async () => (await agent.data('read_run_output', { job_id: started['jobId'] }))['output'];
    await expect.poll(printed).toMatch(/^up \d+/);
    const again = await agent.call('run_configuration', { name: 'Server', inputs, ready_port: port });
    expect(again.error).toMatchObject({ name: 'launch_failed', hint: expect.stringContaining('restart: true') });
    const restarted = await agent.data('run_configuration', {
      name: 'Server',
      inputs,
      ready_port: port,
      restart: true,
    });
    expect(restarted).toMatchObject({ ready: true });
    expect(restarted['jobId']).not.toBe(started['jobId']);
    expect(running()).toEqual(['Server']);
    await agent.data('stop_job', { job_id: restarted['jobId'] });
  });

  it('that never answers because the program ended is told with its end', async () => {
    const port = await freePort();
    const ended = await agent.data('run_configuration', { name: 'Server', inputs: { port: '0' }, ready_port: port });
    expect(ended).toMatchObject({ ready: false, state: 'stopped', exitCode: 4 });
  });

  it('ends the wait of a debugged program too', async () => {
    const port = await freePort();
    const inputs = { port: String(port) };
    const options = { name: 'Server', mode: 'debug', inputs, ready_port: port };
    const debugged = await agent.data('run_configuration', options);
    expect(debugged).toMatchObject({ ready: true, state: 'running', sessionId: expect.any(String) });
    const restarted = await agent.data('run_configuration', { ...options, mode: 'run', restart: true });
    expect(restarted).toMatchObject({ ready: true, state: 'running' });
    await agent.data('stop_job', { job_id: restarted['jobId'] });
  });

  it('out of range is refused', async () => {
    expect((await agent.call('run_configuration', { name: 'Server', ready_port: 0 })).error?.name).toBe(
      'invalid_arguments',
    );
  });
});

describe('a compound', () => {
  it('runs all, and is stopped as one where it says so', async () => {
    const started = await agent.data('run_configuration', { name: 'Pair', wait_ms: 0 });
    expect(running()).toEqual(['Forever', 'Other']);
    const again = await agent.data('run_configuration', { name: 'Pair', wait_ms: 0, restart: true });
    expect(running()).toEqual(['Forever', 'Other']);
    expect(again['jobId']).not.toBe(started['jobId']);
    await agent.data('stop_job', { job_id: again['jobId'] });
    const [other] = again['others'] as string[];
    expect(await agent.data('wait_job', { job_id: other })).toMatchObject({ state: 'stopped' });
    expect(running()).toEqual([]);
  });

  it('with a member that only attaches is not begun', async () => {
    const { error } = await agent.call('run_configuration', { name: 'With attach' });
    expect(error?.message).toContain('Attach: It attaches to a running program');
    expect(running()).toEqual([]);
  });

  it('is created, changed and started', async () => {
    const made = { name: 'Trio', type: 'compound', members: ['Forever', 'Other'] };
    await agent.data('create_run_configuration', made);
    await agent.data('edit_run_configuration', { name: 'Trio', members: ['Forever'] });
    const launch = JSON.parse(readFileSync(join(ide.root, '.vscode/launch.json'), 'utf8')) as Record<string, unknown[]>;
    expect(launch['compounds']?.at(-1)).toEqual({ name: 'Trio', configurations: ['Forever'] });
    const { jobId } = await agent.data('run_configuration', { name: 'Trio', wait_ms: 0 });
    await agent.data('stop_job', { job_id: jobId });
    expect((await agent.call('create_run_configuration', { name: 'No', type: 'compound' })).error?.name).toBe(
      'invalid_arguments',
    );
    expect((await agent.call('create_run_configuration', made)).error?.message).toContain('already has');
  });
});

it('what runs already is told', async () => {
  const { jobId } = await agent.data('run_configuration', { name: 'Forever', wait_ms: 0 });
  const second = await agent.data('run_configuration', { name: 'Forever', wait_ms: 0 });
  expect(second['notes']).toEqual([expect.stringContaining(`runs as ${String(jobId)}`)]);
  await Promise.all([jobId, second['jobId']].map((id) => agent.data('stop_job', { job_id: id })));
});

it('environment files are created, read, and missed when they are not there', async () => {
  await agent.data('create_run_configuration', {
    name: 'Env',
    type: 'node',
    program: 'show.js',
    env_file: 'local.env',
  });
  expect(readFileSync(join(ide.root, '.vscode/launch.json'), 'utf8')).toContain('${workspaceFolder}/local.env');
  expect(await agent.data('run_configuration', { name: 'Env' })).toMatchObject({ output: ' from-file two words\n' });
  const gone = await agent.call('run_configuration', { name: 'Gone env' });
  expect(gone.error?.message).toContain('none.env does not exist');
  const outside = { name: 'Out', type: 'node', program: 'show.js', env_file: '../secret.env' };
  expect((await agent.call('create_run_configuration', outside)).error?.name).toBe('path_outside_project');
});

describe('a task', () => {
  it('runs after what it depends on, with its inputs', async () => {
    expect((await agent.call('run_configuration', { name: 'second' })).error?.message).toContain('asks for word');
    await agent.data('run_configuration', { name: 'task: second', inputs: { word: 'then' } });
    expect(readFileSync(join(ide.root, 'order.txt'), 'utf8')).toBe('first\nthen\n');
  });

  it('that only gathers others starts them side by side; one that depends on itself is not started', async () => {
    const both = await agent.data('run_configuration', { name: 'both' });
    expect(both['others']).toHaveLength(1);
    const around = await agent.call('run_configuration', { name: 'around' });
    expect(around.error?.message).toContain('depends on itself');
  });
});
