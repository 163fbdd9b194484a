import { dirname, join } from 'node:path';
import type { PackageFolder, TestRunner } from './model.ts';
import { namePattern, scriptTestNames } from './names.ts';
import { evidenceOf, readText, requirePackageFile, scriptEnvironment } from './packages.ts';

const command = /\bmocha\b/;
const configuration = /^\.mocharc\.([cm]?js|json|jsonc|ya?ml)$/;

export const mocha: TestRunner = {
  id: 'mocha',
  detect: (file) => evidenceOf(file, { configuration, key: 'mocha', command, packageName: 'mocha' }),
  command: (file, { folder }, name) => {
    const bin = requirePackageFile(file, 'mocha', 'bin/mocha.js');
    const args = [
      '--timeout',
      '0',
      ...(name === undefined ? [] : ['-g', namePattern(name, scriptTestNames(file.text))]),
    ];
    const env = scriptEnvironment(file, command);
    const configured = file.folders.find(({ path }) => path === folder);
    if (configured === undefined || !namesSpecs(configured))
      return { program: bin, args: [file.path, ...args], env, cwd: folder };
    return { runtimeArgs: ['-e', onlyThisFile, dirname(dirname(bin)), file.path], args, env, cwd: folder };
  },
  isOver: (output) => /^\s*\d+ passing/m.test(output),
  ranNothing: (output) => /^\s*0 passing/m.test(output) && !/^\s*\d+ failing/m.test(output),
};

/** mocha adds the files that a configuration names to those of the command line. */
function namesSpecs({ path, files, manifest }: PackageFolder): boolean {
  const texts = [...files].filter((name) => configuration.test(name)).map((name) => readText(join(path, name)) ?? '');
  if (manifest?.['mocha'] !== undefined) texts.push(JSON.stringify(manifest['mocha']));
  return texts.some((text) => /\bspec\b["']?\s*:/.test(text) && !/node-option|nodeOption/.test(text));
}

/** What mocha's own program does, with the files of the configuration left out. */
const onlyThisFile = `const [folder, file, ...args] = process.argv.slice(1);
const options = require(folder + '/lib/cli/options').loadOptions(args);
require(folder + '/lib/cli/cli').main([], { ...options, spec: [file], _: [file] });`;
