import type { Formatter } from '../formatter.ts';
import { hasAbove, onPath, venvBin } from '../programs.ts';

export const clangFormat: Formatter = {
  name: 'clang-format',
  extensions: /\.(?:c|h|cc|hh|cpp|hpp|cxx|hxx|m|mm|proto)$/,
  isConfigured: (project, file) => hasAbove(project, file, ['.clang-format', '_clang-format']),
  programs: (project) => [
    ...venvBin(project, 'clang-format'),
    ...['', '-20', '-19', '-18'].flatMap((version) => onPath(project, `clang-format${version}`)),
  ],
  runsProjectCode: false,
  isStandard: true,
  args: (file, range) => [
    `--assume-filename=${file}`,
    ...(range === undefined ? [] : [`--lines=${range.startLine}:${range.endLine}`]),
  ],
};
