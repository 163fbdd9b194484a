import type { Session } from '../engine/debugger/session/session.ts';
import type { Job } from '../engine/workspace/jobs/jobStore.ts';
import { originOf } from './changeSchema.ts';
import type { ToolCall } from './defineTool.ts';
import type { Engines } from './engines.ts';

/** Starts jobs; what they change in the project is recorded when all have ended, under the call that started them. */
export async function recordedJobs(
  engines: Engines,
  call: ToolCall,
  summary: string,
  start: () => Promise<Job[]>,
  tool = 'run_configuration',
): Promise<Job[]> {
  const record = await engines.workingTree.begin(call.project, originOf(call, tool, summary));
  try {
    const jobs = await start();
    const recorded = Promise.all(jobs.map((job) => job.ended)).then(record);
    // Of several jobs no single one can be told what it changed.
    if (jobs[0] !== undefined && jobs.length === 1) jobs[0].recorded = recorded;
    return jobs;
  } catch (error) {
    await record();
    throw error;
  }
}

/**
 * The same for programs that are debugged. The tree is looked at before the program starts: what it changes at once would be
 * missed otherwise. Without `sessionsOf`, the programs are over when `start` is.
 */
export async function recordedDebugging<Result>(
  engines: Engines,
  call: ToolCall,
  start: () => Promise<Result>,
  sessionsOf: (result: Result) => readonly Session[] = () => [],
): Promise<Result> {
  const origin = originOf(call, 'start_debug_session', 'debugged a program');
  const record = await engines.workingTree.begin(call.project, origin);
  let result: Result;
  try {
    result = await start();
  } catch (error) {
    void record();
    throw error;
  }
  const running = new Set(sessionsOf(result).filter((session) => session.state !== 'ended'));
  if (running.size === 0) void record();
  for (const session of running)
    session.standing.changes.on((state) => {
      if (state === 'ended' && running.delete(session) && running.size === 0) void record();
    });
  return result;
}
