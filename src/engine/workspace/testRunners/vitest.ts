import { join, parse } from 'node:path';
import { assetPath } from '../../../base/assets.ts';
import { vitestCoverage } from './coverageOptions.ts';
import type { ScriptRun, TestRunner } from './model.ts';
import { namePattern, scriptTestNames } from './names.ts';
import {
  evidenceOf,
  packageFileFrom,
  packageFolder,
  readText,
  requirePackageFile,
  scriptEnvironment,
} from './packages.ts';
import { type OptionRules, scriptCall, sortedArguments } from './scriptCall.ts';
import { selectedPattern } from './selectedNames.ts';

const command = /\bvitest\b/;
const configuration = /^vite(st)?\.(config|workspace|projects)\.[cm]?[jt]s(on)?$/;

/** A configuration, or something that one of the folder's names: a global set-up, a plug-in. */
function isConfiguration(path: string, folder: string): boolean {
  const { name, base } = parse(path);
  if (configuration.test(base)) return true;
  const texts = [...packageFolder(folder).files].filter((file) => configuration.test(file));
  return texts.some((file) => readText(join(folder, file))?.includes(name) === true);
}

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
    starterRuns: (path) => isConfiguration(path, folder),
  }),
  isOver: (output) => /^\s*Duration {2}/m.test(output),
  /** A suite whose hook fails has no failed test. */
  ranNothing: (output) =>
    /^\s*Tests {2}(?!.*\b(passed|failed|todo)\b).*$/m.test(output) && !/^\s*Test Files {2}.*\bfailed\b/m.test(output),
};

const rules: OptionRules = {
  unwanted: /^--(?:reporter|outputFile|coverage|watch|ui|open|inspect|silent|run)\b|^-w$/,
  withValue:
    /^(?:-c|-r|-t|--(?:config|root|dir|project|mode|pool|environment|shard|maxWorkers|minWorkers|workspace|exclude|testNamePattern|testTimeout|hookTimeout|retry|bail|reporter|outputFile|sequence\.\w+))$/,
};

export const vitestRun: ScriptRun = {
  command,
  plan: async (request, manifest) => {
    const { selection, eventsFile, locate } = request;
    const { folder } = request.package;
    const coverageOptions = vitestCoverage(request);
    const call = scriptCall(manifest, command);
    const { options, names } = sortedArguments(call?.args ?? [], rules);
    const pattern = selectedPattern(selection);
    return {
      command: [
        await locate('node'),
        packageFileFrom(folder, 'vitest', 'vitest.mjs'),
        'run',
        ...options,
        ...(selection.files ?? names.filter((name) => !/^(run|watch|dev)$/.test(name))),
        `--reporter=${assetPath('reporters/vitest.mjs')}`,
        ...coverageOptions.args,
        ...(pattern === undefined ? [] : ['-t', pattern]),
      ],
      cwd: folder,
      env: { ...call?.env, ...coverageOptions.env, SIGHTLINE_TEST_EVENTS: eventsFile },
      ...coverageOptions.plan,
    };
  },
};
