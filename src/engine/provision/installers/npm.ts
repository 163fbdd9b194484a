import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { joinArguments } from '../../../base/commandLine.ts';
import type { FindContext, Installer } from '../model.ts';
import { isExecutable, programsOnPath } from '../programs.ts';
import { runClient } from './client.ts';

export interface NpmPackage {
  name: string;
  version: string;
  /** Relative to the package. */
  entry: string;
  /** Packages it needs beside it. */
  also?: readonly string[];
  flags?: readonly string[];
}

/** Installs with the person's own npm and its settings (registry, proxy, certificates); install scripts are not run. */
export function npmInstall(wanted: NpmPackage): Installer {
  const packages = [`${wanted.name}@${wanted.version}`, ...(wanted.also ?? [])];
  return {
    version: wanted.version,
    plan: async (context) => {
      const manualCommand = joinArguments(['npm', 'install', '--global', ...packages]);
      const npm = await findNpm(context);
      if (npm === undefined) {
        return {
          reason: 'npm is not on PATH.',
          manualCommand: `install Node.js with npm (https://nodejs.org), then: ${manualCommand}`,
        };
      }
      return {
        version: wanted.version,
        manualCommand,
        entry: nodeModule(wanted.name, wanted.entry),
        run: async (folder) => {
          await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
          const flags = [...npmFlags, ...(wanted.flags ?? [])];
          await runClient('npm', [npm, 'install', ...flags, '--prefix', folder, ...packages], context, { cwd: folder });
        },
      };
    },
  };
}

export function nodeModule(name: string, entry: string): string {
  return `node_modules/${name}/${entry}`;
}

/** npm waits up to 70 seconds between its tries by default; offline that is no answer for a person. */
const npmFlags = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--no-update-notifier',
  '--omit=dev',
  '--loglevel=http',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

async function findNpm(context: FindContext): Promise<string | undefined> {
  const [onPath] = await programsOnPath(['npm'], context);
  if (onPath !== undefined) return onPath;
  const besideNode = join(dirname(process.execPath), 'npm');
  return (await isExecutable(besideNode)) ? besideNode : undefined;
}
