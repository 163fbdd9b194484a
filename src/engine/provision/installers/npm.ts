import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { joinArguments } from '../../../base/commandLine.ts';
import type { FindContext, Installer } from '../model.ts';
import { npmPin, type NpmSubject } from '../pins.ts';
import { isExecutable, programsOnPath } from '../programs.ts';
import { runClient } from './client.ts';

interface NpmPackage {
  name: string;
  version: string;
  /** Relative to the package. */
  entry: string;
  /** Packages it needs beside it. */
  also?: readonly string[];
  flags?: readonly string[];
}

/** Installs with the person's own npm and its settings (registry, proxy, certificates), by a lock; install scripts are not run. */
export function npmInstall(wanted: NpmPackage): Installer {
  const packages = [`${wanted.name}@${wanted.version}`, ...(wanted.also ?? [])];
  const subject: NpmSubject = { client: 'npm', packages, flags: wanted.flags ?? [] };
  return {
    version: wanted.version,
    pinned: [subject],
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
          const locked = await npmPin(subject);
          const manifest = { name: 'sightline-engine', private: true, ...(locked[''] as object) };
          const lock = { name: manifest.name, lockfileVersion: 3, requires: true, packages: locked };
          await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
          await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
          const command = [npm, 'ci', ...npmFlags, ...subject.flags, '--prefix', folder];
          await runClient('npm', command, context, { cwd: folder });
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
  '--package-lock',
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
