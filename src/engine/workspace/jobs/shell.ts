import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { absolutePath } from '../../../base/searchPath.ts';

/** A program of that name on the search path. */
export function programOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return absolutePath(env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What runs a line for a shell: bash, for which most lines are written, or the system's own. */
export function shellCommand(line: string, env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'win32') return [env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', line];
  const bash = programOnPath('bash', env);
  // Its input is a socket, which bash takes for a login over the network: it would read the person's .bashrc first.
  return bash === undefined ? ['/bin/sh', '-c', line] : [bash, '--norc', '-c', line];
}
