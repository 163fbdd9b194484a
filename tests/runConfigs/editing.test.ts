import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';

let ide: RunningSightline | undefined;
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
});

const launch = `{
    // The server of the shop.
    "configurations": [
        {
            "name": "Server", // keep me
            "type": "node",
            "request": "launch",
            "program": "\${workspaceFolder}/server.js",
            "stopOnEntry": true,
        },
    ],
}
`;

async function started(files: Record<string, string>, policy = 'allow') {
  ide = await startSightline({ project: files, env: { SIGHTLINE_POLICY_DESTRUCTIVE: policy } });
  const { root } = ide;
  const read = () => readFile(join(root, '.vscode/launch.json'), 'utf8');
  return { agent: await ide.connect({ face: 'workspace' }), read };
}

test('a configuration is created where there was none, and runs', async () => {
  const { agent, read } = await started({ 'app.js': 'console.log(process.argv[2], process.env.A)' });
  const made = await agent.data('create_run_configuration', {
    name: 'App',
    type: 'node',
    program: 'app.js',
    args: ['x y'],
    env: { A: 'b' },
  });
  expect(made).toMatchObject({ name: 'App', file: '.vscode/launch.json', historyId: expect.any(String) });
  expect(JSON.parse(await read())).toMatchObject({
    configurations: [{ name: 'App', program: '${workspaceFolder}/app.js', args: ['x y'] }],
  });
  expect(await agent.data('run_configuration', { name: 'App' })).toMatchObject({ exitCode: 0, output: 'x y b\n' });
});

test('comments and layout stay when a configuration is added or changed, and undo brings all back', async () => {
  const { agent, read } = await started({ '.vscode/launch.json': launch, 'server.js': '' });
  await agent.data('create_run_configuration', { name: 'Tests', type: 'python', module: 'pytest' });
  const added = await read();
  expect(added).toContain('// The server of the shop.');
  expect(added).toContain('        {\n            "name": "Tests",\n            "type": "debugpy",');
  const changed = await agent.data('edit_run_configuration', {
    name: 'Server',
    new_name: 'Shop',
    args: ['--port', '1'],
    remove: ['stopOnEntry'],
  });
  const after = await read();
  expect(after).toContain('"name": "Shop", // keep me');
  expect(after).not.toContain('stopOnEntry');
  const { configurations } = await agent.data('list_run_configurations', { filter: 'launch.json' });
  expect(configurations).toMatchObject([
    { name: 'Shop', canRun: true },
    { name: 'Tests', canDebug: true },
  ]);
  await agent.data('undo', { history_id: changed['historyId'] });
  expect(await read()).toBe(added);
});

test('what cannot be changed is refused with the way out, and nothing is written', async () => {
  const { agent, read } = await started({ '.vscode/launch.json': launch });
  const twice = await agent.call('create_run_configuration', { name: 'Server', type: 'node', program: 'a.js' });
  expect(twice.error?.message).toContain('already has a configuration "Server"');
  const unknown = await agent.call('edit_run_configuration', { name: 'Nothing', program: 'a.js' });
  expect(unknown.error).toMatchObject({ name: 'configuration_not_found', hint: 'It has "Server".' });
  expect(await read()).toBe(launch);
  await ide?.dispose();
  const broken = await started({ '.vscode/launch.json': '{ "configurations": [ }' });
  const refused = await broken.agent.call('create_run_configuration', { name: 'A', type: 'node', program: 'a.js' });
  expect(refused.error).toMatchObject({ name: 'edit_conflict', message: expect.stringContaining('mistake at line 1') });
});

test('a person is asked first', async () => {
  const { agent, read } = await started({ '.vscode/launch.json': launch }, 'ask');
  const asked = await agent.call('create_run_configuration', { name: 'A', type: 'node', program: 'a.js' });
  expect(JSON.stringify(asked)).toContain('approval');
  expect(await read()).toBe(launch);
});
