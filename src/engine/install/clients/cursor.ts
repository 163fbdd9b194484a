import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

export const cursor: ClientOf = ({ home }) => ({
  id: 'cursor',
  title: 'Cursor',
  signs: [join(home, '.cursor')],
  files: { user: join(home, '.cursor', 'mcp.json'), project: join('.cursor', 'mcp.json') },
  path: ['mcpServers', 'sightline'],
  http: (server) => ({ ...server }),
  extensionPrograms: ['cursor'],
});
