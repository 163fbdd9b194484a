import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const claudeDesktop: ClientOf = ({ programs }) => ({
  id: 'claude-desktop',
  title: 'Claude Desktop',
  file: join(programs, 'Claude', 'claude_desktop_config.json'),
  signs: [join(programs, 'Claude')],
  format: { kind: 'json', path: ['mcpServers', 'sightline'] },
});
