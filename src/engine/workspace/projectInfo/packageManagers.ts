import { parse as parseJsonc } from 'jsonc-parser';
import { recordOf, textOf } from '../dependencies/model.ts';
import type { Project } from '../project.ts';
import { readProjectText } from '../projectText.ts';
import { isForeign } from '../structure.ts';

/** The files that a package manager leaves, or is told by. The first that fits of each group is the one that is used. */
const groups: readonly (readonly (readonly [file: string, manager: string])[])[] = [
  [
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
    ['package-lock.json', 'npm'],
    ['npm-shrinkwrap.json', 'npm'],
    ['package.json', 'npm'],
  ],
  [
    ['uv.lock', 'uv'],
    ['poetry.lock', 'poetry'],
    ['pdm.lock', 'pdm'],
    ['Pipfile', 'pipenv'],
    ['environment.yml', 'conda'],
    ['requirements.txt', 'pip'],
    ['pyproject.toml', 'pip'],
    ['setup.py', 'pip'],
  ],
  [['go.mod', 'go']],
  [['Cargo.toml', 'cargo']],
  [['pom.xml', 'maven']],
  [
    ['build.gradle', 'gradle'],
    ['build.gradle.kts', 'gradle'],
  ],
];

export async function packageManagersOf(project: Project, files: readonly string[]): Promise<string[]> {
  const names = new Set(files.filter((file) => !isForeign(file)).map((file) => file.slice(file.lastIndexOf('/') + 1)));
  const found = groups.flatMap((group) => group.find(([file]) => names.has(file))?.[1] ?? []);
  // What package.json demands goes over what lies around.
  const manifest = recordOf(parseJsonc((await readProjectText(project, 'package.json')) ?? '{}'));
  const demanded = textOf(manifest['packageManager'])?.replace(/\+.*$/, '');
  if (demanded === undefined) return found;
  const scripts = new Set(['npm', 'pnpm', 'yarn', 'bun']);
  return [demanded, ...found.filter((manager) => !scripts.has(manager))];
}
