import { readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { pipInstall } from '../../installers/pip.ts';
import type { EngineDeclaration, FindContext, ProbeAnswer } from '../../model.ts';
import { failureOf } from '../../probes.ts';
import { inCache } from '../../programs.ts';

/** A library: the project's Python may have it; otherwise our folder goes last on its path, and nothing is installed into its environment. */
export const coveragePy: EngineDeclaration = {
  id: 'coverage',
  title: 'coverage.py',
  role: 'testRunner',
  languages: ['python'],
  optional: true,
  find: [{ source: 'project', paths: interpreter }, inCache('.')],
  start: () => [],
  probe: async (path, context) => {
    const isFolder = (await stat(path)).isDirectory();
    return isFolder ? { path, version: await versionIn(path) } : importedBy(path, context);
  },
  install: pipInstall({ name: 'coverage', version: '7.17.3', entry: 'coverage/__init__.py' }),
};

async function interpreter(context: FindContext): Promise<string[]> {
  const python = await context.locate('python');
  return python.found ? [python.path] : [];
}

async function importedBy(python: string, context: FindContext): Promise<ProbeAnswer> {
  const code = 'import coverage; print(coverage.__version__); print(coverage.__file__)';
  const result = await context.run([python, '-c', code]);
  const [version = '', file = ''] = result.stdout.trim().split('\n');
  if (result.code !== 0 || file === '') throw new ToolError('engine_missing', `${python}: ${failureOf(result)}`);
  return { version, path: dirname(dirname(file.trim())) };
}

async function versionIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  const version = names.map((name) => /^coverage-(.*)\.dist-info$/.exec(name)?.[1]).find((each) => each !== undefined);
  if (version === undefined) throw new ToolError('engine_failed', `${folder} holds no coverage.py.`);
  return version;
}
