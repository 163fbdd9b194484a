import { inModules, type LinterRules } from '../linter.ts';
import { parseBiome } from '../lintOutput.ts';

export const biome: LinterRules = {
  name: 'Biome',
  configuration: ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'],
  extensions: /^([cm]?[jt]sx?|jsonc?|css)$/,
  locate: inModules('biome'),
  arguments: (paths) => ['lint', '--reporter=json', '--max-diagnostics=none', '--no-errors-on-unmatched', ...paths],
  parse: parseBiome,
  columns: 'codePoints',
  fixArguments: (path, code) =>
    code.startsWith('lint/')
      ? ['lint', '--write', '--unsafe', `--only=${code.slice('lint/'.length)}`, `--stdin-file-path=${path}`]
      : undefined,
};
