import { z } from 'zod';
import { logLevels } from '../../base/logger.ts';
import { defineTool } from '../defineTool.ts';

export const readIdeLog = defineTool({
  name: 'read_ide_log',
  title: 'Read IDE log',
  description: "The last lines of Sightline's own log, by level, tag (runner, lsp, ...) and text.",
  faces: ['workspace'],
  toolset: 'terminals',
  effect: 'read',
  scope: 'none',
  input: z.object({
    lines: z.int().min(1).max(2000).default(50),
    level: z.enum(logLevels).optional(),
    tag: z.string().optional(),
    filter: z.string().optional(),
  }),
  output: z.object({
    lines: z.array(z.object({ time: z.string(), level: z.enum(logLevels), tag: z.string(), message: z.string() })),
    truncated: z.boolean(),
    file: z.string(),
  }),
  run: async (engines, args) => {
    const found = await engines.log.read({ limit: args.lines, level: args.level, tag: args.tag, text: args.filter });
    return { ...found, file: engines.log.path };
  },
  render: (data) =>
    data.lines.length === 0
      ? `Nothing that matches in ${data.file}.`
      : data.lines.map((line) => `${line.time} ${line.level} [${line.tag}] ${line.message}`).join('\n'),
});
