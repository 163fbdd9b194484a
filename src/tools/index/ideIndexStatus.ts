import { z } from 'zod';
import { worstState } from '../../engine/code/model.ts';
import { listFiles } from '../../engine/workspace/fileListing.ts';
import { defineTool } from '../defineTool.ts';

const states = ['ready', 'indexing', 'partial', 'stale', 'unavailable'] as const;

export const ideIndexStatus = defineTool({
  name: 'ide_index_status',
  title: 'Index status',
  description: 'Whether the code index is complete, per language of the project. Starts nothing.',
  faces: ['index'],
  toolset: 'project',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    state: z.enum(states),
    detail: z.string().optional(),
    isIndexing: z.boolean(),
    servers: z.array(
      z.object({
        language: z.string(),
        server: z.string(),
        files: z.int(),
        state: z.enum(states),
        detail: z.string().optional(),
        running: z.boolean(),
      }),
    ),
    unsupportedFiles: z.int().describe('Files that no language server of Sightline knows'),
  }),
  run: async (engines, _args, call) => {
    const workspace = engines.code.workspace(call.project);
    const { files } = await listFiles(call.project, { signal: call.signal });
    const extensions = files.map((file) => file.slice(file.lastIndexOf('.') + 1));
    const servers = workspace.definitions
      .map((definition) => ({
        language: definition.id,
        server: definition.title,
        files: extensions.filter((extension) => Object.hasOwn(definition.languages, extension)).length,
        ...workspace.stateOf(definition),
      }))
      .filter((server) => server.files > 0);
    const known = servers.reduce((sum, server) => sum + server.files, 0);
    const overall =
      servers.length === 0
        ? ({ state: 'unavailable', detail: 'no file here has a language server' } as const)
        : worstState(servers);
    return {
      ...overall,
      isIndexing: servers.some((server) => server.state === 'indexing'),
      servers,
      unsupportedFiles: files.length - known,
    };
  },
  render: (data) =>
    [
      `${data.state}${data.detail === undefined ? '' : `: ${data.detail}`}`,
      ...data.servers.map(
        (server) =>
          `  ${server.language} (${server.server}), ${server.files} files: ${server.state}${server.running ? '' : ', not running'}${server.detail === undefined ? '' : `: ${server.detail}`}`,
      ),
    ].join('\n'),
});
