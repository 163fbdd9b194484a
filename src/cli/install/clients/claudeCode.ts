import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const claudeCode: ClientOf = ({ home }) => ({
  id: 'claude-code',
  title: 'Claude Code',
  file: join(home, '.claude.json'),
  signs: [join(home, '.claude.json'), join(home, '.claude')],
  format: { kind: 'json', path: ['mcpServers', 'sightline'] },
});
