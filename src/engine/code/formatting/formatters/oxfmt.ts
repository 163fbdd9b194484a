import type { Formatter } from '../formatter.ts';
import { hasAbove, nodeBin } from '../programs.ts';

export const oxfmt: Formatter = {
  name: 'oxfmt',
  extensions: /\.(?:[cm]?[jt]sx?|jsonc?|css|graphql)$/,
  isConfigured: (project, file) => hasAbove(project, file, ['.oxfmtrc.json', '.oxfmtrc.jsonc']),
  programs: (project, file) => nodeBin(project, file, 'oxfmt'),
  runsProjectCode: true,
  args: (file, range) => (range === undefined ? [`--stdin-filepath=${file}`] : undefined),
};
