import { advise, step as toStep } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import type { Project } from '../project.ts';
import type { BeforeStep } from '../runConfigs/model.ts';
import type { JobStore } from './jobStore.ts';

interface BeforeRequest {
  project: Project;
  clientId: string;
  steps: readonly BeforeStep[];
  /** The longest that is waited for one step; it goes on as a job after that. */
  waitMs: number;
  signal?: AbortSignal | undefined;
}

/** Runs what a configuration wants done first, such as a build. A watcher is left running as a job; the first step that fails ends the start. */
export async function runBefore(jobs: JobStore, request: BeforeRequest): Promise<void> {
  for (const step of request.steps) {
    const job = await jobs.start({
      project: request.project,
      clientId: request.clientId,
      name: `task ${step.label}`,
      command: step.command,
      cwd: step.cwd,
      env: step.env,
    });
    if (step.isBackground) continue;
    const ended = await job.waitOrStop(request.waitMs, request.signal);
    if (!ended) {
      throw new ToolError('timeout', `The task "${step.label}", which comes first, is still running as ${job.id}.`, {
        hint: advise`${toStep('waitJob', { jobId: job.id })}, then start the configuration again.`,
        data: { jobId: job.id },
      });
    }
    const { code, signal } = await job.ended;
    if (code === 0) continue;
    const how = code === null ? `was ended by ${signal}` : `ended with code ${code}`;
    throw new ToolError('launch_failed', `The task "${step.label}", which comes first, ${how}. Nothing was started.`, {
      hint: job.output.headAndTail(1500).trim(),
      data: { jobId: job.id },
    });
  }
}
