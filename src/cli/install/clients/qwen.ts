import { join } from 'node:path';
import type { ClientOf } from '../agentClient.ts';

export const qwen: ClientOf = ({ home }) => ({
  id: 'qwen',
  title: 'Qwen Code',
  file: join(home, '.qwen', 'settings.json'),
  signs: [join(home, '.qwen')],
  format: { kind: 'json', path: ['mcpServers', 'sightline'] },
});
