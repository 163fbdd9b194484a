import type { Formatter } from '../formatter.ts';
import { hasAbove, onPath, pyprojectHas, venvBin } from '../programs.ts';
import { hasIsortSettings } from './isort.ts';

export const ruff: Formatter = {
  name: 'Ruff',
  extensions: /\.pyi?$/,
  isConfigured: (project, file) =>
    hasAbove(project, file, ['ruff.toml', '.ruff.toml']) || pyprojectHas(project, file, 'tool.ruff'),
  programs: (project) => [...venvBin(project, 'ruff'), ...onPath(project, 'ruff')],
  runsProjectCode: false,
  isStandard: true,
  args: (file, range) => [
    'format',
    '--stdin-filename',
    file,
    ...(range === undefined ? [] : [`--range=${range.startLine}-${range.endLine + 1}`]),
    '-',
  ],
};

/** It sorts imports unless the project has given that to another program. */
export const ruffImports: Formatter = {
  name: 'Ruff',
  extensions: /\.pyi?$/,
  isConfigured: (project, file) =>
    (hasAbove(project, file, ['ruff.toml', '.ruff.toml']) || pyprojectHas(project, file, 'tool.ruff')) &&
    !hasIsortSettings(project, file),
  programs: (project) => [...venvBin(project, 'ruff'), ...onPath(project, 'ruff')],
  runsProjectCode: false,
  isStandard: true,
  args: (file) => ['check', '--fix', '--exit-zero', '--quiet', '--select', 'I,F401', '--stdin-filename', file, '-'],
};

/** Ruff as what takes out unused imports before another program sorts them. */
export const unusedImports = (file: string): string[] => [
  'check',
  '--fix',
  '--exit-zero',
  '--quiet',
  '--select',
  'F401',
  '--stdin-filename',
  file,
  '-',
];
