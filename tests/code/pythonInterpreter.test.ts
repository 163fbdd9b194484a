import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Provision } from '../../src/engine/provision/provision.ts';
import type { Project } from '../../src/engine/workspace/project.ts';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

/** Layouts are made by hand: the interpreters in them are links to a real one, told apart by where they lie. */
describe('which Python interpreter a project gets', () => {
  let base: string;
  let count = 0;
  beforeAll(async () => {
    base = await temporaryDirectory('interpreters');
  });
  afterAll(() => removeDirectory(base));

  const real = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();

  async function environment(folder: string): Promise<void> {
    await mkdir(join(folder, 'bin'), { recursive: true });
    await writeFile(join(folder, 'pyvenv.cfg'), `home = ${dirname(real)}\n`);
    await writeFile(join(folder, 'bin', 'python'), `#!/bin/sh\nexec ${real} "$@"\n`);
    await chmod(join(folder, 'bin', 'python'), 0o755);
  }

  async function layout(files: Record<string, string> = {}): Promise<{ home: string; root: string }> {
    const home = join(base, `case${++count}`);
    const root = join(home, 'work', 'shop');
    await mkdir(join(home, 'work', '.git'), { recursive: true });
    for (const [name, content] of Object.entries({ 'shop/main.py': '', ...files })) {
      await mkdir(dirname(join(home, 'work', name)), { recursive: true });
      await writeFile(join(home, 'work', name), content);
    }
    return { home, root };
  }

  async function chosen(home: string, root: string, env: NodeJS.ProcessEnv = {}, trusted = true): Promise<string> {
    const environmentOf = { PATH: process.env['PATH'] ?? '', HOME: home, ...env };
    const provision = new Provision({ cacheDir: testCacheDir, env: environmentOf });
    const project: Project = { id: 'p', name: 'p', root, stateDir: join(home, 'state'), env: environmentOf, trusted };
    const found = await provision.locate('python', project);
    if (!found.found) throw new Error(found.reason);
    return `${found.path.replace(`${home}/`, '').replace('/bin/python', '')}: ${(found.why ?? found.source).replaceAll(home, '~')}`;
  }

  it.each(['.venv', 'venv', 'env'])('%s in the project', async (name) => {
    const { home, root } = await layout();
    await environment(join(root, name));
    expect(await chosen(home, root)).toBe(`work/shop/${name}: ${name} of the project`);
    expect(await chosen(home, root, {}, false)).toMatch(/path$/);
  });

  it('one of its own that is too old or broken is refused with the reason, never replaced', async () => {
    const { home, root } = await layout();
    await environment(join(root, '.venv'));
    const interpreter = join(root, '.venv', 'bin', 'python');
    await writeFile(interpreter, '#!/bin/sh\necho 3.7.16\necho /usr/bin/python3.7\n');
    const refusal = `${interpreter} is 3.7.16, older than 3.8 (.venv of the project). It is not replaced by another.`;
    await expect(chosen(home, root)).rejects.toThrow(refusal);
    await writeFile(interpreter, '#!/bin/sh\nexit 3\n');
    await expect(chosen(home, root)).rejects.toThrow('It is not replaced by another.');
  });

  it('a real environment made by venv', async () => {
    const { home, root } = await layout();
    execFileSync(real, ['-m', 'venv', '--without-pip', join(root, '.venv')]);
    expect(await chosen(home, root)).toBe('work/shop/.venv: .venv of the project');
  });

  it('the one that is active, before any other; conda only when it is not merely its base', async () => {
    const { home, root } = await layout();
    for (const folder of ['active', 'conda/envs/data', 'conda']) await environment(join(home, folder));
    await environment(join(root, '.venv'));
    const conda = { CONDA_PREFIX: join(home, 'conda/envs/data'), CONDA_DEFAULT_ENV: 'data' };
    expect(await chosen(home, root, { VIRTUAL_ENV: join(home, 'active'), ...conda })).toBe(
      'active: active virtual environment (VIRTUAL_ENV)',
    );
    expect(await chosen(home, root, conda)).toBe('conda/envs/data: active conda environment (CONDA_PREFIX)');
    const onlyBase = { CONDA_PREFIX: join(home, 'conda'), CONDA_DEFAULT_ENV: 'base' };
    expect(await chosen(home, root, onlyBase)).toBe('work/shop/.venv: .venv of the project');
  });

  it('uv: the environment of the workspace above, and the one UV_PROJECT_ENVIRONMENT names', async () => {
    const { home, root } = await layout({ 'pyproject.toml': '[tool.uv.workspace]\nmembers = ["shop"]\n' });
    await environment(join(home, 'work', '.venv'));
    expect(await chosen(home, root)).toBe('work/.venv: .venv above the project, in ~/work');
    await environment(join(home, 'work', 'own'));
    expect(await chosen(home, root, { UV_PROJECT_ENVIRONMENT: 'own' })).toBe('work/own: UV_PROJECT_ENVIRONMENT');
  });

  it("Poetry's environment in its cache, and in the project when it lies there", async () => {
    const { home, root } = await layout({ 'shop/pyproject.toml': '[tool.poetry]\nname = "Shop Tool"\n' });
    const hash = createHash('sha256').update(root).digest('base64url').slice(0, 8);
    const name = `shop_tool-${hash}-py3.11`;
    await environment(join(home, '.cache/pypoetry/virtualenvs', name));
    await environment(join(home, '.cache/pypoetry/virtualenvs', 'shop_tool-AAAAAAAA-py3.12'));
    expect(await chosen(home, root)).toBe(`.cache/pypoetry/virtualenvs/${name}: Poetry's environment of shop`);
    await environment(join(root, '.venv'));
    expect(await chosen(home, root)).toBe('work/shop/.venv: .venv of the project');
  });

  it('pyenv and uv by .python-version, the newest that fits', async () => {
    const { home, root } = await layout({ 'shop/.python-version': '3.11\n' });
    await environment(join(home, '.local/share/uv/python/cpython-3.11.9-linux-x86_64-gnu'));
    expect(await chosen(home, root)).toBe(
      '.local/share/uv/python/cpython-3.11.9-linux-x86_64-gnu: .python-version asks for 3.11',
    );
    for (const version of ['3.11.2', '3.11.10', '3.12.1']) await environment(join(home, '.pyenv/versions', version));
    expect(await chosen(home, root)).toBe('.pyenv/versions/3.11.10: .python-version asks for 3.11');
  });

  it('the conda environment that environment.yml names', async () => {
    const { home, root } = await layout({ 'shop/environment.yml': 'name: science\ndependencies:\n  - python\n' });
    await environment(join(home, 'miniconda3/envs/science'));
    expect(await chosen(home, root)).toBe('miniconda3/envs/science: the conda environment that environment.yml names');
  });

  it('in a monorepo the nearest: of the package, of the folder above, else of a package inside', async () => {
    const { home, root } = await layout({ 'shop/api/main.py': '', 'shop/web/main.py': '' });
    await environment(join(root, 'api', '.venv'));
    await environment(join(root, 'web', '.venv'));
    expect(await chosen(home, join(root, 'web'))).toBe('work/shop/web/.venv: .venv of the project');
    expect(await chosen(home, root)).toBe('work/shop/api/.venv: the environment of api/.venv');
    await environment(join(root, '.venv'));
    expect(await chosen(home, root)).toBe('work/shop/.venv: .venv of the project');
  });
});

