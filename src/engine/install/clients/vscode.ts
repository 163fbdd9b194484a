import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

/** Its own command knows which profile is in use. */
export const vscode: ClientOf = ({ programs }) => ({
  id: 'vscode',
  title: 'VS Code',
  signs: [join(programs, 'Code', 'User')],
  files: { user: join(programs, 'Code', 'User', 'mcp.json'), project: join('.vscode', 'mcp.json') },
  path: ['servers', 'sightline'],
  stdio: (server) => ({ type: 'stdio', ...server }),
  http: (server) => ({ type: 'http', ...server }),
  own: { program: 'code', add: (entry) => ['--add-mcp', JSON.stringify({ name: 'sightline', ...entry })] },
  extensionPrograms: ['code', 'code-insiders', 'codium', 'code-server'],
});
