import { ToolError } from '../../../../base/errors.ts';
import type { EngineDeclaration, FindContext, ProbeAnswer } from '../../model.ts';
import { atPlaces, onPath } from '../../programs.ts';
import { byHand } from '../../installers/byHand.ts';
import { failureOf } from '../../probes.ts';
import { pythonEnvironments } from '../../pythonEnvironments.ts';

/** The project's interpreter: what its programs run with, and what debugpy is injected into. */
export const python: EngineDeclaration = {
  id: 'python',
  title: 'Python',
  role: 'toolchain',
  languages: ['python'],
  minimumVersion: '3.8',
  find: [
    { source: 'project', paths: pythonEnvironments },
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

async function probePython(path: string, context: FindContext): Promise<ProbeAnswer> {
  // `-I -S` keep the project's modules and start-up hooks out of this question; the folder matters to version managers.
  const code = 'import sys; print("%d.%d.%d" % sys.version_info[:3]); print(sys.executable)';
  const result = await context.run([path, '-I', '-S', '-c', code], { cwd: context.project?.root });
  if (result.code !== 0) throw new ToolError('engine_failed', `${path} ${failureOf(result)}`);
  const [version = '', executable = ''] = result.stdout.split(/\r?\n/);
  const isStandIn = path.includes('/shims/') && executable !== '';
  return { version, path: isStandIn ? executable : path };
}
