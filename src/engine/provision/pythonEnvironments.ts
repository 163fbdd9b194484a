import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isBelieved, ownerOf } from '../../base/ownership.ts';
import { platform } from '../../base/platform/here.ts';
import type { FindContext, FoundPlace } from './model.ts';
import { exists, expand } from './programs.ts';

/**
 * The interpreters a project may mean, best first, each with the reason: what the person has activated, an environment in or above
 * the project, one that its tool (uv, Poetry, conda) keeps elsewhere, one of a package inside of it, the version it asks for.
 */
export async function pythonEnvironments(context: FindContext): Promise<FoundPlace[]> {
  const { env, project } = context;
  const found: FoundPlace[] = [];
  const add = (folder: string | undefined, why: string) => {
    if (folder !== undefined && folder !== '') found.push({ path: interpreterOf(folder), why });
  };
  add(env['VIRTUAL_ENV'], 'active virtual environment (VIRTUAL_ENV)');
  const condaIsBase = env['CONDA_DEFAULT_ENV'] === 'base';
  if (!condaIsBase) add(env['CONDA_PREFIX'], 'active conda environment (CONDA_PREFIX)');
  // Which environment the files of a project name is the project's choice, and it may lie anywhere.
  if (project?.trusted !== true) return found;
  const { root } = project;
  for (const folder of await foldersUpToRepository(root)) {
    const uv = env['UV_PROJECT_ENVIRONMENT'];
    if (uv !== undefined && uv !== '' && (await exists(join(folder, 'pyproject.toml'))))
      add(isAbsolute(uv) ? uv : join(folder, uv), 'UV_PROJECT_ENVIRONMENT');
    for (const name of ['.venv', 'venv', 'env'])
      if (await exists(join(folder, name, 'pyvenv.cfg')))
        add(join(folder, name), folder === root ? `${name} of the project` : `${name} above the project, in ${folder}`);
    add(await poetryEnvironment(folder, env), `Poetry's environment of ${basename(folder)}`);
    add(await condaEnvironment(folder, env), 'the conda environment that environment.yml names');
    found.push(...(await askedVersion(folder, env)));
  }
  for (const folder of await nestedEnvironments(root))
    add(folder, `the environment of ${folder.slice(root.length + 1)}`);
  if (condaIsBase) add(env['CONDA_PREFIX'], "conda's base environment (CONDA_PREFIX)");
  return found;
}

/** The environments of packages inside a project, nearest first: a monorepo may have one for each. */
export async function nestedEnvironments(root: string): Promise<string[]> {
  const found: string[] = [];
  let level = [root];
  for (let depth = 0; depth < 3 && level.length > 0 && level.length < 500; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const names = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of names) {
        if (!entry.isDirectory() || entry.name === 'node_modules') continue;
        const path = join(folder, entry.name);
        if (await exists(join(path, 'pyvenv.cfg'))) {
          if (folder !== root) found.push(path);
        } else if (!entry.name.startsWith('.')) next.push(path);
      }
    }
    level = next;
  }
  return found;
}

function interpreterOf(folder: string): string {
  return platform.customs.programIn(folder, 'python');
}

/** The project's folder and those above it, up to the one with the repository: workspaces share one environment at their root. */
async function foldersUpToRepository(root: string): Promise<string[]> {
  const folders = [root];
  const owner = ownerOf(root);
  for (let folder = root; !isBelieved(join(folder, '.git'), owner); folder = dirname(folder)) {
    // Without a repository nothing says that what lies above belongs together.
    if (dirname(folder) === folder) return [root];
    folders.push(dirname(folder));
  }
  return folders;
}

/** Poetry names the environments it keeps in its cache after the project and a hash of its folder. */
async function poetryEnvironment(folder: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const manifest = await text(join(folder, 'pyproject.toml'));
  const name = /^\s*name\s*=\s*["']([^"']+)["']/m.exec(manifest)?.[1];
  const usesPoetry = /^\[tool\.poetry\b/m.test(manifest) || (await exists(join(folder, 'poetry.lock')));
  if (name === undefined || !usesPoetry) return undefined;
  const home = env['HOME'] ?? '';
  const cache = env['POETRY_CACHE_DIR'] ?? join(platform.customs.cacheFolder(home, env), 'pypoetry');
  const place = env['POETRY_VIRTUALENVS_PATH'] ?? join(cache, 'virtualenvs');
  const hash = createHash('sha256').update(folder).digest('base64url').slice(0, 8);
  const safe = name
    .toLowerCase()
    .replace(/[ $`!*@"\\\r\n\t]/g, '_')
    .slice(0, 42);
  const [newest] = await expand(join(place, `${safe}-${hash}-py*`));
  return newest;
}

async function condaEnvironment(folder: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const manifest = (await text(join(folder, 'environment.yml'))) || (await text(join(folder, 'environment.yaml')));
  const prefix = /^prefix:\s*["']?([^"'\s#]+)/m.exec(manifest)?.[1];
  if (prefix !== undefined && (await exists(prefix))) return prefix;
  const name = /^name:\s*["']?([^"'\s#]+)/m.exec(manifest)?.[1];
  if (name === undefined) return undefined;
  const home = env['HOME'] ?? '';
  const roots = ['miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', 'micromamba', '.conda'].map((each) =>
    join(home, each),
  );
  const own = [
    env['MAMBA_ROOT_PREFIX'],
    env['CONDA_EXE'] === undefined ? undefined : dirname(dirname(env['CONDA_EXE'])),
  ];
  for (const root of [...own, ...roots]) {
    if (root === undefined) continue;
    const place = join(root, 'envs', name);
    if (await exists(place)) return place;
  }
  return undefined;
}

/** `.python-version`: pyenv and uv choose the interpreter by it; `3.11` means the newest 3.11. */
async function askedVersion(folder: string, env: NodeJS.ProcessEnv): Promise<FoundPlace[]> {
  const [asked = ''] = (await text(join(folder, '.python-version')))
    .split(/\s+/)
    .filter((word) => !word.startsWith('#'));
  if (!/^[\w.-]+$/.test(asked)) return [];
  const home = env['HOME'] ?? '';
  const pyenv = join(env['PYENV_ROOT'] ?? join(home, '.pyenv'), 'versions');
  const uv = env['UV_PYTHON_INSTALL_DIR'] ?? join(env['XDG_DATA_HOME'] ?? join(home, '.local/share'), 'uv/python');
  const places = [
    join(pyenv, asked),
    ...(await expand(join(pyenv, `${asked}.*`))),
    ...(await expand(join(uv, `cpython-${asked}-*`))),
    ...(await expand(join(uv, `cpython-${asked}.*`))),
  ];
  const there: FoundPlace[] = [];
  for (const place of places)
    if (await exists(interpreterOf(place)))
      there.push({ path: interpreterOf(place), why: `.python-version asks for ${asked}` });
  return there;
}

async function text(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
