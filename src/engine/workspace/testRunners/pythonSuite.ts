import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assetPath } from '../../../base/assets.ts';
import { isInside } from '../../../base/paths.ts';
import type { Project } from '../project.ts';
import type { RunPlan, RunRequest, SuiteRunner, TestPackage } from '../tests/model.ts';
import { readText } from './packages.ts';

/** What pytest and unittest take for files of tests without being told. */
const testFileName = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/;

/** Whether pytest or unittest would take a file for tests by its name. */
export function isPythonTest(file: string): boolean {
  return testFileName.test(file);
}
const marker = /^(?:pyproject\.toml|setup\.py|setup\.cfg|pytest\.ini|tox\.ini)$/;

/** pytest where the interpreter has it, else unittest: the interpreter itself decides, see python/run_tests.py. */
export const pythonSuite: SuiteRunner = {
  id: 'pytest',
  packages: ({ root }, files) => {
    const tests = files.filter((file) => testFileName.test(file));
    if (tests.length === 0) return [];
    const marked = new Set(files.filter((file) => marker.test(file.slice(file.lastIndexOf('/') + 1))).map(dirname));
    if (configuration(root) !== undefined) return [packageAt(root)];
    const owners = new Set(tests.map((file) => ownerOf(file, root, (folder) => marked.has(folder))));
    return [...owners].map(packageAt);
  },
  packageOf: ({ root }, file) => {
    if (!file.endsWith('.py')) return undefined;
    if (configuration(root) !== undefined) return packageAt(root);
    const isMarked = (folder: string) =>
      ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini'].some((name) =>
        existsSync(join(folder, name)),
      );
    return packageAt(ownerOf(file, root, isMarked));
  },
  plan: async (request) => {
    if (request.coverage !== true) return pythonPlan(request, {});
    const plan = await pythonPlan(request, {
      coverage: { folder: request.scratch, library: await request.locate('coverage') },
    });
    return { ...plan, coverage: [{ format: 'coverage.py', path: join(request.scratch, 'coverage.json') }] };
  },
  collect: (request) => pythonPlan(request, { collect: true }),
};

/** `more`: what else the program is to know, such as `{coverage: true, args: [...]}`. */
async function pythonPlan(request: RunRequest, more: Readonly<Record<string, unknown>>): Promise<RunPlan> {
  const { folder } = request.package;
  const file = join(request.scratch, 'request.json');
  await writeFile(file, JSON.stringify({ ...request.selection, ...more }));
  return {
    command: [await interpreter(request.project, folder, request.locate), assetPath('python/run_tests.py')],
    cwd: folder,
    env: { SIGHTLINE_TEST_EVENTS: request.eventsFile, SIGHTLINE_TEST_REQUEST: file },
  };
}

/** A package's own environment before that of the project. */
export async function interpreter(project: Project, folder: string, locate: RunRequest['locate']): Promise<string> {
  const own = folder === project.root ? [] : ['.venv', 'venv'].map((name) => join(folder, name, 'bin', 'python'));
  const found = own.find((path) => existsSync(path)) ?? (await locate('python'));
  // The environment of another package of the project is not this one's.
  const home = dirname(dirname(dirname(found)));
  return isInside(project.root, home) && !isInside(home, folder) ? 'python3' : found;
}

function packageAt(folder: string): TestPackage {
  const reason = configuration(folder) ?? 'there are Python tests';
  return { runner: 'pytest', folder, reason };
}

/** The innermost folder around a file that is a package of its own, else the root. */
function ownerOf(file: string, root: string, isMarked: (folder: string) => boolean): string {
  for (let folder = dirname(file); isInside(root, folder) && folder !== root; folder = dirname(folder))
    if (isMarked(folder)) return folder;
  return root;
}

function configuration(folder: string): string | undefined {
  const sections: readonly (readonly [string, RegExp])[] = [
    ['pytest.ini', /^/],
    ['.pytest.ini', /^/],
    ['pyproject.toml', /^\[tool\.pytest\b/m],
    ['tox.ini', /^\[pytest\]/m],
    ['setup.cfg', /^\[tool:pytest\]/m],
  ];
  const found = sections.find(
    ([name, section]) => section.test(readText(join(folder, name)) ?? '\0') && existsSync(join(folder, name)),
  );
  return found === undefined ? undefined : `${found[0]} configures pytest`;
}
