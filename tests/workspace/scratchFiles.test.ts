import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  await ensureEngine('debugpy');
  ide = await startSightline({
    project: {
      'package.json': '{"type": "module"}',
      'src/shop.js': 'export const total = (prices) => prices.reduce((a, b) => a + b, 0);\n',
      'node_modules/dep/package.json': '{"name": "dep", "version": "1.0.0", "main": "index.js"}',
      'node_modules/dep/index.js': 'module.exports = "from dep";\n',
      'shop/__init__.py': 'def total(prices):\n    return sum(prices)\n',
    },
  });
  execFileSync('git', ['init', '-q'], { cwd: ide.root });
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(() => ide.dispose());

const script =
  "import dep from 'dep';\nimport { total } from '../src/shop.js';\nconst sum = total([1, 2]);\nconsole.log(dep, sum);\n";

describe('a scratch file', () => {
  it('runs and is debugged with the modules of the project', async () => {
    const made = await agent.data('create_scratch_file', { language: 'javascript', content: script });
    expect(made).toMatchObject({ file: '.sightline-scratch/scratch.js', runConfiguration: 'scratch: scratch.js' });
    const ran = await agent.data('run_configuration', { name: made['runConfiguration'] });
    expect(ran).toMatchObject({ exitCode: 0, output: 'from dep 3\n' });
    const breakpoint = { file: made['file'], line: 4, expressions: ['sum'] };
    const probed = await agent.data('debug_probe', { program: made['file'], breakpoints: [breakpoint] });
    expect(JSON.stringify(probed)).toContain('sum');
    await agent.data('edit_file', { file_path: made['file'], old_text: '[1, 2]', new_text: '[4, 5]' });
    expect(await agent.data('run_configuration', { name: 'scratch.js' })).toMatchObject({ output: 'from dep 9\n' });
  });

  it('of Python finds the packages of the project, run and debugged', async () => {
    const content = 'from shop import total\nresult = total([1, 2])\nprint("result", result)\n';
    const made = await agent.data('create_scratch_file', { language: 'Python', content, name: 'try' });
    expect(made).toMatchObject({ file: '.sightline-scratch/try.py' });
    expect(await agent.data('run_configuration', { name: 'scratch: try.py' })).toMatchObject({ output: 'result 3\n' });
    const breakpoint = { file: made['file'], line: 3, expressions: ['result'] };
    const { text } = await agent.call('debug_probe', { program: made['file'], breakpoints: [breakpoint] });
    expect(text).toContain('result');
    expect(text).not.toContain('ModuleNotFoundError');
  });

  it('of TypeScript says what is missing where nothing can run it', async () => {
    const content = 'const a: number = 1;\nconsole.log(a);\n';
    const { file } = await agent.data('create_scratch_file', { language: 'ts', content, name: 'typed' });
    const { error, data } = await agent.call('run_configuration', { name: 'typed.ts' });
    // Which of both depends on the Node that runs the tests.
    expect(error === undefined ? data?.['output'] : `${error.name}: ${error.hint}`).toMatch(
      /^1\n$|^launch_failed: .*tsx/,
    );
    await agent.data('create_scratch_file', { remove: [file] });
  });

  it('is hidden from git, lists and searches, and read by its name', async () => {
    const status = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
      cwd: ide.root,
    }).toString();
    expect(status).not.toContain('scratch');
    expect(JSON.stringify(await agent.data('list_project_files'))).not.toContain('scratch');
    expect((await agent.data('search_text', { pattern: 'from dep' }))['totalCount']).toBe(0);
    expect(await agent.data('read_file', { file_path: '.sightline-scratch/try.py' })).toMatchObject({ startLine: 1 });
  });

  it('is listed, removed on request, and brought back by undo', async () => {
    expect((await agent.data('create_scratch_file'))['scratchFiles']).toEqual([
      '.sightline-scratch/scratch.js',
      '.sightline-scratch/try.py',
    ]);
    await agent.data('create_scratch_file', { remove: ['scratch.js'] });
    const last = await agent.data('create_scratch_file', { remove: ['.sightline-scratch/try.py'] });
    expect(last['scratchFiles']).toEqual([]);
    expect(existsSync(join(ide.root, '.sightline-scratch'))).toBe(false);
    await agent.data('undo', { history_id: last['historyId'] });
    expect(existsSync(join(ide.root, '.sightline-scratch/try.py'))).toBe(true);
  });

  it.each([
    ['of an unknown language', { language: 'klingon', content: '' }, 'invalid_arguments', 'no language'],
    ['without content', { language: 'python' }, 'invalid_arguments', 'language and content'],
    [
      'with a name that climbs',
      { language: 'python', content: '', name: '../x' },
      'invalid_arguments',
      'plain file name',
    ],
    ['with a hidden name', { language: 'json', content: '{}', name: '.mcp' }, 'invalid_arguments', 'plain file name'],
    ['over another', { language: 'python', content: '', name: 'try.py' }, 'edit_conflict', 'there already'],
    ['removed that is not there', { remove: ['none.js'] }, 'file_not_found', 'none.js'],
    ['removed from outside', { remove: ['../package.json'] }, 'file_not_found', 'no scratch file'],
    ['both made and removed', { remove: ['try.py'], content: 'x' }, 'invalid_arguments', 'either'],
  ])('%s is refused', async (_what, args, code, says) => {
    const { error } = await agent.call('create_scratch_file', args);
    expect(error?.name).toBe(code);
    expect(error?.message).toContain(says);
  });
});
