import { join } from 'node:path';
import type { Project } from '../../../workspace/project.ts';
import type { Formatter } from '../formatter.ts';
import { foldersAbove, hasAbove, onPath, pyprojectHas, readIfThere, venvBin } from '../programs.ts';

export const isort: Formatter = {
  name: 'isort',
  extensions: /\.pyi?$/,
  isConfigured: hasIsortSettings,
  programs: (project) => [...venvBin(project, 'isort'), ...onPath(project, 'isort')],
  runsProjectCode: false,
  isStandard: true,
  args: (file) => ['-q', '--filename', file, '-'],
};

export function hasIsortSettings(project: Project, file: string): boolean {
  return (
    hasAbove(project, file, ['.isort.cfg']) ||
    pyprojectHas(project, file, 'tool.isort') ||
    foldersAbove(project, file).some((folder) =>
      ['setup.cfg', 'tox.ini'].some((name) => /^\[(?:tool:)?isort\]/m.test(readIfThere(join(folder, name)) ?? '')),
    )
  );
}
