import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const windsurf: ClientOf = ({ home }) => ({
  id: 'windsurf',
  title: 'Windsurf',
  file: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
  signs: [join(home, '.codeium', 'windsurf')],
  format: { kind: 'json', path: ['mcpServers', 'sightline'] },
});