describe('the Python index of a monorepo with an environment for each package', () => {
  let ide: RunningSightline;
  beforeAll(async () => {
    await ensureEngine('ty');
    const cfg = `home = ${dirname(execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim())}\n`;
    const packages = (name: string) => `.venv/lib/python3.11/site-packages/${name}/__init__.py`;
    ide = await startSightline({
      project: {
        'api/.venv/pyvenv.cfg': cfg,
        [`api/${packages('alpha')}`]: 'def make() -> int:\n    return 1\n',
        [`api/${packages('shared')}`]: 'VERSION = 1\n\n\ndef old() -> int:\n    return 1\n',
        [`web/${packages('shared')}`]: 'def fresh() -> str:\n    return ""\n',
        'api/main.py': 'import alpha\n\nvalue = alpha.make()\n',
        'api/uses.py': 'from shared import old\n\nold()\n',
        'web/uses.py': 'from shared import fresh\n\nfresh()\n',
        'web/.venv/pyvenv.cfg': cfg,
        [`web/${packages('beta')}`]: 'def make() -> str:\n    return ""\n',
        'web/main.py': 'import beta\n\nvalue = beta.make()\n',
      },
      env: { SIGHTLINE_CACHE: testCacheDir },
    });
  }, 180_000);
  afterAll(() => ide.dispose());

  it('knows the packages of all of them, and says which interpreter it looks at and why', async () => {
    const agent = await ide.connect({ face: 'index' });
    expect(await agent.data('ide_analyze_code', {})).toMatchObject({ totalCount: 0, analysedFiles: 4 });
    const status = (await agent.data('ide_index_status', {})) as { languages: { interpreter?: unknown }[] };
    expect(status.languages[0]?.interpreter).toMatchObject({ why: expect.any(String), path: expect.any(String) });
    expect(await agent.data('ide_find_definition', { file: 'web/main.py', line: 3, text: 'make' })).toMatchObject({
      file: expect.stringContaining('beta/__init__.py'),
    });
  });

  it('each package has its own version of a library, and its interpreter is told', async () => {
    const agent = await ide.connect({ face: 'index' });
    const definition = (file: string, text: string) => agent.data('ide_find_definition', { file, line: 3, text });
    expect(await definition('api/uses.py', 'old')).toMatchObject({
      file: expect.stringMatching(/^api\/\.venv\/.*shared\/__init__\.py$/),
      line: 4,
    });
    expect(await definition('web/uses.py', 'fresh')).toMatchObject({
      file: expect.stringMatching(/^web\/\.venv\/.*shared\/__init__\.py$/),
      line: 1,
    });
    const status = (await agent.data('ide_index_status', {})) as { languages: { language: string; state: string }[] };
    expect(status.languages.map(({ language }) => language)).toEqual(
      expect.arrayContaining(['python', 'python (api/.venv)', 'python (web/.venv)']),
    );
  });
});
