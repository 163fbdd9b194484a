import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const gemini: ClientOf = ({ home }) => ({
  id: 'gemini',
  title: 'Gemini CLI',
  file: join(home, '.gemini', 'settings.json'),
  signs: [join(home, '.gemini')],
  format: { kind: 'json', path: ['mcpServers', 'sightline'] },
});
