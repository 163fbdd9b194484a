import type { Formatter } from '../formatter.ts';
import { nodeBin, onPath } from '../programs.ts';

export const googleJavaFormat: Formatter = {
  name: 'google-java-format',
  extensions: /\.java$/,
  isConfigured: () => true,
  programs: (project, file) => [
    ...(project.trusted ? nodeBin(project, file, 'google-java-format') : []),
    ...onPath(project, 'google-java-format'),
  ],
  runsProjectCode: false,
  args: (_file, range) => (range === undefined ? ['-'] : ['--lines', `${range.startLine}:${range.endLine}`, '-']),
};
