import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const copilot: ClientOf = ({ home, env }) => {
  const folder = env['COPILOT_HOME'] ?? join(home, '.copilot');
  return {
    id: 'copilot',
    title: 'Copilot CLI',
    file: join(folder, 'mcp-config.json'),
    signs: [folder],
    format: {
      kind: 'json',
      path: ['mcpServers', 'sightline'],
      entry: (server) => ({ type: 'local', ...server, tools: ['*'] }),
    },
  };
};
