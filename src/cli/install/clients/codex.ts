import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const codex: ClientOf = ({ home, env }) => {
  const folder = env['CODEX_HOME'] ?? join(home, '.codex');
  return {
    id: 'codex',
    title: 'Codex',
    file: join(folder, 'config.toml'),
    signs: [folder],
    format: { kind: 'toml', table: 'mcp_servers.sightline' },
  };
};
