import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const cursor: ClientOf = ({ home }) => ({
  id: 'cursor',
  title: 'Cursor',
  file: join(home, '.cursor', 'mcp.json'),
  signs: [join(home, '.cursor')],
  format: { kind: 'json', path: ['mcpServers', 'sightline'] },
});
