import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import type { LaunchEntry } from '../../engine/workspace/runConfigs/launchJsonEdits.ts';

/** What may be set in a configuration, as tools name it. */
export const launchFields = {
  program: z.string().optional(),
  module: z.string().optional(),
  args: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  env_file: z.string().optional(),
  pre_launch_task: z.string().optional(),
  members: z.array(z.string()).min(1).optional().describe('of a compound'),
};

type LaunchFields = z.output<z.ZodObject<typeof launchFields>>;

/** The same as launch.json names it; what was not given is left out. */
export function launchEntry(root: string, fields: LaunchFields): LaunchEntry {
  const { program, module, args, cwd, env, env_file: envFile, pre_launch_task: preLaunchTask, members } = fields;
  const named = {
    program: inWorkspace(root, program),
    module,
    args,
    cwd: inWorkspace(root, cwd),
    env,
    envFile: inWorkspace(root, envFile),
    preLaunchTask,
    configurations: members,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

export const launchPaths = { program: 'new', cwd: 'new', env_file: 'new' } as const;

/** Others who open the project have it elsewhere, so paths are written relative to it. */
function inWorkspace(root: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const shown = displayPath(root, path);
  if (shown.startsWith('${')) return shown;
  return shown === '.' ? '${workspaceFolder}' : `\${workspaceFolder}/${shown}`;
}
