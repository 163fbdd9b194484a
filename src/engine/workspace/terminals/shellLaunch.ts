import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { programOnPath } from '../jobs/shell.ts';
import { bashScript, fishScript, zshScripts } from './shellScripts.ts';

export type ShellKind = 'bash' | 'zsh' | 'fish';

interface ShellLaunch {
  kind: ShellKind;
  command: string;
  args: string[];
  env: Record<string, string>;
}

const kinds: readonly ShellKind[] = ['bash', 'zsh', 'fish'];

/** The person's shell where Sightline can follow it, or one that it can. */
export function chooseShell(env: NodeJS.ProcessEnv): { kind: ShellKind; path: string } {
  const own = env['SHELL'] ?? '';
  const ownKind = kinds.find((kind) => kind === basename(own));
  if (ownKind !== undefined) return { kind: ownKind, path: own };
  for (const kind of kinds) {
    const path = programOnPath(kind, env);
    if (path !== undefined) return { kind, path };
  }
  throw new ToolError('engine_missing', 'A terminal needs bash, zsh or fish, and none was found.', {
    hint: advise`${step('runCommand')} runs programs without a terminal.`,
  });
}

/** How a shell is started so that it tells of its commands. The scripts are Sightline's own files, in `folder`. */
export async function launchOf(
  { kind, path }: { kind: ShellKind; path: string },
  folder: string,
  nonce: string,
  env: NodeJS.ProcessEnv,
): Promise<ShellLaunch> {
  await mkdir(join(folder, 'zsh'), { recursive: true, mode: 0o700 });
  const common = { COLORTERM: 'truecolor' };
  const write = (path: string, script: string) => writeFile(path, script.replaceAll('NONCE', nonce), { mode: 0o600 });
  if (kind === 'bash') {
    const file = join(folder, 'init.bash');
    await write(file, bashScript);
    return { kind, command: path, args: ['--init-file', file, '-i'], env: common };
  }
  if (kind === 'fish') {
    const file = join(folder, 'init.fish');
    await write(file, fishScript);
    return {
      kind,
      command: path,
      args: ['--init-command', `source '${file.replaceAll("'", "\\'")}'`, '-i'],
      env: common,
    };
  }
  for (const [name, text] of Object.entries(zshScripts)) await write(join(folder, 'zsh', name), text);
  const own = join(folder, 'zsh');
  const user: Record<string, string> = env['ZDOTDIR'] === undefined ? {} : { SIGHTLINE_USER_ZDOTDIR: env['ZDOTDIR'] };
  return { kind, command: path, args: ['-i'], env: { ...common, ...user, ZDOTDIR: own, SIGHTLINE_ZDOTDIR: own } };
}

/** Once the shell has read them. */
export async function removeScripts(folder: string): Promise<void> {
  for (const name of ['init.bash', 'init.fish', 'zsh']) await rm(join(folder, name), { recursive: true, force: true });
}
