import { z } from 'zod';
import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import { findDefinition } from '../../../engine/code/queries/definition.ts';
import { registries, type WantedPackage } from '../../../engine/workspace/sources/model.ts';
import { packageOfFile, wantedPackage } from '../../../engine/workspace/sources/wantedPackage.ts';
import { defineTool, type ToolCall } from '../../defineTool.ts';
import type { Engines } from '../../engines.ts';
import { patientWaitingOf, targetOf } from '../../index/address.ts';

export const downloadSources = defineTool({
  name: 'download_sources',
  title: 'Download sources',
  description:
    'Fetches the sources of a package (npm, PyPI, Go, crates, Maven) in the version used here, and says where they can be read and searched.',
  faces: ['workspace'],
  toolset: 'diagnostics',
  effect: 'execute',
  requires: ['trustedProject'],
  input: z.object({
    package: z.string().optional().describe('"zod", "pypi:six", "maven:group:artifact"'),
    symbol: z.string().optional().describe('of the package'),
    version: z.string().optional(),
  }),
  output: z.object({
    package: z.string(),
    registry: z.enum(registries),
    version: z.string(),
    kind: z.string(),
    path: z.string(),
    files: z.int(),
    /** What lies at the top of it. */
    entries: z.array(z.string()),
    installedAt: z.string().optional(),
    repository: z.string().optional(),
    remarks: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    const wanted = await wantedBy(engines, args, call);
    const { signal } = call;
    const sources = await engines.sources.get(call.project, wanted, {
      signal,
      progress: (message) => call.progress(message),
    });
    const shown = (path: string) => displayPath(call.project.root, path);
    return {
      package: sources.name,
      registry: sources.registry,
      version: sources.version,
      kind: sources.kind,
      path: shown(sources.path),
      files: sources.files,
      entries: sources.entries.slice(0, 40),
      ...(sources.installedAt === undefined || sources.installedAt === sources.path
        ? {}
        : { installedAt: shown(sources.installedAt) }),
      ...(sources.repository === undefined ? {} : { repository: sources.repository }),
      ...(sources.notes.length === 0 ? {} : { remarks: sources.notes }),
    };
  },
  render: (data) =>
    [
      `${data.registry}:${data.package} ${data.version} (${data.kind}), ${data.files} files in ${data.path}`,
      data.entries.join(' '),
      ...(data.installedAt === undefined ? [] : [`what programs load: ${data.installedAt}`]),
      ...(data.repository === undefined ? [] : [`repository: ${data.repository}`]),
      ...(data.remarks ?? []),
    ].join('\n'),
});

async function wantedBy(
  engines: Engines,
  args: { package?: string; symbol?: string; version?: string },
  call: ToolCall,
): Promise<WantedPackage> {
  if ((args.package === undefined) === (args.symbol === undefined))
    throw new ToolError('invalid_arguments', 'Pass either package or symbol.');
  if (args.package !== undefined) return wantedPackage(call.project, args.package, args.version, call.signal);
  const workspace = engines.code.workspace(call.project);
  const waiting = patientWaitingOf(call);
  const target = await targetOf(workspace, { symbol: args.symbol }, call, waiting);
  const { definitions } = await findDefinition(workspace, target, waiting);
  const [found] = definitions
    .map(({ path }) => engines.sources.packageAt(path) ?? packageOfFile(path))
    .filter((each) => each !== undefined);
  if (found === undefined)
    throw new ToolError('symbol_not_found', `${args.symbol} is not declared in an installed package.`, {
      hint: 'Pass package instead.',
    });
  return { ...found, ...(args.version === undefined ? {} : { version: args.version }) };
}
