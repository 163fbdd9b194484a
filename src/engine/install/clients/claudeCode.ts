import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

/** Its file for the user is also its memory, which it rewrites while it runs: its own command takes care of that. */
export const claudeCode: ClientOf = ({ home, env }) => ({
  id: 'claude-code',
  title: 'Claude Code',
  signs: [join(home, '.claude.json'), join(home, '.claude')],
  files: { user: join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'), project: '.mcp.json' },
  path: ['mcpServers', 'sightline'],
  http: (server) => ({ type: 'http', ...server }),
  own: {
    program: 'claude',
    add: (entry) => ['mcp', 'add-json', '--scope', 'user', 'sightline', JSON.stringify(entry)],
  },
});
