import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

export const gemini: ClientOf = ({ home }) => ({
  id: 'gemini',
  title: 'Gemini CLI',
  signs: [join(home, '.gemini')],
  files: { user: join(home, '.gemini', 'settings.json'), project: join('.gemini', 'settings.json') },
  path: ['mcpServers', 'sightline'],
  http: ({ url, headers }) => ({ httpUrl: url, headers }),
});
