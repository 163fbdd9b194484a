import { existsSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { appDirs } from '../base/appDirs.ts';
import { scratchFolder } from '../base/scratchFolders.ts';
import { Provision } from '../engine/provision/provision.ts';
import type { Project } from '../engine/workspace/project.ts';
import { nearestProjectRoot } from '../engine/workspace/projectRoots.ts';
import { SettingsStore } from '../engine/workspace/settings/store.ts';
import type { CommandContext } from './command.ts';

/** `doctor` and `setup` look for engines without the rest of the process. */
export async function provisionFor(
  context: CommandContext,
  dirs = appDirs(context.env),
): Promise<{ provision: Provision; cacheDir: string }> {
  const { cache, config } = dirs;
  const settings = await SettingsStore.load({ configDir: config, env: context.env }, (problem) => context.err(problem));
  const configuredPath = (engineId: string) => settings.person['engines.paths'][engineId];
  return { provision: new Provision({ cacheDir: cache, env: context.env, configuredPath }), cacheDir: cache };
}

/**
 * Looking at versions must leave nothing behind: Go counts its calls in the configuration folder, and Rust's version manager makes its
 * own folder when it is asked for the first time. Whatever `look` starts has those elsewhere.
 */
export async function leavingNothing<T>(
  context: CommandContext,
  look: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const { env } = context;
  const home = env['HOME'] ?? homedir();
  const configuration = env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const scratch = await scratchFolder('doctor');
  const elsewhere: NodeJS.ProcessEnv = {
    XDG_CONFIG_HOME: scratch,
    GOENV: env['GOENV'] ?? join(configuration, 'go', 'env'),
  };
  if (env['RUSTUP_HOME'] === undefined && !existsSync(join(home, '.rustup'))) elsewhere['RUSTUP_HOME'] = scratch;
  try {
    return await look({ ...context, env: { ...env, ...elsewhere } });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
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
