import { inModules, type LinterRules } from '../linter.ts';
import { parseEslint } from '../lintOutput.ts';

export const eslint: LinterRules = {
  name: 'ESLint',
  configuration: [
    'eslint.config.js',
    'eslint.config.mjs',
    'eslint.config.cjs',
    'eslint.config.ts',
    '.eslintrc.json',
    '.eslintrc.js',
    '.eslintrc.cjs',
    '.eslintrc.yml',
    '.eslintrc.yaml',
    '.eslintrc',
  ],
  extensions: /^[cm]?[jt]sx?$/,
  locate: inModules('eslint'),
  arguments: (paths) => ['--format', 'json', '--no-error-on-unmatched-pattern', ...paths],
  parse: parseEslint,
  columns: 'utf16',
};
