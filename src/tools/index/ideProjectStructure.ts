import { z } from 'zod';
import { projectStructure } from '../../engine/workspace/structure.ts';
import { defineTool } from '../defineTool.ts';

const language = z.object({ language: z.string(), files: z.int() });

export const ideProjectStructure = defineTool({
  name: 'ide_project_structure',
  title: 'Project structure',
  description: 'Modules of the project (packages, crates, workspaces) with source and test roots.',
  faces: ['index'],
  toolset: 'project',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    name: z.string(),
    basePath: z.string(),
    modules: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        kinds: z.array(z.string()),
        version: z.string().optional(),
        isWorkspace: z.boolean(),
        sourceRoots: z.array(z.string()),
        testRoots: z.array(z.string()),
        languages: z.array(language),
      }),
    ),
    fileCount: z.int(),
    languages: z.array(language),
    capped: z.boolean(),
  }),
  run: (_engines, _args, call) => projectStructure(call.project, call.signal),
  render: (data) =>
    [
      `${data.name} (${data.basePath}): ${data.modules.length} modules, ${data.fileCount} files`,
      ...data.modules.map((module) => {
        const about = [module.kinds.join('+'), module.isWorkspace ? 'workspace' : '', module.version ?? '']
          .filter((part) => part !== '')
          .join(' ');
        const roots = module.sourceRoots.length === 0 ? '' : ` sources: ${module.sourceRoots.join(', ')};`;
        const tests = module.testRoots.length === 0 ? '' : ` tests: ${module.testRoots.join(', ')};`;
        const languages = module.languages.map((counted) => `${counted.language} ${counted.files}`).join(', ');
        return `${module.path}  ${module.name}${about === '' ? '' : ` (${about})`}:${roots}${tests} ${languages}`.trimEnd();
      }),
      ...(data.capped ? ['(there are more modules than are shown)'] : []),
    ].join('\n'),
});
