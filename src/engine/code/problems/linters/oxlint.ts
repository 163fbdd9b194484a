import { inModules, type LinterRules } from '../linter.ts';
import { parseOxlint } from '../lintOutput.ts';

export const oxlint: LinterRules = {
  name: 'oxlint',
  configuration: ['.oxlintrc.json', 'oxlint.config.ts'],
  extensions: /^[cm]?[jt]sx?$/,
  locate: inModules('oxlint'),
  arguments: (paths) => ['--format', 'json', ...paths],
  parse: parseOxlint,
  columns: 'utf8',
  tellsFixesAsServer: true,
};
