import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
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
  args(file: string, range: LineRange | undefined): string[] | undefined;
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
        '.prettierrc.yaml',
        '.prettierrc.yml',
        '.prettierrc.js',
        '.prettierrc.cjs',
        '.prettierrc.mjs',
        '.prettierrc.toml',
        'prettier.config.js',
        'prettier.config.cjs',
        'prettier.config.mjs',
        'prettier.config.ts',
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
    args: (_file, range) => (range === undefined ? ['--emit', 'stdout', '--edition', '2021'] : undefined),
  },
  {
    name: 'clang-format',
    extensions: /\.(?:c|h|cc|hh|cpp|hpp|cxx|hxx|m|mm|proto)$/,
    isConfigured: (project, file) => hasAbove(project, file, ['.clang-format', '_clang-format']),
    programs: (project) => [...onPath(project, 'clang-format'), ...onPath(project, 'clang-format-19')],
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
    programs: (project) => onPath(project, 'google-java-format'),
    runsProjectCode: false,
    args: (_file, range) => (range === undefined ? ['-'] : ['--lines', `${range.startLine}:${range.endLine}`, '-']),
  },
];

/** Import sorters that are programs; TypeScript's is asked of its server. */
export const importSorters: readonly Formatter[] = [
  {
    name: 'Ruff',
    extensions: python,
    isConfigured: () => true,
    programs: (project) => [...venvBin(project, 'ruff'), ...onPath(project, 'ruff')],
    runsProjectCode: false,
    args: (file) => ['check', '--fix', '--exit-zero', '--quiet', '--select', 'I,F401', '--stdin-filename', file, '-'],
  },
  {
    name: 'isort',
    extensions: python,
    isConfigured: () => true,
    programs: (project) => [...venvBin(project, 'isort'), ...onPath(project, 'isort')],
    runsProjectCode: false,
    args: (file) => ['-q', '--filename', file, '-'],
  },
];

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
    .filter((folder) => folder !== '' && !folder.startsWith(project.root));
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
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
