import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const vscode: ClientOf = ({ programs }) => ({
  id: 'vscode',
  title: 'VS Code',
  file: join(programs, 'Code', 'User', 'mcp.json'),
  signs: [join(programs, 'Code', 'User')],
  format: { kind: 'json', path: ['servers', 'sightline'], entry: (server) => ({ type: 'stdio', ...server }) },
});
