import { z } from 'zod';
import { indexStatus } from '../../engine/code/indexStatus.ts';
import { languageNamed } from '../../engine/provision/languages.ts';
import { projectInfo } from '../../engine/workspace/projectInfo/projectInfo.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';

const engineShape = z.object({
  name: z.string(),
  role: z.enum(['runtime', 'debugger', 'language server']),
  version: z.string().optional(),
  path: z.string().optional(),
  /** `found` or `missing`; of a language server how far its index is. */
  state: z.string(),
  /** What installs it. */
  install: z.string().optional(),
});
type EngineFacts = z.output<typeof engineShape>;

export const getProjectInfo = defineTool({
  name: 'get_project_info',
  title: 'Get project info',
  description:
    'What the project is: languages, runtimes, package managers, frameworks, modules, test runners, git state, and which engines are there.',
  faces: ['workspace'],
  toolset: 'project',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    name: z.string(),
    path: z.string(),
    trusted: z.boolean(),
    languages: z.array(z.object({ language: z.string(), files: z.int() })),
    fileCount: z.int(),
    buildSystems: z.array(z.string()),
    packageManagers: z.array(z.string()),
    frameworks: z.array(z.object({ name: z.string(), version: z.string().optional() })),
    /** What the project asks for. */
    runtimes: z.array(z.object({ runtime: z.string(), version: z.string(), source: z.string() })),
    testRunners: z.array(z.object({ runner: z.string(), path: z.string(), why: z.string() })),
    /** What is on this machine for its languages. */
    engines: z.array(engineShape),
    modules: z.array(z.object({ name: z.string(), path: z.string(), kinds: z.array(z.string()) })),
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
  run: async (engines, _args, call) => {
    const { value, problems } = await projectInfo(call.project, call.signal);
    const languages = value.languages.map(({ language }) => language);
    const found = [...(await programs(engines, languages, call)), ...(await servers(engines, call))];
    return { ...value, engines: found, ...(problems.length === 0 ? {} : { problems }) };
  },
  render: (data) =>
    [
      `${data.name} (${data.path})${data.trusted ? '' : ', not trusted: nothing of it is executed'}`,
      `languages: ${data.languages.map(({ language, files }) => `${language} ${files}`).join(', ')}; ${data.fileCount} files`,
      `build: ${data.buildSystems.join(', ') || 'none found'}; packages: ${data.packageManagers.join(', ') || 'none'}`,
      ...list(
        'frameworks',
        data.frameworks.map(({ name, version }) => `${name}${version === undefined ? '' : ` ${version}`}`),
      ),
      ...list(
        'asks for',
        data.runtimes.map((asked) => `${asked.runtime} ${asked.version} (${asked.source})`),
      ),
      ...list(
        'tests',
        data.testRunners.map(({ runner, path, why }) => `${runner}${path === '.' ? '' : ` in ${path}`} (${why})`),
      ),
      ...(['runtime', 'debugger', 'language server'] as const).flatMap((role) =>
        list(`${role}s`, data.engines.filter((each) => each.role === role).map(engineText)),
      ),
      ...gitLine(data.git),
      // One module that is the whole project says nothing new.
      ...(data.modules.length < 2
        ? []
        : [
            `modules (${data.modules.length}):`,
            ...data.modules.map((module) => `  ${module.name} ${module.path} ${module.kinds.join('+')}`),
          ]),
      ...(data.problems ?? []).map((problem) => `problem: ${problem}`),
    ].join('\n'),
});

/** The runtimes and debuggers for the languages of the project. */
async function programs(engines: Engines, languages: readonly string[], call: ToolCall): Promise<EngineFacts[]> {
  const wanted = new Set(languages.map(languageNamed).filter((each) => each !== undefined));
  const declared = engines.provision.engines.filter(
    ({ role, languages: of, optional }) =>
      (role === 'toolchain' || role === 'debugger') && optional !== true && of.some((each) => wanted.has(each)),
  );
  const located = await Promise.all(declared.map(({ id }) => engines.provision.locate(id, call.project)));
  return located.map((engine) => {
    // Node has its debugger in itself.
    const role = engine.role === 'toolchain' || engine.id === 'node' ? 'runtime' : 'debugger';
    const common = { name: engine.id, role } as const;
    if (!engine.found) return { ...common, state: 'missing', install: engine.installCommand };
    return {
      ...common,
      state: 'found',
      path: engine.path,
      ...(engine.version === undefined ? {} : { version: engine.version }),
    };
  });
}

async function servers(engines: Engines, call: ToolCall): Promise<EngineFacts[]> {
  const { languages } = await indexStatus(engines.code.workspace(call.project), call.signal);
  return languages.map(({ server, version, state, running, detail }) => ({
    name: server,
    role: 'language server',
    state: running || state === 'unavailable' ? (detail === undefined ? state : `${state}: ${detail}`) : 'not started',
    ...(version === undefined ? {} : { version }),
  }));
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}: ${items.join(', ')}`];
}

function engineText({ name, role, version, path, state, install }: EngineFacts): string {
  const known = `${name}${version === undefined ? '' : ` ${version}`}`;
  if (state === 'missing') return `${name} missing${install === undefined ? '' : ` (${install})`}`;
  if (role === 'runtime') return path === undefined ? known : `${known} (${path})`;
  return role === 'debugger' ? known : `${known} ${state}`;
}

interface GitFacts {
  branch?: string;
  head?: string;
  upstream?: string;
  ahead?: number;
  behind?: number;
  staged: number;
  changed: number;
  untracked: number;
  conflicts: number;
}

function gitLine(git: GitFacts | undefined): string[] {
  if (git === undefined) return [];
  const place = `${git.branch ?? 'detached'}${git.head === undefined ? ' (no commit yet)' : ` at ${git.head.slice(0, 10)}`}`;
  const distance =
    git.upstream === undefined ? '' : `, ${git.ahead ?? 0} ahead and ${git.behind ?? 0} behind ${git.upstream}`;
  const conflicts = git.conflicts === 0 ? '' : `, ${git.conflicts} conflicts`;
  return [
    `git: ${place}${distance}; ${git.staged} staged, ${git.changed} changed, ${git.untracked} untracked${conflicts}`,
  ];
}
