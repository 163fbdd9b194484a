import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { appDirs } from '../base/appDirs.ts';
import { Provision } from '../engine/provision/provision.ts';
import type { Project } from '../engine/workspace/project.ts';
import { nearestProjectRoot } from '../engine/workspace/projectRoots.ts';
import { SettingsStore } from '../engine/workspace/settingsStore.ts';
import type { CommandContext } from './command.ts';

/** `doctor` and `setup` look for engines without the rest of the process. */
export async function provisionFor(context: CommandContext): Promise<{ provision: Provision; cacheDir: string }> {
  const { cache, config } = appDirs(context.env);
  const settings = await SettingsStore.load({ configDir: config, env: context.env }, (problem) => context.err(problem));
  const configuredPath = (engineId: string) => settings.person['engines.paths'][engineId];
  return { provision: new Provision({ cacheDir: cache, env: context.env, configuredPath }), cacheDir: cache };
}

/** The project in which a person typed the command; typing it there is the trust. */
export function projectOfPerson(context: CommandContext): Project | undefined {
  const root = nearestProjectRoot(realpathSync(context.cwd));
  if (root === undefined) return undefined;
  return {
    id: root,
    name: basename(root),
    root,
    stateDir: appDirs(context.env).state,
    env: context.env,
    trusted: true,
  };
}
