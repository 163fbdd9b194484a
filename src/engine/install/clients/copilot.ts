import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

export const copilot: ClientOf = ({ home, env }) => {
  const folder = env['COPILOT_HOME'] ?? join(home, '.copilot');
  return {
    id: 'copilot',
    title: 'Copilot CLI',
    signs: [folder],
    files: { user: join(folder, 'mcp-config.json'), project: join('.github', 'mcp.json') },
    path: ['mcpServers', 'sightline'],
    stdio: (server) => ({ type: 'local', ...server, tools: ['*'] }),
    http: (server) => ({ type: 'http', ...server, tools: ['*'] }),
  };
};
