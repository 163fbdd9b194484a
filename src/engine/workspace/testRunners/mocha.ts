import { dirname, join } from 'node:path';
import { assetPath } from '../../../base/assets.ts';
import { nodeCoverage } from './coverageOptions.ts';
import type { PackageFolder, ScriptRun, TestRunner } from './model.ts';
import { namePattern, scriptTestNames } from './names.ts';
import { evidenceOf, findPackageFile, packageFileFrom, readText, scriptEnvironment } from './packages.ts';
import { type OptionRules, scriptCall, sortedArguments } from './scriptCall.ts';
import { selectedPattern } from './selectedNames.ts';

const command = /\bmocha\b/;
const configuration = /^\.mocharc\.([cm]?js|json|jsonc|ya?ml)$/;

export const mocha: TestRunner = {
  id: 'mocha',
  detect: (file) => evidenceOf(file, { configuration, key: 'mocha', command, packageName: 'mocha' }),
  command: (file, { folder }, name) => {
    const bin = binary(dirname(file.path));
    const args = [
      ...scriptOptions(file.folders),
      '--timeout',
      '0',
      ...(name === undefined ? [] : ['-g', namePattern(name, scriptTestNames(file.text))]),
    ];
    const env = scriptEnvironment(file, command);
    const configured = file.folders.find(({ path }) => path === folder);
    if (configured === undefined || !namesSpecs(configured))
      return { program: bin, args: [file.path, ...args], env, cwd: folder };
    return {
      runtimeArgs: ['-e', onlyTheseFiles, dirname(dirname(bin)), JSON.stringify([file.path])],
      args,
      env,
      cwd: folder,
    };
  },
  isOver: (output) => /^\s*\d+ passing/m.test(output),
  ranNothing: (output) => /^\s*0 passing/m.test(output) && !/^\s*\d+ failing/m.test(output),
};

/** Up to version 7 the program has no extension. */
function binary(folder: string): string {
  return findPackageFile(folder, 'mocha', 'bin/mocha.js') ?? packageFileFrom(folder, 'mocha', 'bin/mocha');
}

/** What the project's own script runs mocha with: `--require @babel/register`. */
function scriptOptions(folders: readonly PackageFolder[]): string[] {
  const call = folders.map((folder) => scriptCall(folder, command)).find((each) => each !== undefined);
  const { options } = sortedArguments(call?.args ?? [], { ...rules, unwanted: unwantedAlone });
  return options;
}

/** mocha adds the files that a configuration names to those of the command line. */
function namesSpecs({ path, files, manifest }: PackageFolder): boolean {
  const texts = [...files].filter((name) => configuration.test(name)).map((name) => readText(join(path, name)) ?? '');
  if (manifest?.['mocha'] !== undefined) texts.push(JSON.stringify(manifest['mocha']));
  return texts.some((text) => /\bspec\b["']?\s*:/.test(text) && !/node-option|nodeOption/.test(text));
}

/** What mocha's own program does, with the files of the configuration left out. */
const onlyTheseFiles = `const [folder, files, ...args] = process.argv.slice(1);
const options = require(folder + '/lib/cli/options').loadOptions(args);
require(folder + '/lib/cli/cli').main([], { ...options, spec: JSON.parse(files), _: JSON.parse(files) });`;

const rules: OptionRules = {
  unwanted: /^(?:-R|-O|-w|--(?:reporter|reporter-options?|watch\w*|parallel|inspect\w*))\b/,
  withValue:
    /^(?:-R|-O|-r|-t|-g|-f|-s|-u|-n|-j|--(?:reporter|reporter-options?|require|import|loader|timeout|grep|fgrep|slow|ui|config|package|file|ignore|extension|exclude|retries|jobs|node-option|spec))$/,
};

/** Of one test, run by itself: also nothing that picks tests, or ends it. */
const unwantedAlone = new RegExp(
  `${rules.unwanted.source}|^(?:-t|-g|-f|--(?:timeout|grep|fgrep|recursive|spec|bail|forbid-only))\\b`,
);

export const mochaRun: ScriptRun = {
  command,
  collect: async (request, manifest) => {
    const plan = await mochaRun.plan(request, manifest);
    return { ...plan, command: [...plan.command, '--dry-run'] };
  },
  plan: async (request, manifest) => {
    const { selection, eventsFile, locate } = request;
    const { folder } = request.package;
    const coverageOptions = nodeCoverage(request);
    const call = scriptCall(manifest, command);
    const { options, names } = sortedArguments(call?.args ?? [], rules);
    const pattern = selectedPattern(selection);
    const bin = binary(folder);
    const { files } = selection;
    const isNarrowed = files !== undefined && namesSpecs(manifest);
    return {
      command: [
        await locate('node'),
        ...(isNarrowed ? ['-e', onlyTheseFiles, dirname(dirname(bin)), JSON.stringify(files)] : [bin]),
        ...options,
        ...(isNarrowed ? [] : (files ?? names)),
        '--reporter',
        assetPath('reporters/mocha.cjs'),
        ...(pattern === undefined ? [] : ['-g', pattern]),
      ],
      cwd: folder,
      env: { ...call?.env, ...coverageOptions.env, SIGHTLINE_TEST_EVENTS: eventsFile },
      ...coverageOptions.plan,
    };
  },
};
