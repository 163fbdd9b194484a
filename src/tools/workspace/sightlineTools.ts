import { z } from 'zod';
import { defineTool, type JsonSchema, type Tool } from '../defineTool.ts';
import { toolsetNames, toolsets, type ToolsetName } from '../faces.ts';

/** Takes the registry as a function because it is itself a part of it. */
export const sightlineTools = (registry: () => readonly Tool[]): Tool =>
  defineTool({
    name: 'sightline_tools',
    title: 'More tools',
    description:
      'Lists the toolsets that are not shown here and turns them on (`enable`); or calls any of their tools at once (`call`, `arguments`).',
    faces: ['default'],
    toolset: 'project',
    effect: 'read',
    // It can stand for any tool; each of those has its own effect and asks where it must.
    annotations: { destructiveHint: true, openWorldHint: true },
    scope: 'none',
    input: z.object({
      enable: z.array(z.enum(toolsetNames)).optional(),
      call: z.string().optional().describe('name of a tool'),
      arguments: z.record(z.string(), z.unknown()).optional(),
    }),
    forward: (args) => (args.call === undefined ? undefined : { tool: args.call, args: args.arguments ?? {} }),
    output: z.object({
      toolsets: z.array(
        z.object({ name: z.string(), about: z.string(), enabled: z.boolean(), tools: z.array(z.string()) }),
      ),
      enabled: z.array(z.string()),
      /** The client shows the tools that were turned on; if not, they are called through this one. */
      listed: z.boolean(),
      /** How the tools that were just turned on are called, when the client does not show them. */
      signatures: z.array(z.string()).optional(),
    }),
    run: async (_engines, args, call) => {
      const asked = args.enable ?? [];
      const listed = asked.length === 0 || (await call.client.enableToolsets(asked, call.signal));
      const enabled = call.client.enabledToolsets;
      const toolsOf = (name: ToolsetName) => registry().filter((tool) => tool.toolset === name);
      return {
        // Who turns something on has read the list.
        toolsets: toolsetNames
          .filter((name) => asked.length === 0 || asked.includes(name))
          .map((name) => ({
            name,
            about: toolsets[name],
            enabled: enabled.has(name),
            tools: toolsOf(name).map((tool) => tool.name),
          })),
        enabled: [...enabled],
        listed,
        ...(listed ? {} : { signatures: asked.flatMap(toolsOf).map(signature) }),
      };
    },
    render: (data) =>
      [
        ...(data.enabled.length > 0 ? [`Turned on: ${data.enabled.join(', ')}.`] : []),
        ...(data.signatures === undefined
          ? data.toolsets
              .filter((set) => set.tools.length > 0)
              .map((set) => `${set.enabled ? '*' : '-'} ${set.name}: ${set.about}\n    ${set.tools.join(', ')}`)
          : [
              'Call them with sightline_tools {"call": NAME, "arguments": {…}}:',
              ...data.signatures.map((line) => `  ${line}`),
            ]),
      ].join('\n'),
  });

/** `name(file: string, line?: integer): what it is for`, for clients that do not show the tool itself. */
function signature(tool: Tool): string {
  const required = new Set(tool.inputSchema.required);
  const parameters = Object.entries(tool.inputSchema.properties ?? {}).map(
    ([name, schema]) => `${name}${required.has(name) ? '' : '?'}: ${typeText(schema)}`,
  );
  const [first = ''] = /^.*?[.](?=\s|$)/s.exec(tool.description) ?? [tool.description];
  return `${tool.name}(${parameters.join(', ')}): ${first}`;
}

function typeText(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(String).join('|');
  if (schema.type === 'array') return `[${typeText(schema.items ?? {})}]`;
  if (schema.properties !== undefined) return `{${Object.keys(schema.properties).join(', ')}}`;
  return typeof schema.type === 'string' ? schema.type : 'any';
}
