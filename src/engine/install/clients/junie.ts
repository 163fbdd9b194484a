import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

/** JetBrains' agent, in its IDEs and alone. Its documentation names servers that it starts itself, no others. */
export const junie: ClientOf = ({ home }) => ({
  id: 'junie',
  title: 'JetBrains Junie',
  signs: [join(home, '.junie')],
  files: { user: join(home, '.junie', 'mcp', 'mcp.json'), project: join('.junie', 'mcp', 'mcp.json') },
  path: ['mcpServers', 'sightline'],
});
