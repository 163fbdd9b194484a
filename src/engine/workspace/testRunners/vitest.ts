import type { TestRunner } from './model.ts';
import { namePattern, scriptTestNames } from './names.ts';
import { evidenceOf, requirePackageFile, scriptEnvironment } from './packages.ts';

const command = /\bvitest\b/;

export const vitest: TestRunner = {
  id: 'vitest',
  detect: (file) =>
    evidenceOf(file, {
      speech: /\bvi\s*\.\s*(fn|mock|spyOn|useFakeTimers|hoisted|stubGlobal)\b/,
      configuration: /^vitest\.(config|workspace|projects)\.[cm]?[jt]s(on)?$/,
      command,
      packageName: 'vitest',
    }),
  /** One process, no time-outs: a paused test takes as long as it takes. */
  command: (file, { folder }, name) => ({
    program: requirePackageFile(file, 'vitest', 'vitest.mjs'),
    args: [
      'run',
      file.path,
      '--pool=forks',
      '--no-file-parallelism',
      '--testTimeout=0',
      '--hookTimeout=0',
      '--teardownTimeout=1000',
      '--coverage.enabled=false',
      ...(name === undefined ? [] : ['-t', namePattern(name, scriptTestNames(file.text))]),
    ],
    env: scriptEnvironment(file, command),
    cwd: folder,
  }),
  isOver: (output) => /^\s*Duration {2}/m.test(output),
  ranNothing: (output) => /^\s*Tests {2}(?!.*\b(passed|failed|todo)\b).*$/m.test(output),
};
