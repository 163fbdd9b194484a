/**
 * A language is data: the table in src/base/languages, a file per server, adapter, runner, formatter and registry. Its names and the
 * endings of its files stand there and nowhere else.
 */
const languageNames = [
  /\[cm\]|\[mc\]/,
  /\\\.(?:[jt]sx?|pyi?|go|rs|java|cpp)\b/,
  /\\\.\((?:\?:)?[^/\s]*\b(?:[jt]sx?|py|go|rs|java|cpp)\b/,
  /'\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|cpp|kt)'/,
  /'(?:typescript|javascript|python|golang|go|rust|java|cpp|typescriptreact|javascriptreact)'/,
];
const languagePlaces = [
  'src/base/languages/',
  'src/protocol/jdwp/',
  'src/engine/code/servers/',
  'src/engine/code/refactor/typescript/',
  'src/engine/code/refactor/python/',
  'src/engine/code/refactor/lsp/',
  'src/engine/code/refactor/capabilities.ts',
  'src/engine/code/refactor/refactorers.ts',
  'src/engine/code/formatting/formatters/',
  'src/engine/code/problems/linters/',
  'src/engine/code/syntax/languages/',
  'src/engine/code/textual/syntaxQueries.ts',
  'src/engine/code/queries/library/packageFiles.ts',
  'src/engine/debugger/adapters/',
  'src/engine/debugger/targets/node/',
  'src/engine/debugger/targets/jvm/',
  'src/engine/provision/engines/',
  'src/engine/provision/installers/',
  'src/engine/provision/jdks.ts',
  'src/engine/provision/pythonEnvironments.ts',
  'src/engine/workspace/testRunners/',
  'src/engine/workspace/sources/',
  'src/engine/workspace/dependencies/',
  'src/engine/workspace/coverage/formats/',
  // What each kind of project and of configuration file is, one line or function per ecosystem.
  'src/engine/workspace/projectInfo/',
  'src/engine/workspace/executableConfig.ts',
  'src/engine/workspace/runConfigs/launchTypes.ts',
  'src/engine/workspace/runConfigs/ideaTypes.ts',
  'src/engine/workspace/runConfigs/detected.ts',
  'src/engine/workspace/runConfigs/pyprojectScripts.ts',
  'src/engine/workspace/runConfigs/vscodeTasks.ts',
];

/** The lines of a source file that name a language, though it is no file of one. */
export function languageNamesIn(path, text) {
  if (/\.test\.tsx?$/.test(path) || languagePlaces.some((place) => path.startsWith(place))) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      !/^\s*(\/\/|\*|\/\*)|^import /.test(line) && languageNames.some((pattern) => pattern.test(line))
        ? [index + 1]
        : [],
    );
}
