import type { TestRunner } from './model.ts';
import { namePattern, scriptTestNames } from './names.ts';
import { evidenceOf, requirePackageFile, scriptEnvironment } from './packages.ts';

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
      '--testTimeout=86400000',
      '--watchAll=false',
      ...(name === undefined ? [] : ['-t', namePattern(name, scriptTestNames(file.text))]),
    ],
    env: scriptEnvironment(file, command),
    cwd: folder,
  }),
  isOver: (output) => /^Ran all test suites/m.test(output),
  ranNothing: (output) => /^Tests:\s+(?!.*\b(passed|failed)\b).*$/m.test(output),
};
