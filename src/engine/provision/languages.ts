import { languageIds, type LanguageId } from './model.ts';

export const languageTitles: Readonly<Record<LanguageId, string>> = {
  typescript: 'TypeScript/JavaScript',
  python: 'Python',
  go: 'Go',
  cpp: 'C/C++',
  rust: 'Rust',
  java: 'Java',
  bash: 'Bash',
  css: 'CSS',
  html: 'HTML',
  json: 'JSON',
  yaml: 'YAML',
};

const otherNames: Readonly<Record<string, LanguageId>> = {
  node: 'typescript',
  nodejs: 'typescript',
  javascript: 'typescript',
  js: 'typescript',
  ts: 'typescript',
  py: 'python',
  python3: 'python',
  golang: 'go',
  c: 'cpp',
  'c++': 'cpp',
  'c/c++': 'cpp',
  cxx: 'cpp',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  yml: 'yaml',
  scss: 'css',
  less: 'css',
};

/** The language a person means; undefined when it is none that Sightline knows. */
export function languageNamed(name: string): LanguageId | undefined {
  const wanted = name.toLowerCase();
  return languageIds.find((id) => id === wanted) ?? otherNames[wanted];
}

/** Files whose presence at the root of a project says that it uses a language. */
const signs: readonly (readonly [RegExp, LanguageId])[] = [
  [/^(package|tsconfig|jsconfig)\.json$/, 'typescript'],
  [/^(pyproject\.toml|setup\.(py|cfg)|requirements.*\.txt|Pipfile|tox\.ini)$|\.py$/, 'python'],
  [/^go\.(mod|work)$/, 'go'],
  [/^(CMakeLists\.txt|compile_commands\.json|meson\.build|configure\.ac)$|\.(c|cc|cpp|cxx|h|hpp)$/, 'cpp'],
  [/^Cargo\.toml$/, 'rust'],
  [/^(pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?)$/, 'java'],
];

export function languagesOfFiles(names: readonly string[]): LanguageId[] {
  return [...new Set(signs.filter(([sign]) => names.some((name) => sign.test(name))).map(([, language]) => language))];
}
