import { allAs, type Language, words } from './model.ts';

const cComments = { line: ['//'], block: [['/*', '*/']] } as const;
const hashComments = { line: ['#'] } as const;
const bothQuotes = ['"', "'"] as const;

const scriptKeywords = {
  hard: words(
    'break case catch class const continue debugger delete do else enum export extends false finally for function if import in ' +
      'instanceof new null return super switch this throw true try typeof var void while with',
  ),
  soft: words(
    'abstract as async await declare default from get implements interface is let of override package private protected public ' +
      'readonly satisfies set static type undefined yield',
  ),
};

const scriptTestFiles = /[._-](?:test|spec)\.[cm]?[jt]sx?$/;

/** Every language that Sightline knows by name, those that it drives first. */
export const languages: readonly Language[] = [
  {
    id: 'typescript',
    title: 'TypeScript',
    familyTitle: 'TypeScript/JavaScript',
    aliases: ['ts'],
    extensions: { ts: 'typescript', tsx: 'typescriptreact', ...allAs('typescript', 'mts', 'cts') },
    comments: cComments,
    strings: [...bothQuotes, '`'],
    keywords: scriptKeywords,
    declarationFiles: /\.d\.[cm]?ts$/,
    testFiles: scriptTestFiles,
    rootMarkers: /^(package|tsconfig|jsconfig)\.json$/,
    runs: 'node',
  },
  {
    id: 'javascript',
    title: 'JavaScript',
    family: 'typescript',
    aliases: ['js', 'node', 'nodejs'],
    extensions: { js: 'javascript', jsx: 'javascriptreact', ...allAs('javascript', 'mjs', 'cjs') },
    extensionAliases: { esm: 'mjs', commonjs: 'cjs' },
    comments: cComments,
    strings: [...bothQuotes, '`'],
    keywords: scriptKeywords,
    testFiles: scriptTestFiles,
    runs: 'node',
  },
  {
    id: 'python',
    title: 'Python',
    aliases: ['py', 'python3'],
    extensions: allAs('python', 'py', 'pyi'),
    comments: hashComments,
    strings: ['"""', "'''", ...bothQuotes],
    keywords: {
      hard: words(
        'False None True and as assert async await break class continue def del elif else except finally for from global if import in ' +
          'is lambda nonlocal not or pass raise return try while with yield',
      ),
      soft: words('case match type'),
    },
    declarationFiles: /\.pyi$/,
    testFiles: /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$/,
    rootMarkers: /^(pyproject\.toml|setup\.(py|cfg)|requirements.*\.txt|Pipfile|tox\.ini)$|\.py$/,
    runs: 'python',
  },
  {
    id: 'go',
    title: 'Go',
    aliases: ['golang'],
    extensions: { go: 'go' },
    comments: cComments,
    strings: [...bothQuotes, '`'],
    testFiles: /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.go$/,
    rootMarkers: /^go\.(mod|work)$/,
    runs: 'go',
  },
  {
    id: 'cpp',
    title: 'C++',
    familyTitle: 'C/C++',
    aliases: ['c++', 'c/c++', 'cxx'],
    extensions: allAs('cpp', 'cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'ipp', 'inl'),
    comments: cComments,
    strings: bothQuotes,
    rootMarkers: /^(CMakeLists\.txt|compile_commands\.json|meson\.build|configure\.ac)$|\.(c|cc|cpp|cxx|h|hpp)$/,
  },
  {
    id: 'c',
    title: 'C',
    family: 'cpp',
    aliases: [],
    extensions: { c: 'c', h: 'cpp' },
    comments: cComments,
    strings: bothQuotes,
  },
  {
    id: 'rust',
    title: 'Rust',
    aliases: ['rs'],
    extensions: { rs: 'rust' },
    comments: cComments,
    strings: ['"'],
    testFiles: /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.rs$/,
    rootMarkers: /^Cargo\.toml$/,
  },
  {
    id: 'java',
    title: 'Java',
    aliases: [],
    extensions: { java: 'java' },
    comments: cComments,
    strings: ['"""', ...bothQuotes],
    testFiles: /(^|\/)[^/]*Tests?\.java$/,
    rootMarkers: /^(pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?)$/,
  },
  {
    id: 'kotlin',
    title: 'Kotlin',
    aliases: [],
    extensions: allAs('kotlin', 'kt', 'kts'),
    comments: cComments,
    testFiles: /(^|\/)[^/]*Tests?\.kt$/,
  },
  { id: 'scala', title: 'Scala', aliases: [], extensions: { scala: 'scala' }, comments: cComments },
  { id: 'groovy', title: 'Groovy', aliases: [], extensions: { groovy: 'groovy' }, comments: cComments },
  {
    id: 'csharp',
    title: 'C#',
    aliases: ['c#'],
    extensions: { cs: 'csharp' },
    comments: cComments,
    testFiles: /(^|\/)[^/]*Tests?\.cs$/,
  },
  { id: 'ruby', title: 'Ruby', aliases: ['rb'], extensions: { rb: 'ruby' }, comments: hashComments },
  { id: 'php', title: 'PHP', aliases: [], extensions: { php: 'php' }, comments: { ...cComments, line: ['//', '#'] } },
  { id: 'swift', title: 'Swift', aliases: [], extensions: { swift: 'swift' }, comments: cComments },
  { id: 'dart', title: 'Dart', aliases: [], extensions: { dart: 'dart' }, comments: cComments },
  { id: 'lua', title: 'Lua', aliases: [], extensions: { lua: 'lua' }, comments: { line: ['--'] } },
  { id: 'elixir', title: 'Elixir', aliases: [], extensions: allAs('elixir', 'ex', 'exs'), comments: hashComments },
  {
    id: 'bash',
    title: 'Shell',
    familyTitle: 'Bash',
    aliases: ['sh', 'shell'],
    extensions: allAs('shellscript', 'sh', 'bash'),
    comments: hashComments,
    runs: 'shell',
  },
  { id: 'vue', title: 'Vue', aliases: [], extensions: { vue: 'vue' } },
  { id: 'svelte', title: 'Svelte', aliases: [], extensions: { svelte: 'svelte' } },
  { id: 'html', title: 'HTML', aliases: [], extensions: { html: 'html' }, comments: { block: [['<!--', '-->']] } },
  {
    id: 'css',
    title: 'CSS',
    aliases: ['scss', 'less'],
    extensions: { css: 'css', scss: 'scss' },
    comments: { block: [['/*', '*/']] },
  },
  { id: 'sql', title: 'SQL', aliases: [], extensions: { sql: 'sql' }, comments: { line: ['--'] } },
  { id: 'json', title: 'JSON', aliases: [], extensions: { json: 'json', jsonc: 'jsonc' }, isData: true },
  {
    id: 'yaml',
    title: 'YAML',
    aliases: ['yml'],
    extensions: allAs('yaml', 'yaml', 'yml'),
    comments: hashComments,
    isData: true,
  },
  { id: 'markdown', title: 'Markdown', aliases: ['md'], extensions: { md: 'markdown' }, isData: true },
  { id: 'text', title: 'Text', aliases: ['txt'], extensions: { txt: 'plaintext' }, isData: true },
];

/** The languages that have engines of their own; the others of their families share these. */
export const languageIds = [
  'typescript',
  'python',
  'go',
  'cpp',
  'rust',
  'java',
  'bash',
  'css',
  'html',
  'json',
  'yaml',
] as const;

export type LanguageId = (typeof languageIds)[number];
