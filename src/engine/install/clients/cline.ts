import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

/** The extension in VS Code. */
export const cline: ClientOf = ({ programs }) => {
  const folder = join(programs, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev');
  return {
    id: 'cline',
    title: 'Cline',
    signs: [folder],
    files: { user: join(folder, 'settings', 'cline_mcp_settings.json') },
    path: ['mcpServers', 'sightline'],
    stdio: (server) => ({ ...server, disabled: false, autoApprove: [] }),
    http: (server) => ({ type: 'streamableHttp', ...server, disabled: false, autoApprove: [] }),
  };
};
