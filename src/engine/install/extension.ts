import { assetPath } from '../../base/assets.ts';
import { errorMessage } from '../../base/errors.ts';
import { ManagedProcess, childEnvironment } from '../../base/processes.ts';
import { programPath } from './entry.ts';
import { clientOf } from './installer.ts';
import type { AgentClient, InstallPlace, InstallRequest } from './model.ts';

/** As its manifest names it. */
const extensionId = 'sightline.sightline';
const installMs = 120_000;

/** The commands by which the editors of a client that are on this machine take our extension, or let go of it. */
function extensionCommands(
  { extensionPrograms = [] }: AgentClient,
  action: 'install' | 'remove',
  vsix: string,
  place: InstallPlace,
): string[][] {
  const args = action === 'install' ? ['--install-extension', vsix, '--force'] : ['--uninstall-extension', extensionId];
  return extensionPrograms.flatMap((name) => {
    const program = programPath(name, place);
    return program === undefined ? [] : [[program, ...args]];
  });
}

/** The same for an agent by its name. Only a user has extensions, a project has none. */
export function extensionCommandsOf(
  { id, action, scope }: Pick<InstallRequest, 'id' | 'action' | 'scope'>,
  place: InstallPlace,
): string[][] {
  return scope === 'user'
    ? extensionCommands(clientOf(id, place), action, assetPath('dist/sightline.vsix'), place)
    : [];
}

/** Why it did not work; undefined when it did. */
export async function runExtensionCommand(
  [program = '', ...args]: readonly string[],
  place: InstallPlace,
): Promise<string | undefined> {
  try {
    const env = childEnvironment(place.env, { HOME: place.home });
    const child = await ManagedProcess.start({ command: program, args, cwd: place.home, env, name: program });
    child.stdin.end();
    child.stdout.resume();
    const timer = setTimeout(() => void child.kill(), installMs);
    const { code } = await child.exited;
    clearTimeout(timer);
    return code === 0 ? undefined : `it ended with code ${code}: ${child.stderrTail.trim().slice(-200)}`;
  } catch (error) {
    return errorMessage(error);
  }
}
