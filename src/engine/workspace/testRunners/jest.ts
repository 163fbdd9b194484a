import { isScriptFile } from '../../../base/languages/byPath.ts';
import { assetPath } from '../../../base/assets.ts';
import { jestCoverage } from './coverageOptions.ts';
import type { ScriptRun, TestRunner } from './model.ts';
import { escaped, namePattern, scriptTestNames } from './names.ts';
import { evidenceOf, installedVersion, packageFileFrom, requirePackageFile, scriptEnvironment } from './packages.ts';
import { type OptionRules, scriptCall, sortedArguments } from './scriptCall.ts';
import { selectedPattern } from './selectedNames.ts';

const command = /\bjest\b/;

export const jest: TestRunner = {
  id: 'jest',
  detect: (file) =>
    evidenceOf(file, {
      imports: ['@jest/globals'],
      speech: /\bjest\s*\.\s*(fn|mock|spyOn|useFakeTimers)\b/,
      configuration: /^jest\.config\.([cm]?[jt]s|json)$/,
      key: 'jest',
      command,
      packageName: 'jest',
    }),
  command: (file, { folder }, name) => ({
    program: requirePackageFile(file, 'jest', 'bin/jest.js'),
    args: [
      '--runInBand',
      '--runTestsByPath',
      file.path,
      '--coverage=false',
      // Older ones refuse options that they do not know.
      ...((installedVersion(file, 'jest') ?? 30) >= 24.09 ? ['--testTimeout=86400000'] : []),
      '--watchAll=false',
      ...(name === undefined ? [] : ['-t', namePattern(name, scriptTestNames(file.text))]),
    ],
    env: scriptEnvironment(file, command),
    cwd: folder,
  }),
  isOver: (output) => /^Ran all test suites/m.test(output),
  ranNothing: (output) => /^Tests:\s+(?!.*\b(passed|failed)\b).*$/m.test(output),
};

const rules: OptionRules = {
  unwanted: /^--(?:reporters|json|outputFile|coverage\w*|collectCoverage\w*|watch\w*|verbose|silent)\b|^--notify/,
  withValue:
    /^(?:-c|-t|-w|-e|--(?:config|rootDir|maxWorkers|env|testEnvironment|testPathPatterns?|testPathIgnorePatterns|selectProjects|projects|testNamePattern|testTimeout|shard|outputFile|reporters|coverageDirectory))$/,
};

export const jestRun: ScriptRun = {
  command,
  plan: async (request, manifest) => {
    const { selection, eventsFile, locate } = request;
    const { folder } = request.package;
    const coverageOptions = jestCoverage(request);
    const call = scriptCall(manifest, command);
    const { options, names } = sortedArguments(call?.args ?? [], rules);
    const pattern = selectedPattern(selection);
    const files = selection.files;
    // Folders are patterns of paths; files are named exactly.
    const isExact = files?.every((file) => isScriptFile(file)) === true;
    return {
      command: [
        await locate('node'),
        ...nodeOptions(call?.before ?? []),
        packageFileFrom(folder, 'jest', 'bin/jest.js'),
        ...options,
        `--reporters=${assetPath('reporters/jest.cjs')}`,
        '--testLocationInResults',
        ...coverageOptions.args,
        '--watchAll=false',
        ...(pattern === undefined ? [] : ['-t', pattern]),
        ...(files === undefined ? names : isExact ? ['--runTestsByPath', ...files] : files.map(escaped)),
      ],
      cwd: folder,
      env: { ...call?.env, SIGHTLINE_TEST_EVENTS: eventsFile },
      ...coverageOptions.plan,
    };
  },
};

/** `node --experimental-vm-modules node_modules/jest/bin/jest.js`: the options are needed as much as the runner's. */
function nodeOptions(before: readonly string[]): string[] {
  return before.filter((word) => /^--(?:experimental|no-|max|import|require|loader)/.test(word));
}
