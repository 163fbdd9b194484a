import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPip, pipRelease, runPip } from '../../installers/pip.ts';
import type { EngineDeclaration, FindContext, InstallContext, Installer } from '../../model.ts';
import { answersInitialize, versionFrom } from '../../probes.ts';
import { inCache, isExecutable, onPath, programsOnPath } from '../../programs.ts';

const release = pipRelease('gdb-for-pwndbg', '18.1.0.post1');
const oldestPython = [3, 10];
const newestPython = [3, 14];

/**
 * Our own copy comes from PyPI: a whole gdb, without root rights. Older ones are passed over: their debug adapter lacks what ours is built
 * on, and Debian's 13 cannot stop every program.
 */
export const gdb: EngineDeclaration = {
  id: 'gdb',
  title: 'gdb',
  role: 'debugger',
  languages: ['cpp', 'rust'],
  minimumVersion: '18',
  find: [inCache('bin/gdb'), onPath('gdb')],
  start: (path) => [path, '-nx', '-q', '-i=dap'],
  probe: versionFrom(['-nx', '--version'], /gdb\)? .*?(\d+\.\d+)/i),
  verify: (path, context, scratch) =>
    answersInitialize([path, '-nx', '-q', '-i=dap'], scratch, context, { protocol: 'dap' }),
  install: fromPypi(),
};

function fromPypi(): Installer {
  return {
    version: '18.1',
    pinned: [release],
    plan: async (context) => {
      const manualCommand = `python3 -m venv gdb && gdb/bin/pip install ${release.release} (or a gdb from version 18 on, on PATH)`;
      const python = await pythonWithLibrary(context);
      if (python === undefined)
        return {
          reason: 'gdb needs a Python 3.10 to 3.14 with its shared library (libpython3.X.so), and none was found.',
          manualCommand: 'sudo apt-get install python3 libpython3-dev',
        };
      const pip = await findPip(context);
      if ('reason' in pip) return { reason: pip.reason, manualCommand: pip.manualCommand };
      return {
        version: '18.1',
        manualCommand,
        entry: 'bin/gdb',
        run: (folder, running) => install(folder, python, pip.command, running),
      };
    },
  };
}

interface Python {
  path: string;
  version: string;
}

async function install(folder: string, python: Python, pip: readonly string[], context: InstallContext): Promise<void> {
  await runPip(pip, folder, release, python.version, context);
  await mkdir(join(folder, 'bin'), { recursive: true });
  const starter = join(folder, 'bin', 'gdb');
  // Isolated: what lies in the folder that is debugged is no module of gdb's.
  const code = 'import sys; sys.path.insert(0, sys.argv.pop(1)); from gdb_for_pwndbg.gdb import main; main()';
  const lines = ['#!/bin/sh', `exec '${python.path}' -I -c '${code}' "$(dirname "$0")/.." "$@"`, ''];
  await writeFile(starter, lines.join('\n'));
  await chmod(starter, 0o755);
}

/** gdb is linked to the library of the interpreter; many builds of Python (pyenv's) have none. */
async function pythonWithLibrary(context: FindContext): Promise<Python | undefined> {
  const names = ['python3', ...['14', '13', '12', '11', '10'].map((minor) => `python3.${minor}`)];
  for (const path of ['/usr/bin/python3', ...(await programsOnPath(names, context))]) {
    if (!(await isExecutable(path))) continue;
    const { code, stdout } = await context.run([path, '-I', '-S', '-c', libraryQuestion]);
    const [version = '', found = ''] = stdout.trim().split('\n');
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const fits = major === oldestPython[0] && minor >= (oldestPython[1] ?? 0) && minor <= (newestPython[1] ?? 0);
    if (code === 0 && found === 'True' && fits) return { path, version };
  }
  return undefined;
}

const libraryQuestion = [
  'import ctypes, sys, sysconfig',
  'print("%d.%d" % sys.version_info[:2])',
  'name = sysconfig.get_config_var("INSTSONAME") or ""',
  'try:',
  '    ctypes.CDLL(name if ".so" in name or ".dylib" in name else "/nothing")',
  '    print(True)',
  'except OSError:',
  '    print(False)',
].join('\n');
