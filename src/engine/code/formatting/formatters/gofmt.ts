import type { Formatter } from '../formatter.ts';
import { onPath } from '../programs.ts';

export const gofmt: Formatter = {
  name: 'gofmt',
  extensions: /\.go$/,
  isConfigured: () => true,
  programs: (project) => onPath(project, 'gofmt'),
  runsProjectCode: false,
  args: (_file, range) => (range === undefined ? [] : undefined),
};
