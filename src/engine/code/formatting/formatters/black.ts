import type { Formatter } from '../formatter.ts';
import { onPath, pyprojectHas, venvBin } from '../programs.ts';

export const black: Formatter = {
  name: 'Black',
  extensions: /\.pyi?$/,
  isConfigured: (project, file) => pyprojectHas(project, file, 'tool.black'),
  programs: (project) => [...venvBin(project, 'black'), ...onPath(project, 'black')],
  runsProjectCode: false,
  isStandard: true,
  args: (file, range) => [
    '-q',
    '--stdin-filename',
    file,
    ...(range === undefined ? [] : [`--line-ranges=${range.startLine}-${range.endLine}`]),
    '-',
  ],
};
