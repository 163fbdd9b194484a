import { join } from 'node:path';

/** An agent whose configuration can name an MCP server. */
export interface AgentClient {
  id: string;
  title: string;
  /** The file with its servers, and the way to ours in it. */
  file: string;
  format: { kind: 'json'; path: readonly string[]; extra?: Record<string, unknown> } | { kind: 'toml'; table: string };
  /** The agent is there when one of these exists. */
  signs: readonly string[];
}

/** Where each agent keeps its servers for the whole user. */
export function agentClients(home: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): AgentClient[] {
  const programs =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
        : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'));
  const json = (id: string, title: string, file: string, signs: readonly string[]): AgentClient => ({
    id,
    title,
    file,
    signs,
    format: { kind: 'json', path: ['mcpServers', 'sightline'] },
  });
  const codexHome = env['CODEX_HOME'] ?? join(home, '.codex');
  return [
    json('claude-code', 'Claude Code', join(home, '.claude.json'), [join(home, '.claude.json'), join(home, '.claude')]),
    json('claude-desktop', 'Claude Desktop', join(programs, 'Claude', 'claude_desktop_config.json'), [
      join(programs, 'Claude'),
    ]),
    json('cursor', 'Cursor', join(home, '.cursor', 'mcp.json'), [join(home, '.cursor')]),
    {
      id: 'vscode',
      title: 'VS Code',
      file: join(programs, 'Code', 'User', 'mcp.json'),
      signs: [join(programs, 'Code', 'User')],
      format: { kind: 'json', path: ['servers', 'sightline'], extra: { type: 'stdio' } },
    },
    json('windsurf', 'Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json'), [
      join(home, '.codeium', 'windsurf'),
    ]),
    json('gemini', 'Gemini CLI', join(home, '.gemini', 'settings.json'), [join(home, '.gemini')]),
    {
      id: 'codex',
      title: 'Codex',
      file: join(codexHome, 'config.toml'),
      signs: [codexHome],
      format: { kind: 'toml', table: 'mcp_servers.sightline' },
    },
  ];
}
