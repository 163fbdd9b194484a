import { z } from 'zod';
import type { RunConfiguration } from '../../engine/workspace/runConfigs/model.ts';
import { defineTool } from '../defineTool.ts';
import { configurationsOf } from '../runConfigurations.ts';

export const listRunConfigurationsTool = defineTool({
  name: 'list_run_configurations',
  title: 'List run configurations',
  description:
    'Lists what can be run or debugged here: launch.json, tasks.json, package.json and pyproject.toml scripts, JetBrains configurations, main and test files.',
  faces: ['debugger', 'workspace'],
  toolset: 'run',
  effect: 'read',
  input: z.object({
    filter: z.string().optional().describe('part of the name, type or source'),
  }),
  output: z.object({
    configurations: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        typeId: z.string(),
        source: z.string(),
        canRun: z.boolean(),
        canDebug: z.boolean(),
        whyNot: z.string().optional(),
        isTemporary: z.boolean(),
        folder: z.string().optional(),
        description: z.string().optional(),
        preLaunchTask: z.string().optional(),
        /** What has to be passed as `inputs` to start it. */
        inputs: z
          .array(
            z.object({
              id: z.string(),
              description: z.string().optional(),
              options: z.array(z.string()).optional(),
              default: z.string().optional(),
            }),
          )
          .optional(),
      }),
    ),
    count: z.int(),
    /** Files that could not be read in full, and how many detected test files are not listed. */
    problems: z.array(z.string()).optional(),
    moreTestFiles: z.int().optional(),
  }),
  run: async (engines, args, call) => {
    const list = await configurationsOf(engines, call);
    const wanted = args.filter?.toLowerCase() ?? '';
    const matching = list.configurations.filter(({ name, type, source }) =>
      `${name}\n${type}\n${source}`.toLowerCase().includes(wanted),
    );
    const tests = matching.filter(isTestFile).slice(maxTestFiles);
    const configurations = matching.filter((each) => !tests.includes(each)).map(({ plan: _plan, ...shown }) => shown);
    return {
      configurations,
      count: configurations.length,
      problems: list.problems.length === 0 ? undefined : list.problems,
      moreTestFiles: tests.length === 0 ? undefined : tests.length,
    };
  },
  render: (data) => {
    const lines = data.configurations.map((each) => {
      const can = each.canDebug
        ? each.canRun
          ? ''
          : ' [debug only]'
        : each.canRun
          ? ' [run only]'
          : ' [not runnable]';
      const source = each.source === 'detected' ? undefined : each.source;
      const inputs =
        each.inputs === undefined ? undefined : `asks for inputs: ${each.inputs.map(({ id }) => id).join(', ')}`;
      // That a task is run and not debugged goes without saying.
      const whyNot = each.typeId === 'task' && each.canRun ? undefined : each.whyNot;
      const details = [each.type, source, whyNot, inputs, each.description].filter((part) => part !== undefined);
      return `${each.name}${can} (${details.join('; ')})`;
    });
    const more =
      data.moreTestFiles === undefined ? [] : [`and ${data.moreTestFiles} more test files; filter finds them`];
    return [`${data.count} run configurations`, ...lines, ...more, ...(data.problems ?? [])].join('\n');
  },
});

/** As many as a model should read; the others are found by a filter and started by their names. */
const maxTestFiles = 12;

function isTestFile({ source, plan }: RunConfiguration): boolean {
  return source === 'detected' && plan?.kind === 'launch' && plan.isTest === true;
}
