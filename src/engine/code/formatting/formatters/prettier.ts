import type { Formatter } from '../formatter.ts';
import { dependsOn, hasAbove, nodeBin } from '../programs.ts';

export const prettier: Formatter = {
  name: 'Prettier',
  extensions: /\.(?:[cm]?[jt]sx?|css|scss|less|json|jsonc|html|vue|svelte|md|mdx|ya?ml|graphql)$/,
  isConfigured: (project, file) =>
    hasAbove(project, file, [
      '.prettierrc',
      '.prettierrc.json',
      '.prettierrc.json5',
      '.prettierrc.yaml',
      '.prettierrc.yml',
      '.prettierrc.js',
      '.prettierrc.cjs',
      '.prettierrc.mjs',
      '.prettierrc.ts',
      '.prettierrc.toml',
      'prettier.config.js',
      'prettier.config.cjs',
      'prettier.config.mjs',
      'prettier.config.ts',
      'prettier.config.mts',
      'prettier.config.cts',
    ]) || dependsOn(project, file, 'prettier'),
  programs: (project, file) => nodeBin(project, file, 'prettier'),
  runsProjectCode: true,
  args: (file, range) => (range === undefined ? ['--stdin-filepath', file] : undefined),
};
