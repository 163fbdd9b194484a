import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

/** It keeps to `~/.config` on every system but Windows; servers stand among all its other settings. */
export const zed: ClientOf = ({ home, env, programs }) => {
  const folder =
    env['APPDATA'] === undefined ? join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'zed') : join(programs, 'Zed');
  return {
    id: 'zed',
    title: 'Zed',
    signs: [folder],
    files: { user: join(folder, 'settings.json'), project: join('.zed', 'settings.json') },
    path: ['context_servers', 'sightline'],
    stdio: (server) => ({ ...server, env: {} }),
    http: (server) => ({ ...server }),
  };
};
