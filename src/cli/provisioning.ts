import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { appDirs } from '../base/appDirs.ts';
import { Provision } from '../engine/provision/provision.ts';
import type { Project } from '../engine/workspace/project.ts';
import { nearestProjectRoot } from '../engine/workspace/projectRoots.ts';
import type { CommandContext } from './command.ts';

/** `doctor` and `setup` look for engines without the rest of the process. */
export function provisionFor(context: CommandContext): { provision: Provision; cacheDir: string } {
  const cacheDir = appDirs(context.env).cache;
  return { provision: new Provision({ cacheDir, env: context.env }), cacheDir };
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
