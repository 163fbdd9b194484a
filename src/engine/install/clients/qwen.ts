import { join } from 'node:path';
import type { ClientOf } from '../model.ts';

export const qwen: ClientOf = ({ home }) => ({
  id: 'qwen',
  title: 'Qwen Code',
  signs: [join(home, '.qwen')],
  files: { user: join(home, '.qwen', 'settings.json'), project: join('.qwen', 'settings.json') },
  path: ['mcpServers', 'sightline'],
  http: ({ url, headers }) => ({ httpUrl: url, headers }),
});
