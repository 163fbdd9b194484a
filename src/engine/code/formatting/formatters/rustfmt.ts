import { join } from 'node:path';
import type { Project } from '../../../workspace/project.ts';
import type { Formatter } from '../formatter.ts';
import { foldersAbove, onPath, readIfThere } from '../programs.ts';

export const rustfmt: Formatter = {
  name: 'rustfmt',
  extensions: /\.rs$/,
  isConfigured: () => true,
  programs: (project) => onPath(project, 'rustfmt'),
  runsProjectCode: false,
  args: (file, range, project) =>
    range === undefined ? ['--emit', 'stdout', '--edition', rustEdition(project, file)] : undefined,
};

function rustEdition(project: Project, file: string): string {
  for (const folder of foldersAbove(project, file)) {
    const edition = /^\s*edition\s*=\s*"(\d{4})"/m.exec(readIfThere(join(folder, 'Cargo.toml')) ?? '')?.[1];
    if (edition !== undefined) return edition;
  }
  return '2021';
}
