import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobStore } from '../jobs/jobStore.ts';
import type { Project } from '../project.ts';
import { EventTail } from './eventTail.ts';
import type { RunProblem, TestRef } from './model.ts';
import { ownEvents } from './ownEvents.ts';
import type { SelectedPackage } from './selection.ts';

export interface Collected {
  tests: TestRef[];
  problems: RunProblem[];
}

interface CollectRequest {
  project: Project;
  clientId: string;
  jobs: JobStore;
  selected: SelectedPackage;
  locate: (engineId: string) => Promise<string>;
  waitMs: number;
  signal: AbortSignal;
}

/** The tests that a runner itself finds, with what tables and loops make; undefined when it has no way to tell them without running them. */
export async function collectTests(request: CollectRequest): Promise<Collected | undefined> {
  const { project, selected, jobs, clientId, locate } = request;
  const scratch = await mkdtemp(join(tmpdir(), 'sightline-tests-'));
  try {
    const eventsFile = join(scratch, 'events.jsonl');
    await writeFile(eventsFile, '');
    const { package: owner, selection, runner } = selected;
    const plan = await runner.collect?.({ project, package: owner, selection, eventsFile, scratch, locate });
    if (plan === undefined) return undefined;
    const found: Collected = { tests: [], problems: [] };
    const reader = plan.reader ?? ownEvents;
    const tail = new EventTail(eventsFile, (line) => {
      for (const event of reader.line(line)) {
        if (event.type === 'collected') found.tests.push(event.test);
        else if (event.type === 'problem') found.problems.push(event.problem);
      }
    });
    const job = await jobs.start({
      project,
      clientId,
      name: `${owner.runner}: list of tests`,
      command:
        plan.stdoutIsEvents === true ? ['sh', '-c', 'exec "$@" >"$0"', eventsFile, ...plan.command] : plan.command,
      cwd: plan.cwd,
      ...(plan.env === undefined ? {} : { env: plan.env }),
    });
    if (!(await job.waitOrStop(request.waitMs, request.signal))) await job.stop();
    await tail.end();
    return found;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
