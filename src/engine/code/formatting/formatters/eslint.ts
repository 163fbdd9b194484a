import { ToolError } from '../../../../base/errors.ts';
import { clip } from '../../../../base/text/textBudget.ts';
import type { Formatter } from '../formatter.ts';
import { dependsOn, hasAbove, nodeBin } from '../programs.ts';

export const eslint: Formatter = {
  name: 'ESLint',
  extensions: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
  isConfigured: (project, file) => hasAbove(project, file, eslintConfigs) || dependsOn(project, file, 'eslintConfig'),
  programs: (project, file) => nodeBin(project, file, 'eslint'),
  runsProjectCode: true,
  args: (file, range) =>
    range === undefined ? ['--fix-dry-run', '--format', 'json', '--stdin', '--stdin-filename', file] : undefined,
  textOf: fixedByEslint,
  // Problems that are left over are no reason to keep the others.
  okCodes: [1],
};

const eslintConfigs = [
  ...['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((extension) => `eslint.config.${extension}`),
  ...['', '.json', '.cjs', '.js', '.yaml', '.yml'].map((extension) => `.eslintrc${extension}`),
];

interface EslintResult {
  output?: string;
  messages: { fatal?: boolean; message: string; line?: number }[];
}

function fixedByEslint(written: string, input: string): string {
  let results: EslintResult[];
  try {
    // The format is ESLint's documented one, for the one file it was given.
    results = JSON.parse(written) as EslintResult[];
  } catch {
    throw new ToolError('command_failed', `eslint wrote something else than its report: ${clip(written, 300)}`, {
      hint: 'Nothing was changed.',
    });
  }
  const [result] = results;
  const fatal = result?.messages.find((message) => message.fatal);
  if (fatal !== undefined)
    throw new ToolError('command_failed', `eslint failed: ${fatal.message} (line ${fatal.line ?? '?'})`, {
      hint: 'Nothing was changed.',
    });
  return result?.output ?? input;
}
