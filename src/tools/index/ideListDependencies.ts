import { z } from 'zod';
import { listDependencies } from '../../engine/workspace/dependencies/listDependencies.ts';
import { ecosystems } from '../../engine/workspace/dependencies/model.ts';
import { defineTool } from '../defineTool.ts';

export const ideListDependencies = defineTool({
  name: 'ide_list_dependencies',
  title: 'Dependencies',
  description: 'Declared and resolved versions from manifests and lock files (npm, Python, Go, Cargo, Maven, Gradle).',
  faces: ['index'],
  toolset: 'project',
  effect: 'read',
  input: z.object({
    filter: z.string().optional(),
    module: z.string().optional().describe('folder'),
    ecosystem: z.enum(ecosystems).optional(),
    include_transitive: z.boolean().optional(),
  }),
  output: z.object({
    dependencies: z.array(
      z.object({
        ecosystem: z.enum(ecosystems),
        name: z.string(),
        declared: z.string().optional(),
        resolved: z.string().optional(),
        scope: z.string(),
        module: z.string(),
        manifest: z.string(),
        lockFile: z.string().optional(),
        direct: z.boolean(),
      }),
    ),
    totalCount: z.int(),
    manifests: z.array(z.string()),
    problems: z.array(z.string()).optional(),
  }),
  run: async (_engines, args, call) => {
    const { value, problems } = await listDependencies(call.project, {
      ecosystem: args.ecosystem,
      module: args.module,
      includeTransitive: args.include_transitive,
      signal: call.signal,
    });
    const wanted = args.filter?.toLowerCase();
    const dependencies = value.dependencies.filter(
      ({ name }) => wanted === undefined || name.toLowerCase().includes(wanted),
    );
    return {
      dependencies,
      totalCount: dependencies.length,
      manifests: value.manifests,
      ...(problems.length === 0 ? {} : { problems }),
    };
  },
  render: (data) => {
    if (data.manifests.length === 0) return 'No manifests were found.';
    const lines = [`${data.totalCount} dependencies in ${data.manifests.length} manifests`];
    let manifest = '';
    for (const found of data.dependencies) {
      if (found.manifest !== manifest) lines.push(`${(manifest = found.manifest)} (${found.ecosystem})`);
      const asked = found.declared === undefined || found.declared === found.resolved ? '' : ` ${found.declared}`;
      const used = found.resolved === undefined ? '' : `${asked === '' ? '' : ' →'} ${found.resolved}`;
      lines.push(
        `  ${found.name}${asked}${used}${found.scope === 'runtime' ? '' : ` [${found.scope}]`}${found.direct ? '' : ' (transitive)'}`,
      );
    }
    return [...lines, ...(data.problems ?? []).map((problem) => `problem: ${problem}`)].join('\n');
  },
});
