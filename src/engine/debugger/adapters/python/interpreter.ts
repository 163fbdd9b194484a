import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { childEnvironment, ManagedProcess } from '../../../../base/processes.ts';
import type { Project } from '../../../workspace/project.ts';

const known = new Map<string, string>();

/**
 * The interpreter itself behind a version manager's shim. A shim is a script that takes longer to start than Python, and
 * which one it picks depends on the folder, so the answer is kept per folder and choice.
 */
export async function realInterpreter(path: string, project: Project): Promise<string> {
  if (!/[\\/](shims|\.asdf|mise)[\\/]/.test(path)) return path;
  const key = JSON.stringify([path, project.root, project.env['PYENV_VERSION'], await choiceTime(project.root)]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const asked = await ManagedProcess.start({
    name: 'python',
    command: path,
    args: ['-I', '-S', '-c', 'import sys; print(sys.executable)'],
    cwd: project.root,
    env: childEnvironment(project.env),
  });
  let output = '';
  asked.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = new Promise((resolve) => asked.stdout.once('close', resolve));
  const exit = await asked.exited;
  await ended;
  const executable = output.trim();
  if (exit.code !== 0 || executable === '')
    throw new ToolError('engine_failed', `${path} does not run: ${asked.stderrTail.trim().slice(-300)}`);
  known.set(key, executable);
  return executable;
}

async function choiceTime(root: string): Promise<number> {
  return stat(join(root, '.python-version')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
