import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How an agent should start this very Sightline: by name when that is what PATH finds, else by Node and path. */
export function agentCommand(entry: string, env: NodeJS.ProcessEnv): string[] {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, 'sightline');
    try {
      accessSync(candidate, constants.X_OK);
      if (realpathSync(candidate) === realpathSync(entry)) return ['sightline'];
      break;
    } catch {
      // Not in this folder.
    }
  }
  return ['node', entry];
}
