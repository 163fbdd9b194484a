import { byHand } from '../../installers/byHand.ts';
import type { LanguageId } from '../../../../base/languages/table.ts';
import type { EngineDeclaration, FindContext } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { inProject, onPath, packageVersion } from '../../programs.ts';

/** Test runners belong to the project: Sightline finds them and never installs one. */
export const testRunners: readonly EngineDeclaration[] = [
  runner('vitest', 'Vitest', 'typescript', 'npm install --save-dev vitest', {
    find: [inProject('node_modules/vitest/vitest.mjs')],
    start: (path) => [process.execPath, path],
    probe: packageVersion,
  }),
  runner('jest', 'Jest', 'typescript', 'npm install --save-dev jest', {
    find: [inProject('node_modules/jest/bin/jest.js')],
    start: (path) => [process.execPath, path],
    probe: packageVersion,
  }),
  runner('mocha', 'Mocha', 'typescript', 'npm install --save-dev mocha', {
    find: [inProject('node_modules/mocha/bin/mocha.js'), inProject('node_modules/mocha/bin/mocha')],
    start: (path) => [process.execPath, path],
    probe: packageVersion,
  }),
  runner('node-test', 'node:test', 'typescript', 'install Node.js 20 or newer (https://nodejs.org)', {
    find: [onPath('node'), { source: 'bundled', paths: () => [process.execPath] }],
    start: (path) => [path, '--test'],
    probe: versionFrom(['--version'], /v(\d+\.\d+\.\d+)/),
  }),
  runner('pytest', 'pytest', 'python', 'python3 -m pip install pytest', {
    find: [{ source: 'project', paths: interpreter }],
    start: (path) => [path, '-m', 'pytest'],
    probe: versionFrom(['-m', 'pytest', '--version'], /pytest (\d+\.\d+\.\d+)/),
  }),
  runner('unittest', 'unittest', 'python', 'sudo apt-get install python3', {
    find: [{ source: 'project', paths: interpreter }],
    start: (path) => [path, '-m', 'unittest'],
    probe: versionFrom(['-c', 'import sys, unittest; print(sys.version.split()[0])']),
  }),
  runner('go-test', 'go test', 'go', 'sudo apt-get install golang-go (newer: https://go.dev/dl)', {
    find: [onPath('go')],
    start: (path) => [path, 'test'],
    probe: versionFrom(['version'], /go(\d+\.\d+(?:\.\d+)?)/),
  }),
  runner('cargo-test', 'cargo test', 'rust', 'https://rustup.rs', {
    find: [onPath('cargo')],
    start: (path) => [path, 'test'],
    probe: versionFrom(['--version']),
  }),
  runner('cargo-nextest', 'cargo nextest', 'rust', 'cargo install cargo-nextest --locked', {
    find: [onPath('cargo-nextest')],
    start: (path) => [path, 'nextest', 'run'],
    probe: versionFrom(['--version']),
  }),
  runner('ctest', 'CTest', 'cpp', 'sudo apt-get install cmake', {
    find: [onPath('ctest')],
    start: (path) => [path],
    probe: versionFrom(['--version']),
  }),
  // Asking a wrapper for its version would make it download itself.
  runner('maven', 'Maven', 'java', 'sudo apt-get install maven', {
    find: [inProject('mvnw'), onPath('mvn')],
    start: (path) => [path, 'test'],
    probe: async (path, context) => (path.endsWith('mvnw') ? undefined : versionFrom(['--version'])(path, context)),
  }),
  runner('gradle', 'Gradle', 'java', 'sudo apt-get install gradle', {
    find: [inProject('gradlew'), onPath('gradle')],
    start: (path) => [path, 'test'],
    probe: async (path, context) =>
      path.endsWith('gradlew') ? undefined : versionFrom(['--version'], /Gradle (\d+\.\d+)/)(path, context),
  }),
];

function runner(
  id: string,
  title: string,
  language: LanguageId,
  command: string,
  how: Pick<EngineDeclaration, 'find' | 'start' | 'probe'>,
): EngineDeclaration {
  const install = byHand('A test runner belongs to the project.', { linux: command });
  return { id, title, role: 'testRunner', languages: [language], optional: true, ...how, install };
}

async function interpreter(context: FindContext): Promise<string[]> {
  const python = await context.locate('python');
  return python.found ? [python.path] : [];
}
