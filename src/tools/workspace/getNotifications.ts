import { z } from 'zod';
import { notificationLevels } from '../../engine/workspace/notifications.ts';
import { defineTool } from '../defineTool.ts';

export const getNotifications = defineTool({
  name: 'get_notifications',
  title: 'Get notifications',
  description:
    'What Sightline has to say that belongs to no single call: bad settings, damaged files, engines that died.',
  faces: ['workspace'],
  toolset: 'terminals',
  effect: 'read',
  input: z.object({
    level: z.enum(notificationLevels).optional(),
    limit: z.int().min(1).max(200).default(20),
  }),
  output: z.object({
    notifications: z.array(
      z.object({
        id: z.string(),
        time: z.string(),
        level: z.enum(notificationLevels),
        source: z.string(),
        message: z.string(),
        project: z.string().optional(),
        count: z.int(),
      }),
    ),
  }),
  run: async (engines, args, call) => ({
    notifications: engines.notifications.list({ project: call.project.root, level: args.level, limit: args.limit }),
  }),
  render: (data) =>
    data.notifications.length === 0
      ? 'No notifications.'
      : data.notifications
          .map(
            ({ time, level, source, message, count }) =>
              `${time} ${level} ${source}: ${message}${count > 1 ? ` (${count} times)` : ''}`,
          )
          .join('\n'),
});
