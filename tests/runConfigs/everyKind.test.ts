import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const files = {
  'package.json': JSON.stringify({ scripts: { start: 'node src/app.js scripted' }, devDependencies: { vitest: '4' } }),
  'src/app.js': `const { total } = require('./shop.js');
console.log('total', total([1, 2]), process.argv.slice(2), process.env.MODE, process.cwd());
`,
  'src/shop.js': `exports.total = function total(prices) {
  const sum = prices.reduce((a, b) => a + b, 0);
  return sum;
};
`,
  'src/shop.test.js': `import { expect, test } from 'vitest';
import { total } from './shop.js';
test('adds', () => expect(total([1, 2])).toBe(3));
`,
  'test/plain.test.js': `const test = require('node:test');
const { total } = require('../src/shop.js');
test('adds', () => total([1, 2]));
`,
  'shop/__init__.py': '',
  'shop/money.py': `def total(prices):
    result = sum(prices)
    return result
`,
  'shop/__main__.py': `import os
import sys
from shop.money import total

print("total", total([1, 2]), sys.argv[1:], os.environ.get("MODE"), os.getcwd())
`,
  'run.py': `import os
import sys
from shop.money import total

print("total", total([1, 2]), sys.argv[1:], os.environ.get("MODE"), os.getcwd())
`,
  'tests/test_money.py': `from shop.money import total


def test_total():
    assert total([1, 2]) == 3
`,
  '.idea/runConfigurations/Idea.xml': `<component name="ProjectRunConfigurationManager">
  <configuration default="false" name="From IDE" type="PythonConfigurationType" factoryName="Python">
    <option name="SCRIPT_NAME" value="$PROJECT_DIR$/run.py" />
    <option name="PARAMETERS" value="from idea" />
    <option name="WORKING_DIRECTORY" value="$PROJECT_DIR$" />
    <envs><env name="MODE" value="idea" /></envs>
  </configuration>
</component>
`,
  '.vscode/tasks.json': JSON.stringify({
    version: '2.0.0',
    tasks: [{ label: 'make', type: 'shell', command: 'echo made > made.txt' }],
  }),
  '.vscode/launch.json': `{
  "configurations": [
    { "name": "Node", "type": "node", "request": "launch", "program": "\${workspaceFolder}/src/app.js", "args": ["\${workspaceFolderBasename}"], "env": { "MODE": "node" }, "cwd": "\${workspaceFolder}/src", "preLaunchTask": "make" },
    { "name": "Program", "type": "debugpy", "request": "launch", "program": "\${workspaceFolder}/run.py", "args": ["a b"], "env": { "MODE": "program" } },
    { "name": "Module", "type": "debugpy", "request": "launch", "module": "shop", "args": ["m"], "env": { "MODE": "module" }, "cwd": "\${workspaceFolder}" },
    { "name": "Browser", "type": "chrome", "request": "launch", "url": "http://localhost" }
  ],
  "compounds": [{ "name": "Both", "configurations": ["Node", "Program"] }]
}`,
};

let ide: RunningSightline;
let agent: TestClient;
beforeAll(async () => {
  await ensureEngine('debugpy');
  ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
  await symlink(join(import.meta.dirname, '../../node_modules'), join(ide.root, 'node_modules'));
  agent = await ide.connect({ face: 'debugger' });
  await agent.data('set_breakpoint', { file_path: 'src/shop.js', line: 3 });
  await agent.data('set_breakpoint', { file_path: 'shop/money.py', line: 3 });
}, 180_000);
afterAll(() => ide.dispose());

const inJs = { file: 'src/shop.js', line: 3 };
const inPython = { file: 'shop/money.py', line: 3 };

describe('every kind of run configuration stops at its breakpoint under the debugger', () => {
  it.each([
    { name: 'Node', at: inJs, said: /total 3 \[ 'sightline-project-\w+' \] node \S+\/src\n/ },
    { name: 'Program', at: inPython, said: /total 3 \['a b'\] program / },
    { name: 'Module', at: inPython, said: /total 3 \['m'\] module / },
    { name: 'From IDE', at: inPython, said: /total 3 \['from', 'idea'\] idea / },
    { name: 'npm: start', at: inJs, said: /total 3 \[ 'scripted' \]/ },
    { name: 'pytest tests/test_money.py', at: inPython, said: /1 passed/ },
    { name: 'vitest src/shop.test.js', at: inJs, said: /1 passed/ },
    { name: 'node --test test/plain.test.js', at: inJs, said: /pass 1/ },
  ])('$name', async ({ name, at, said }) => {
    const stopped = await agent.data('execute_run_configuration', { name });
    expect(stopped).toMatchObject({
      mode: 'debug',
      state: 'paused',
      stop: { reason: 'breakpoint', location: { file: join(ide.root, at.file), line: at.line, methodName: 'total' } },
    });
    const ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 0 });
    expect(ended['output']).toMatch(said);
  });

  it('a compound starts each member; run_configuration debugs by its mode', async () => {
    const workspace = await ide.connect({ face: 'workspace' });
    const both = await workspace.data('run_configuration', { name: 'Both', mode: 'debug' });
    expect(both).toMatchObject({ state: 'paused', others: [expect.any(String)] });
    const stops = [both['sessionId'], ...(both['others'] as string[])].map(async (session_id) =>
      agent.data('get_debug_session_status', { session_id, wait_ms: 20_000 }),
    );
    expect((await Promise.all(stops)).map((each) => each['state'])).toEqual(['paused', 'paused']);
    for (const session_id of [both['sessionId'], ...(both['others'] as string[])])
      await agent.data('stop_debug_session', { session_id });
  });

  it('what cannot be debugged says why, in the list and when it is tried', async () => {
    const { configurations } = await agent.data('list_run_configurations', {});
    const found = (configurations as { name: string; canDebug: boolean; whyNot?: string }[]).find(
      ({ name }) => name === 'Browser',
    );
    expect(found).toMatchObject({ canDebug: false, whyNot: expect.stringContaining('browser') });
    const tried = await agent.call('execute_run_configuration', { name: 'Browser' });
    expect(tried.error).toMatchObject({ name: 'launch_failed', message: expect.stringContaining('browser') });
    const missing = await agent.call('execute_run_configuration', { name: 'Nod' });
    expect(missing.error?.message).toMatch(/Nearest: .*"Node"/);
  });
});

describe('in a project that nobody trusts', () => {
  it('a task before the launch is shown and not run', async () => {
    const other = await startSightline({ project: files, trusted: false });
    try {
      const client = await other.connect({ face: 'debugger' });
      const { configurations } = await client.data('list_run_configurations', {});
      expect(configurations).toContainEqual(expect.objectContaining({ name: 'Node', preLaunchTask: 'make' }));
      const refused = await client.call('execute_run_configuration', { name: 'Node' });
      expect(refused.error).toMatchObject({ name: 'project_not_trusted' });
    } finally {
      await other.dispose();
    }
  });
});
