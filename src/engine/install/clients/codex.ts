import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

export const codex: ClientOf = ({ home, env }) => {
  const folder = env['CODEX_HOME'] ?? join(home, '.codex');
  return {
    id: 'codex',
    title: 'Codex CLI',
    signs: [folder],
    files: { user: join(folder, 'config.toml'), project: join('.codex', 'config.toml') },
    path: ['mcp_servers', 'sightline'],
    http: ({ url, headers }) => ({ url, http_headers: headers }),
  };
};
