import { z } from 'zod';
import type { LaunchEntry } from '../../engine/workspace/runConfigs/launchJsonEdits.ts';

/** What may be set in a configuration, as tools name it. */
export const launchFields = {
  program: z.string().optional(),
  module: z.string().optional(),
  args: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  pre_launch_task: z.string().optional(),
};

type LaunchFields = z.output<z.ZodObject<typeof launchFields>>;

/** The same as launch.json names it; what was not given is left out. */
export function launchEntry(fields: LaunchFields): LaunchEntry {
  const { program, module, args, cwd, env, pre_launch_task: preLaunchTask } = fields;
  const named = { program: inWorkspace(program), module, args, cwd: inWorkspace(cwd), env, preLaunchTask };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** Others who open the project have it elsewhere, so paths are written relative to it. */
function inWorkspace(path: string | undefined): string | undefined {
  if (path === undefined || path.startsWith('/') || path.startsWith('${')) return path;
  return `\${workspaceFolder}/${path.replace(/^\.\//, '')}`;
}
