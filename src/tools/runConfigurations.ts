import { advise, step } from '../base/text/advice.ts';
import { ToolError } from '../base/errors.ts';
import { runBefore } from '../engine/workspace/jobs/beforeSteps.ts';
import type { Job } from '../engine/workspace/jobs/jobStore.ts';
import type { BeforeStep, LaunchPlan, RunConfiguration, RunInput } from '../engine/workspace/runConfigs/model.ts';
import { portAnswers, untilPortAnswers } from '../engine/workspace/runConfigs/portReady.ts';
import { planCommand, type Runtimes } from '../engine/workspace/runConfigs/planCommand.ts';
import {
  findRunConfiguration,
  listRunConfigurations,
  type RunConfigurationList,
} from '../engine/workspace/runConfigs/runConfigurations.ts';
import type { ToolCall } from './defineTool.ts';
import type { Engines } from './engines.ts';
import { recordedJobs } from './recordedPrograms.ts';

export function configurationsOf(
  engines: Engines,
  call: ToolCall,
  inputs?: StartOptions['inputs'],
): Promise<RunConfigurationList> {
  const debuggable = engines.debugger.languages(call.project);
  return listRunConfigurations(call.project, { debuggable, inputs, signal: call.signal });
}

/** How a configuration is started. */
export interface StartOptions {
  name: string;
  /** Values for what it asks for, by id. */
  inputs?: Readonly<Record<string, string>>;
  /** What runs of it ends first. */
  restart?: boolean;
  /** A port that must be free before it starts and answers when it is ready. */
  readyPort?: number;
}

interface ToStart {
  configuration: RunConfiguration;
  find: (name: string) => RunConfiguration;
}

/** The configuration with everything in place that starting it needs: its inputs, the end of its last run, its port. */
export async function configurationToStart(engines: Engines, options: StartOptions, call: ToolCall): Promise<ToStart> {
  const list = await configurationsOf(engines, call, options.inputs);
  const find = (name: string) => findRunConfiguration(list, name);
  const configuration = find(options.name);
  if (options.inputs !== undefined) await refuseUnasked(engines, configuration.name, options.inputs, call);
  if (configuration.inputs !== undefined) throw inputsNeeded(configuration.name, configuration.inputs);
  const running = runningOf(engines, leavesOf(configuration, find), call);
  if (options.restart === true) await Promise.all(running.map((one) => one.stop()));
  else if (running.length > 0)
    call.note(`It also runs as ${running.map(({ id }) => id).join(', ')}; restart: true would end that first`);
  if (options.readyPort !== undefined && (await portAnswers(options.readyPort)))
    throw new ToolError(
      'launch_failed',
      `Port ${options.readyPort} is already answered by another program, so nothing was started.`,
      {
        hint:
          running.length > 0 ? 'restart: true ends what runs of this configuration first.' : 'End that program first.',
      },
    );
  return { configuration, find };
}

/** Runs a configuration as a job, or the members of a compound as one each. */
export async function runConfigured(engines: Engines, options: StartOptions, call: ToolCall): Promise<Job[]> {
  const { configuration, find } = await configurationToStart(engines, options, call);
  if (!configuration.canRun) {
    throw new ToolError(
      'launch_failed',
      `"${configuration.name}" cannot be run. ${configuration.whyNot ?? ''}`.trim(),
      {
        hint: configuration.canDebug
          ? 'It can be debugged.'
          : advise`${step('listRunConfigurations')} shows the others.`,
      },
    );
  }
  return recordedJobs(engines, call, `ran ${configuration.name}`, async () => {
    const jobs: Job[] = [];
    try {
      await runInOrder(engines, configuration, find, call, jobs);
    } catch (error) {
      // All of it or nothing: half a compound is of no use, and nobody knows its jobs.
      await Promise.all(jobs.map((job) => job.stop()));
      throw error;
    }
    if (configuration.plan?.kind === 'compound' && configuration.plan.stopAll) stopTogether(jobs);
    return jobs;
  });
}

async function runInOrder(
  engines: Engines,
  configuration: RunConfiguration,
  find: ToStart['find'],
  call: ToolCall,
  jobs: Job[],
  above: readonly string[] = [],
): Promise<void> {
  const { plan, name } = configuration;
  if (plan === undefined || plan.kind === 'attach' || above.includes(name))
    throw new ToolError('launch_failed', `"${name}" cannot be run.`);
  await before(engines, plan.before, call);
  if (plan.kind === 'compound') {
    for (const member of plan.members) await runInOrder(engines, find(member), find, call, jobs, [...above, name]);
    return;
  }
  const runtimes = await runtimesFor(engines, plan, call);
  const command = planCommand(plan, runtimes, call.project.root);
  const { project, client } = call;
  jobs.push(await engines.jobs.start({ project, clientId: client.id, name, command, cwd: plan.cwd, env: plan.env }));
}

