import { ToolError } from '../base/errors.ts';
import { runBefore } from '../engine/workspace/jobs/beforeSteps.ts';
import type { Job } from '../engine/workspace/jobs/jobStore.ts';
import type { BeforeStep, LaunchPlan, RunConfiguration } from '../engine/workspace/runConfigs/model.ts';
import { planCommand, type Runtimes } from '../engine/workspace/runConfigs/planCommand.ts';
import {
  findRunConfiguration,
  listRunConfigurations,
  type RunConfigurationList,
} from '../engine/workspace/runConfigs/runConfigurations.ts';
import type { ToolCall } from './defineTool.ts';
import type { Engines } from './engines.ts';
import { recordedJobs } from './recordedPrograms.ts';

/** Languages whose programs the debugger can start. */
export const debuggableLanguages: ReadonlySet<string> = new Set(['node', 'python']);

export function configurationsOf(call: ToolCall): Promise<RunConfigurationList> {
  return listRunConfigurations(call.project, { debuggable: debuggableLanguages, signal: call.signal });
}

/** Runs a configuration as a job, or the members of a compound as one each. */
export async function runConfigured(engines: Engines, name: string, call: ToolCall): Promise<Job[]> {
  const list = await configurationsOf(call);
  const configuration = findRunConfiguration(list, name);
  if (!configuration.canRun) {
    throw new ToolError(
      'launch_failed',
      `"${configuration.name}" cannot be run. ${configuration.whyNot ?? ''}`.trim(),
      {
        hint: configuration.canDebug ? 'It can be debugged.' : 'list_run_configurations shows the others.',
      },
    );
  }
  const { plan } = configuration;
  return recordedJobs(engines, call, `ran ${configuration.name}`, async () => {
    if (plan?.kind !== 'compound') return [await runAsJob(engines, configuration, call)];
    await before(engines, plan.before, call);
    const jobs: Job[] = [];
    for (const member of plan.members) jobs.push(await runAsJob(engines, findRunConfiguration(list, member), call));
    return jobs;
  });
}

/** Waits for the end of the first job, at most so long. When the call is cancelled, all that it started ends. */
export async function waitOrStop(jobs: readonly Job[], waitMs: number, call: ToolCall): Promise<boolean> {
  try {
    return (await jobs[0]?.wait(Math.min(waitMs, call.patienceMs), call.signal)) ?? true;
  } catch (error) {
    await Promise.all(jobs.map((job) => job.stop()));
    throw error;
  }
}

function before(engines: Engines, steps: readonly BeforeStep[], call: ToolCall): Promise<void> {
  const { project, client, patienceMs, signal } = call;
  return runBefore(engines.jobs, { project, clientId: client.id, steps, waitMs: patienceMs, signal });
}

async function runAsJob(engines: Engines, configuration: RunConfiguration, call: ToolCall): Promise<Job> {
  const { plan, name } = configuration;
  if (plan?.kind !== 'launch') throw new ToolError('launch_failed', `"${name}" cannot be run.`);
  await before(engines, plan.before, call);
  const runtimes = await runtimesFor(engines, plan, call);
  return engines.jobs.start({
    project: call.project,
    clientId: call.client.id,
    name,
    command: planCommand(plan, runtimes, call.project.root),
    cwd: plan.cwd,
    env: plan.env,
  });
}

async function runtimesFor(engines: Engines, plan: LaunchPlan, call: ToolCall): Promise<Runtimes> {
  const path = async (id: string) => {
    const located = await engines.provision.locate(id, call.project);
    return located.found ? located.path : undefined;
  };
  return {
    node: plan.language === 'node' ? ((await path('node')) ?? process.execPath) : process.execPath,
    ...(plan.language === 'python' ? { python: await path('python') } : {}),
    ...(plan.language === 'go' ? { go: await path('go') } : {}),
  };
}
