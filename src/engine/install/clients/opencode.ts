import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

/** It keeps to `~/.config` on every system, and reads `opencode.jsonc` as well as `opencode.json`. */
export const opencode: ClientOf = ({ home, env }) => {
  const folder = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode');
  const commented = join(folder, 'opencode.jsonc');
  return {
    id: 'opencode',
    title: 'opencode',
    signs: [folder],
    files: { user: existsSync(commented) ? commented : join(folder, 'opencode.json'), project: 'opencode.json' },
    path: ['mcp', 'sightline'],
    stdio: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    http: (server) => ({ type: 'remote', ...server, enabled: true }),
  };
};
