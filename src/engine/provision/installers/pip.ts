import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinArguments } from '../../../base/commandLine.ts';
import type { FindContext, InstallContext, InstallRefusal, Installer } from '../model.ts';
import { pipPin, type PipSubject } from '../pins.ts';
import { programsOnPath } from '../programs.ts';
import { runClient } from './client.ts';

interface PipPackage {
  name: string;
  version: string;
  /** Relative to the folder it is installed into. */
  entry: string;
  dependencies?: boolean;
  /** For this Python instead of the one that runs pip. */
  pythonVersion?: string;
  /** More to do in the folder once the package is there, and the further releases that needs. */
  complete?: (folder: string, pip: readonly string[], context: InstallContext) => Promise<void>;
  alsoPinned?: readonly PipSubject[];
}

/**
 * Installs with the person's own pip (or uv) and its settings into a plain folder, not into an environment: a folder can be
 * renamed into place and put on the path of any interpreter. Only ready-made wheels: nothing is built or run.
 */
export function pipInstall(wanted: PipPackage): Installer {
  const subject = pipRelease(wanted.name, wanted.version, wanted.dependencies);
  return {
    version: wanted.version,
    pinned: [subject, ...(wanted.alsoPinned ?? [])],
    plan: async (context) => {
      const pip = await findPip(context);
      if ('reason' in pip) {
        return { reason: pip.reason, manualCommand: pip.manualCommand };
      }
      return {
        version: wanted.version,
        manualCommand: joinArguments([...pip.command, 'install', subject.release]),
        entry: wanted.entry,
        run: async (folder) => {
          await runPip(pip.command, folder, subject, wanted.pythonVersion, context);
          await wanted.complete?.(folder, pip.command, context);
        },
      };
    },
  };
}

export function pipRelease(name: string, version: string, withDependencies = false): PipSubject {
  return { client: 'pip', release: `${name}==${version}`, withDependencies };
}

/** Exactly what is pinned and nothing else: pip looks for no dependencies of its own. */
export async function runPip(
  pip: readonly string[],
  folder: string,
  subject: PipSubject,
  pythonVersion: string | undefined,
  context: InstallContext,
): Promise<void> {
  const requirements = `${folder}.requirements.txt`;
  await writeFile(requirements, (await pipPin(subject)).map((line) => `${line}\n`).join(''));
  const forPython = pythonVersion === undefined ? [] : ['--python-version', pythonVersion];
  const what = ['--only-binary', ':all:', '--no-deps', '--require-hashes', '-r', requirements];
  try {
    await runClient('pip', [...pip, 'install', '--target', folder, ...pipOnly(pip), ...forPython, ...what], context, {
      cwd: join(folder, '..'),
      // A project's interpreter may be set up to refuse pip outside an environment; this folder is no environment at all.
      env: { PIP_REQUIRE_VIRTUALENV: '0', PIP_ROOT_USER_ACTION: 'ignore', PYTHONDONTWRITEBYTECODE: '1' },
    });
  } finally {
    await rm(requirements, { force: true });
  }
}

function pipOnly(pip: readonly string[]): string[] {
  return pip.includes('pip') && pip.length > 2 ? ['--no-compile', '--no-input', '--progress-bar', 'off'] : [];
}

export async function findPip(context: FindContext): Promise<{ command: readonly string[] } | InstallRefusal> {
  const python = await context.locate('python');
  if (!python.found) {
    return { reason: 'Python 3.8 or newer was not found.', manualCommand: python.installCommand };
  }
  if (await hasPip(python.path, context)) return { command: [python.path, '-m', 'pip'] };
  const [uv] = await programsOnPath(['uv'], context);
  if (uv !== undefined) return { command: [uv, 'pip'] };
  for (const other of await programsOnPath(['python3', 'python'], context)) {
    if (await hasPip(other, context)) return { command: [other, '-m', 'pip'] };
  }
  return {
    reason: `${python.path} has no pip, and there is no uv.`,
    manualCommand: 'sudo apt-get install python3-pip (or: python3 -m ensurepip --user)',
  };
}

/** Looks for the module instead of loading it, which takes most of a second. */
async function hasPip(python: string, context: FindContext): Promise<boolean> {
  const code = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("pip") is None)';
  return (await context.run([python, '-c', code])).code === 0;
}
