import type { LinterRules } from '../linter.ts';
import { parseRuff } from '../lintOutput.ts';

export const ruff: LinterRules = {
  name: 'Ruff',
  configuration: ['ruff.toml', '.ruff.toml', 'pyproject.toml'],
  sections: { 'pyproject.toml': '[tool.ruff' },
  extensions: /^pyi?$/,
  locate: async (project, provision) => {
    const engine = await provision?.locate('ruff', project);
    return engine?.found === true ? engine.command[0] : undefined;
  },
  arguments: (paths) => ['check', '--output-format', 'json', '--no-fix', '--exit-zero', ...paths],
  parse: parseRuff,
  columns: 'codePoints',
};
