import type { Formatter } from '../formatter.ts';
import { hasAbove, nodeBin } from '../programs.ts';

export const biome: Formatter = {
  name: 'Biome',
  extensions: /\.(?:[cm]?[jt]sx?|jsonc?|css|graphql)$/,
  isConfigured: (project, file) => hasAbove(project, file, ['biome.json', 'biome.jsonc']),
  programs: (project, file) => nodeBin(project, file, 'biome'),
  runsProjectCode: true,
  args: (file, range) => (range === undefined ? ['format', `--stdin-file-path=${file}`] : undefined),
};
