import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

/** It takes servers over HTTP only as connectors, in its own settings. */
export const claudeDesktop: ClientOf = ({ programs }) => ({
  id: 'claude-desktop',
  title: 'Claude Desktop',
  signs: [join(programs, 'Claude')],
  files: { user: join(programs, 'Claude', 'claude_desktop_config.json') },
  path: ['mcpServers', 'sightline'],
  needsWholePath: true,
});
