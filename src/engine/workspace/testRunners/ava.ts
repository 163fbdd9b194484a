import { relative } from 'node:path';
import type { TestRunner } from './model.ts';
import { nameParts, scriptTestNames } from './names.ts';
import { evidenceOf, requirePackageFile, scriptEnvironment } from './packages.ts';

const command = /\bava\b/;

export const ava: TestRunner = {
  id: 'ava',
  detect: (file) =>
    evidenceOf(file, {
      configuration: /^ava\.config\.[cm]?js$/,
      key: 'ava',
      command,
      packageName: 'ava',
    }),
  command: (file, { folder }, name) => ({
    program: requirePackageFile(file, 'ava', 'entrypoints/cli.mjs'),
    args: [
      relative(folder, file.path),
      '--serial',
      '--timeout=24h',
      // A star in the name matches itself like anything else.
      ...(name === undefined ? [] : [`--match=${nameParts(name, scriptTestNames(file.text)).at(-1) ?? name}`]),
    ],
    env: scriptEnvironment(file, command),
    cwd: folder,
  }),
  isOver: (output) => /^\s*\d+ tests? (?:passed|failed)/m.test(output),
  ranNothing: (output) => /Couldn.t find any (matching )?tests/.test(output),
};