/** Who stops one of them means all. One that ends by itself leaves the others. */
function stopTogether(jobs: readonly Job[]): void {
  for (const job of jobs)
    void job.ended.then(() => {
      if (job.state === 'stopped') for (const other of jobs) if (other.exit === undefined) void other.stop();
    });
}

/** The configurations that a start comes down to: itself, or the members of a compound. */
function leavesOf(configuration: RunConfiguration, find: ToStart['find'], above: readonly string[] = []): string[] {
  const { plan, name } = configuration;
  if (plan?.kind !== 'compound' || above.includes(name)) return [name];
  return plan.members.flatMap((member) => leavesOf(find(member), find, [...above, name]));
}

interface Running {
  id: string;
  stop(): Promise<void>;
}

function runningOf(engines: Engines, names: readonly string[], call: ToolCall): Running[] {
  const jobs = engines.jobs
    .of(call.project)
    .filter((job) => job.state === 'running' && names.includes(job.spec.name))
    .map((job) => ({ id: job.id, stop: () => job.stop() }));
  const sessions = engines.debugger
    .sessions(call.project)
    .filter(({ state, configurationName }) => state !== 'ended' && names.includes(configurationName ?? ''))
    .map((session) => ({ id: session.id, stop: () => engines.debugger.end(session) }));
  return [...jobs, ...sessions];
}

/** A value that nothing takes would look as if it had been used. */
async function refuseUnasked(
  engines: Engines,
  name: string,
  inputs: Readonly<Record<string, string>>,
  call: ToolCall,
): Promise<void> {
  const asked = (findRunConfiguration(await configurationsOf(engines, call), name).inputs ?? []).map(({ id }) => id);
  const unasked = Object.keys(inputs).filter((id) => !asked.includes(id));
  if (unasked.length === 0) return;
  const takes = asked.length === 0 ? 'It asks for nothing.' : `It asks for ${asked.join(', ')}.`;
  throw new ToolError('invalid_arguments', `"${name}" does not ask for ${unasked.join(', ')}; nothing was started.`, {
    hint: takes,
  });
}

function inputsNeeded(name: string, inputs: readonly RunInput[]): ToolError {
  const described = inputs.map(({ id, description, options, default: usual }) => {
    const facts = [
      description,
      options === undefined ? undefined : `one of ${options.join(', ')}`,
      usual === undefined ? undefined : `usually ${usual}`,
    ].filter((fact) => fact !== undefined);
    return facts.length === 0 ? id : `${id} (${facts.join('; ')})`;
  });
  const example = JSON.stringify(Object.fromEntries(inputs.map(({ id }) => [id, '…'])));
  return new ToolError('invalid_arguments', `"${name}" asks for ${described.join(' and ')}; nothing was started.`, {
    hint: `Pass inputs: ${example}. Ask the person where you cannot know.`,
    data: { inputs },
  });
}

/** Waits for the end of the first job, or until the port answers, at most so long. When the call is cancelled, all that it started ends. */
export async function waitOrStop(
  jobs: readonly Job[],
  waitMs: number,
  call: ToolCall,
  readyPort?: number,
): Promise<boolean> {
  const stop = new AbortController();
  const signal = AbortSignal.any([call.signal, stop.signal]);
  const ended = jobs[0]?.wait(Math.min(waitMs, call.patienceMs), call.signal).then(() => false) ?? false;
  try {
    if (readyPort === undefined || waitMs <= 0) return await ended;
    return await Promise.race([ended, untilPortAnswers(readyPort, signal)]);
  } catch (error) {
    await Promise.all(jobs.map((job) => job.stop()));
    throw error;
  } finally {
    stop.abort();
  }
}

function before(engines: Engines, steps: readonly BeforeStep[], call: ToolCall): Promise<void> {
  const { project, client, patienceMs, signal } = call;
  return runBefore(engines.jobs, { project, clientId: client.id, steps, waitMs: patienceMs, signal });
}

async function runtimesFor(engines: Engines, plan: LaunchPlan, call: ToolCall): Promise<Runtimes> {
  const find = async (id: string) => {
    const located = await engines.provision.locate(id, call.project);
    return located.found ? located : undefined;
  };
  const path = async (id: string) => (await find(id))?.path;
  const node = plan.language === 'node' ? await find('node') : undefined;
  return {
    node: node?.path ?? process.execPath,
    ...(node?.version === undefined ? {} : { nodeVersion: node.version }),
    ...(plan.language === 'python' ? { python: await path('python') } : {}),
    ...(plan.language === 'go' ? { go: await path('go') } : {}),
  };
}
