import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

export const windsurf: ClientOf = ({ home }) => {
  const folder = join(home, '.codeium', 'windsurf');
  return {
    id: 'windsurf',
    title: 'Windsurf',
    signs: [folder],
    files: { user: join(folder, 'mcp_config.json') },
    path: ['mcpServers', 'sightline'],
    http: ({ url, headers }) => ({ serverUrl: url, headers }),
    extensionPrograms: ['windsurf'],
  };
};
