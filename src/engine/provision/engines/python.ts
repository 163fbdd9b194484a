import { join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import type { EngineDeclaration, FindContext, Finder, ProbeAnswer } from '../model.ts';
import { atPlaces, inProject, onPath } from '../programs.ts';
import { byHand } from '../installers/byHand.ts';
import { failureOf } from '../probes.ts';

/** The project's interpreter: what its programs run with, and what debugpy is injected into. */
export const python: EngineDeclaration = {
  id: 'python',
  title: 'Python',
  role: 'toolchain',
  languages: ['python'],
  minimumVersion: '3.8',
  find: [
    activeEnvironment(),
    inProject('.venv/bin/python', 'venv/bin/python', 'env/bin/python', '.venv/Scripts/python.exe'),
    onPath('python3', 'python'),
    atPlaces('/usr/bin/python3', '/usr/local/bin/python3', '/opt/homebrew/bin/python3'),
  ],
  start: (path) => [path],
  probe: probePython,
  install: byHand('Python is not installed by Sightline.', {
    linux: 'sudo apt-get install python3 python3-pip',
    darwin: 'brew install python',
    win32: 'winget install Python.Python.3.13',
  }),
};

/** The environment the client had activated when it opened the project. */
function activeEnvironment(): Finder {
  return {
    source: 'project',
    paths: ({ env }) =>
      [env['VIRTUAL_ENV'], env['CONDA_PREFIX']]
        .filter((folder) => folder !== undefined && folder !== '')
        .map((folder) => join(folder ?? '', 'bin', 'python')),
  };
}

async function probePython(path: string, context: FindContext): Promise<ProbeAnswer> {
  // `-I -S` keep the project's modules and start-up hooks out of this question; the folder matters to version managers.
  const code = 'import sys; print("%d.%d.%d" % sys.version_info[:3]); print(sys.executable)';
  const result = await context.run([path, '-I', '-S', '-c', code], { cwd: context.project?.root });
  if (result.code !== 0) throw new ToolError('engine_failed', `${path} ${failureOf(result)}`);
  const [version = '', executable = ''] = result.stdout.split(/\r?\n/);
  const isStandIn = path.includes('/shims/') && executable !== '';
  return { version, path: isStandIn ? executable : path };
}
