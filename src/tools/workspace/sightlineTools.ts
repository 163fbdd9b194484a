import { z } from 'zod';
import { defineTool, type Tool } from '../defineTool.ts';
import { toolsetNames, toolsets, type ToolsetName } from '../faces.ts';

/** Takes the registry as a function because it is itself a part of it. */
export const sightlineTools = (registry: () => readonly Tool[]): Tool =>
  defineTool({
    name: 'sightline_tools',
    title: 'More tools',
    description: 'Describes the toolsets that are not listed here and turns them on (`enable`).',
    faces: ['default'],
    toolset: 'project',
    effect: 'read',
    scope: 'none',
    input: z.object({
      enable: z.array(z.enum(toolsetNames)).optional(),
    }),
    output: z.object({
      toolsets: z.array(
        z.object({ name: z.string(), about: z.string(), enabled: z.boolean(), tools: z.array(z.string()) }),
      ),
      enabled: z.array(z.string()),
    }),
    run: async (_engines, args, call) => {
      if (args.enable !== undefined && args.enable.length > 0) call.client.enableToolsets(args.enable);
      const enabled = call.client.enabledToolsets;
      return {
        toolsets: toolsetNames.map((name: ToolsetName) => ({
          name,
          about: toolsets[name],
          enabled: enabled.has(name),
          tools: registry()
            .filter((tool) => tool.toolset === name)
            .map((tool) => tool.name),
        })),
        enabled: [...enabled],
      };
    },
    render: (data) =>
      [
        ...(data.enabled.length > 0 ? [`Turned on: ${data.enabled.join(', ')}. The tool list has changed.`] : []),
        ...data.toolsets
          .filter((set) => set.tools.length > 0)
          .map((set) => `${set.enabled ? '*' : '-'} ${set.name}: ${set.about}\n    ${set.tools.join(', ')}`),
      ].join('\n'),
  });
