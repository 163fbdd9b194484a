import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { platform } from '../../../base/platform/here.ts';
import { absolutePath } from '../../../base/searchPath.ts';

/** A program of that name on the search path. */
export function programOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return absolutePath(env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => platform.customs.programNames(name).map((file) => join(folder, file)))
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
  const own = platform.customs.shell(line, env);
  const bash = platform.customs.hasPosixShell ? programOnPath('bash', env) : undefined;
  // Its input is a socket, which bash takes for a login over the network: it would read the person's .bashrc first.
  return bash === undefined ? own : [bash, '--norc', '-c', line];
}
