import { cp, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CancelledError, ToolError, errorMessage } from '../../../../base/errors.ts';
import type { EngineDeclaration, FindContext, Finder, InstallContext } from '../../model.ts';
import { compareVersions, inEditorExtensions } from '../../programs.ts';
import { ForeignBytesError } from '../../installers/client.ts';
import { pipInstall, pipRelease, runPip } from '../../installers/pip.ts';
import { failureOf } from '../../probes.ts';

const version = '1.8.22';
const versionForOldPython = '1.8.21';
const oldPythonFolder = 'py38';

/**
 * A folder to put on PYTHONPATH of the project's Python, so that nothing has to be installed into its environment. The
 * compiled parts carry the interpreter's version in their names, so those for every version lie side by side; an
 * interpreter without one runs the same code uncompiled. Python 3.8 and 3.9 need the last release made for them, which
 * lies in a folder of its own inside.
 */
export const debugpy: EngineDeclaration = {
  id: 'debugpy',
  title: 'debugpy',
  role: 'debugger',
  languages: ['python'],
  minimumVersion: '1.8.0',
  find: [inCacheForInterpreter(), inEditorExtensions('ms-python.debugpy-*/bundled/libs')],
  start: () => [],
  // Read, not imported: this is asked before each launch, and an interpreter takes longer to start than to answer.
  probe: async (folder) =>
    /"version":\s*"([^"]+)"/.exec(await readFile(join(folder, 'debugpy', '_version.py'), 'utf8'))?.[1],
  verify: importsDebugpy,
  install: pipInstall({
    name: 'debugpy',
    version,
    entry: 'debugpy/__init__.py',
    pythonVersion: '3.12',
    complete: addOtherVersions,
    alsoPinned: [pipRelease('debugpy', versionForOldPython)],
  }),
};

function inCacheForInterpreter(): Finder {
  return {
    source: 'cache',
    paths: async (context) => {
      const { installed } = context;
      if (installed === undefined) return [];
      const python = await context.locate('python');
      const isOld = python.found && python.version !== undefined && compareVersions(python.version, '3.10') < 0;
      return [isOld ? join(installed, oldPythonFolder) : installed];
    },
  };
}

async function addOtherVersions(folder: string, pip: readonly string[], context: InstallContext): Promise<void> {
  const old = join(folder, oldPythonFolder);
  await mkdir(old);
  // The first for old interpreters lays the folder out; after that only compiled parts are added, in any order.
  await addCompiledParts(old, versionForOldPython, '3.8', pip, context);
  const others = [
    () => addCompiledParts(old, versionForOldPython, '3.9', pip, context),
    ...['3.10', '3.11', '3.13', '3.14'].map((python) => () => addCompiledParts(folder, version, python, pip, context)),
  ];
  // Most of the time is spent in starting pip, so a few run side by side.
  const lanes = Array.from({ length: 3 }, async () => {
    for (let next = others.shift(); next !== undefined; next = others.shift()) await next();
  });
  // All of them have ended before the folder may go, also when one fails.
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** A mirror may lack a wheel for some Python: that Python is then slower, or not debugged, and the others are as good as ever. */
async function addCompiledParts(
  folder: string,
  release: string,
  python: string,
  pip: readonly string[],
  context: InstallContext,
): Promise<void> {
  const wheel = await mkdtemp(join(dirname(folder), '.wheel-'));
  try {
    await runPip(pip, wheel, pipRelease('debugpy', release), python, context);
    const isFirst = (await readdir(folder)).length === 0;
    const files = isFirst ? ['.'] : await compiledFiles(wheel);
    for (const file of files) await cp(join(wheel, file), join(folder, file), { recursive: true });
  } catch (error) {
    if (error instanceof CancelledError || error instanceof ForeignBytesError || context.signal?.aborted) throw error;
    context.progress(`no compiled parts for Python ${python}: ${errorMessage(error)}`);
  } finally {
    await rm(wheel, { recursive: true, force: true });
  }
}

async function compiledFiles(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(cpython-\d+-.*\.so|cp\d+-.*\.pyd)$/.test(name),
  );
}

async function importsDebugpy(folder: string, context: FindContext): Promise<void> {
  const interpreter = await context.locate('python');
  if (!interpreter.found) throw new ToolError('engine_failed', interpreter.reason);
  const result = await context.run([interpreter.path, '-c', 'import debugpy, debugpy.adapter'], {
    cwd: folder,
    env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (result.code !== 0) throw new ToolError('engine_failed', `debugpy does not load: ${failureOf(result)}`);
}
