import { homedir } from 'node:os';
import { join } from 'node:path';
import { appDirs } from '../base/appDirs.ts';
import { platform } from '../base/platform/here.ts';
import type { InstallPlace } from '../engine/install/model.ts';
import { agentCommand } from './agentCommand.ts';
import type { CommandContext } from './command.ts';

/** What the installer has to know of this machine, this Sightline and the project. */
export function installPlace({ env, cwd, entry }: Pick<CommandContext, 'env' | 'cwd' | 'entry'>): InstallPlace {
  return {
    home: env['HOME'] ?? homedir(),
    env,
    platform: platform.system,
    project: cwd,
    command: agentCommand(entry, env),
    node: process.execPath,
    receipts: join(appDirs(env).state, 'install'),
  };
}
