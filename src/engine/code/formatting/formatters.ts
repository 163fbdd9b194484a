import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import { isShim } from '../../../base/searchPath.ts';
import { clip } from '../../../base/text/textBudget.ts';
import type { Project } from '../../workspace/project.ts';

export interface LineRange {
  startLine: number;
  endLine: number;
}

/** A program that formats, as a filter from standard input to standard output. */
export interface Formatter {
  name: string;
  extensions: RegExp;
  /** Where the project says that it uses it. Without this it is used only when nothing else is configured, if at all. */
  isConfigured(project: Project, file: string): boolean;
  /** The program, found in the project or on the PATH. */
  programs(project: Project, file: string): string[];
  /** Runs code of the project (plugins, configuration written as code): only in trusted projects. */
  runsProjectCode: boolean;
  /** Also good without configuration, because the language has one style. */
  isStandard?: boolean;
  /** Undefined for a range when the program formats whole files only; the lines are then taken out of its result. */
  args(file: string, range: LineRange | undefined, project: Project): string[] | undefined;
  /** The text in what it wrote, where that is more than the text. */
  textOf?(written: string, input: string): string;
  /** Exit codes besides 0 that are no failure. */
  okCodes?: readonly number[];
}

const web = /\.(?:[cm]?[jt]sx?|css|scss|less|json|jsonc|html|vue|svelte|md|mdx|ya?ml|graphql)$/;
const script = /\.(?:[cm]?[jt]sx?|jsonc?|css|graphql)$/;
const python = /\.pyi?$/;

/** In the order in which they are tried. */
export const formatters: readonly Formatter[] = [
  {
    name: 'Biome',
    extensions: script,
    isConfigured: (project, file) => hasAbove(project, file, ['biome.json', 'biome.jsonc']),
    programs: (project, file) => nodeBin(project, file, 'biome'),
    runsProjectCode: true,
    args: (file, range) => (range === undefined ? ['format', `--stdin-file-path=${file}`] : undefined),
  },
  {
    name: 'Prettier',
    extensions: web,
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
  },
  {
    name: 'oxfmt',
    extensions: script,
    isConfigured: (project, file) => hasAbove(project, file, ['.oxfmtrc.json', '.oxfmtrc.jsonc']),
    programs: (project, file) => nodeBin(project, file, 'oxfmt'),
    runsProjectCode: true,
    args: (file, range) => (range === undefined ? [`--stdin-filepath=${file}`] : undefined),
  },
  {
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
  },
  {
    name: 'Ruff',
    extensions: python,
    isConfigured: (project, file) =>
      hasAbove(project, file, ['ruff.toml', '.ruff.toml']) || pyprojectHas(project, file, 'tool.ruff'),
    programs: (project) => [...venvBin(project, 'ruff'), ...onPath(project, 'ruff')],
    runsProjectCode: false,
    isStandard: true,
    args: (file, range) => [
      'format',
      '--stdin-filename',
      file,
      ...(range === undefined ? [] : [`--range=${range.startLine}-${range.endLine + 1}`]),
      '-',
    ],
  },
  {
    name: 'Black',
    extensions: python,
    isConfigured: (project, file) => pyprojectHas(project, file, 'tool.black'),
    programs: (project) => [...venvBin(project, 'black'), ...onPath(project, 'black')],
    runsProjectCode: false,
    isStandard: true,
    args: (file, range) => [
      '-q',
      '--stdin-filename',
      file,
      ...(range === undefined ? [] : [`--line-ranges=${range.startLine}-${range.endLine}`]),
      '-',
    ],
  },
  {
    name: 'gofmt',
    extensions: /\.go$/,
    isConfigured: () => true,
    programs: (project) => onPath(project, 'gofmt'),
    runsProjectCode: false,
    args: (_file, range) => (range === undefined ? [] : undefined),
  },
  {
    name: 'rustfmt',
    extensions: /\.rs$/,
    isConfigured: () => true,
    programs: (project) => onPath(project, 'rustfmt'),
    runsProjectCode: false,
    args: (file, range, project) =>
      range === undefined ? ['--emit', 'stdout', '--edition', rustEdition(project, file)] : undefined,
  },
  {
    name: 'clang-format',
    extensions: /\.(?:c|h|cc|hh|cpp|hpp|cxx|hxx|m|mm|proto)$/,
    isConfigured: (project, file) => hasAbove(project, file, ['.clang-format', '_clang-format']),
    programs: (project) => [
      ...venvBin(project, 'clang-format'),
      ...['', '-20', '-19', '-18'].flatMap((version) => onPath(project, `clang-format${version}`)),
    ],
    runsProjectCode: false,
    isStandard: true,
    args: (file, range) => [
      `--assume-filename=${file}`,
      ...(range === undefined ? [] : [`--lines=${range.startLine}:${range.endLine}`]),
    ],
  },
  {
    name: 'google-java-format',
    extensions: /\.java$/,
    isConfigured: () => true,
    programs: (project, file) => [
      ...(project.trusted ? nodeBin(project, file, 'google-java-format') : []),
      ...onPath(project, 'google-java-format'),
    ],
    runsProjectCode: false,
    args: (_file, range) => (range === undefined ? ['-'] : ['--lines', `${range.startLine}:${range.endLine}`, '-']),
  },
];

