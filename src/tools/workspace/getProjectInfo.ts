import { z } from 'zod';
import { projectInfo } from '../../engine/workspace/projectInfo.ts';
import { defineTool } from '../defineTool.ts';

export const getProjectInfo = defineTool({
  name: 'get_project_info',
  title: 'Project information',
  description:
    'Build systems, modules, languages, requested runtime versions (Node, JDK, Python, ...) and git state of the project.',
  faces: ['workspace'],
  toolset: 'project',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    name: z.string(),
    path: z.string(),
    trusted: z.boolean(),
    buildSystems: z.array(z.string()),
    runtimes: z.array(z.object({ runtime: z.string(), version: z.string(), source: z.string() })),
    languages: z.array(z.object({ language: z.string(), files: z.int() })),
    modules: z.array(z.object({ name: z.string(), path: z.string(), kinds: z.array(z.string()) })),
    fileCount: z.int(),
    git: z
      .object({
        branch: z.string().optional(),
        head: z.string().optional(),
        upstream: z.string().optional(),
        ahead: z.int().optional(),
        behind: z.int().optional(),
        staged: z.int(),
        changed: z.int(),
        untracked: z.int(),
        conflicts: z.int(),
      })
      .optional(),
    problems: z.array(z.string()).optional(),
  }),
  run: async (_engines, _args, call) => {
    const { value, problems } = await projectInfo(call.project, call.signal);
    return { ...value, ...(problems.length === 0 ? {} : { problems }) };
  },
  render: (data) => {
    const { git } = data;
    const lines = [
      `${data.name} (${data.path})${data.trusted ? '' : ', not trusted: nothing of it is executed'}`,
      `build: ${data.buildSystems.join(', ') || 'none found'}`,
      `runtimes: ${data.runtimes.map((asked) => `${asked.runtime} ${asked.version} (${asked.source})`).join(', ') || 'none requested'}`,
      `languages: ${data.languages.map(({ language, files }) => `${language} ${files}`).join(', ')}; ${data.fileCount} files`,
    ];
    if (git !== undefined) {
      const place = `${git.branch ?? 'detached'}${git.head === undefined ? ' (no commit yet)' : ` at ${git.head.slice(0, 10)}`}`;
      const distance =
        git.upstream === undefined ? '' : `, ${git.ahead ?? 0} ahead and ${git.behind ?? 0} behind ${git.upstream}`;
      const conflicts = git.conflicts === 0 ? '' : `, ${git.conflicts} conflicts`;
      lines.push(
        `git: ${place}${distance}; ${git.staged} staged, ${git.changed} changed, ${git.untracked} untracked${conflicts}`,
      );
    }
    lines.push(
      `modules (${data.modules.length}):`,
      ...data.modules.map((module) => `  ${module.name} ${module.path} ${module.kinds.join('+')}`),
    );
    return [...lines, ...(data.problems ?? []).map((problem) => `problem: ${problem}`)].join('\n');
  },
});