/** Import sorters that are programs; TypeScript's is asked of its server. */
export const importSorters: readonly Formatter[] = [
  {
    name: 'Ruff',
    extensions: python,
    isConfigured: (project, file) =>
      (hasAbove(project, file, ['ruff.toml', '.ruff.toml']) || pyprojectHas(project, file, 'tool.ruff')) &&
      !hasIsortSettings(project, file),
    programs: (project) => [...venvBin(project, 'ruff'), ...onPath(project, 'ruff')],
    runsProjectCode: false,
    isStandard: true,
    args: (file) => ['check', '--fix', '--exit-zero', '--quiet', '--select', 'I,F401', '--stdin-filename', file, '-'],
  },
  {
    name: 'isort',
    extensions: python,
    isConfigured: hasIsortSettings,
    programs: (project) => [...venvBin(project, 'isort'), ...onPath(project, 'isort')],
    runsProjectCode: false,
    isStandard: true,
    args: (file) => ['-q', '--filename', file, '-'],
  },
];

function hasIsortSettings(project: Project, file: string): boolean {
  return (
    hasAbove(project, file, ['.isort.cfg']) ||
    pyprojectHas(project, file, 'tool.isort') ||
    foldersAbove(project, file).some((folder) =>
      ['setup.cfg', 'tox.ini'].some((name) => /^\[(?:tool:)?isort\]/m.test(readIfThere(join(folder, name)) ?? '')),
    )
  );
}

/** Ruff as what takes out unused imports before another program sorts them. */
export const unusedImports = (file: string): string[] => [
  'check',
  '--fix',
  '--exit-zero',
  '--quiet',
  '--select',
  'F401',
  '--stdin-filename',
  file,
  '-',
];

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

function rustEdition(project: Project, file: string): string {
  for (const folder of foldersAbove(project, file)) {
    const edition = /^\s*edition\s*=\s*"(\d{4})"/m.exec(readIfThere(join(folder, 'Cargo.toml')) ?? '')?.[1];
    if (edition !== undefined) return edition;
  }
  return '2021';
}

/** Folders from a file's own up to the project root. */
function foldersAbove(project: Project, file: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); folder.startsWith(project.root); folder = dirname(folder)) {
    folders.push(folder);
    if (folder === project.root) break;
  }
  return folders;
}

function hasAbove(project: Project, file: string, names: readonly string[]): boolean {
  return foldersAbove(project, file).some((folder) => names.some((name) => existsSync(join(folder, name))));
}

function nodeBin(project: Project, file: string, name: string): string[] {
  return foldersAbove(project, file)
    .map((folder) => join(folder, 'node_modules', '.bin', name))
    .filter((path) => existsSync(path));
}

function venvBin(project: Project, name: string): string[] {
  // A tool of the project's own environment is code of the project.
  if (!project.trusted) return [];
  return ['.venv', 'venv', 'env']
    .map((folder) => join(project.root, folder, 'bin', name))
    .filter((path) => existsSync(path));
}

function onPath(project: Project, name: string): string[] {
  const folders = (project.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(project.root, folder));
  return folders
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path) && (project.trusted || !isShim(path)));
}

function dependsOn(project: Project, file: string, name: string): boolean {
  return foldersAbove(project, file).some((folder) => {
    const text = readIfThere(join(folder, 'package.json'));
    return text !== undefined && new RegExp(`"${name}"\\s*:`).test(text);
  });
}

function pyprojectHas(project: Project, file: string, table: string): boolean {
  return foldersAbove(project, file).some(
    (folder) => readIfThere(join(folder, 'pyproject.toml'))?.includes(`[${table}`) ?? false,
  );
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
