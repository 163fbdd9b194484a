import { advise, step } from '../../base/text/advice.ts';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import type { JobStore } from '../workspace/jobs/jobStore.ts';
import type { Project } from '../workspace/project.ts';
import type { BuildProblem, BuildStep } from './model.ts';

interface BuildRequest {
  project: Project;
  clientId: string;
  build: BuildStep;
  signal?: AbortSignal | undefined;
  /** What did not happen when it does not compile; that nothing was started when absent. */
  undone?: string;
}

/** A build may take this long within one call; after that it goes on as a job, and what it has compiled is kept by its tool. */
const patienceMs = 30_000;
const toldProblems = 20;

/** Builds what is to be debugged. What the compiler refuses is one error that names each place. */
export async function runBuild(
  jobs: JobStore,
  { project, clientId, build, signal, undone = 'nothing was started' }: BuildRequest,
): Promise<void> {
  const { title, command, cwd, env } = build;
  const job = await jobs.start({ project, clientId, name: title, command, cwd, ...(env === undefined ? {} : { env }) });
  if (!(await job.waitOrStop(patienceMs, signal)))
    throw new ToolError('timeout', `${title} is still running as ${job.id}; ${undone} yet.`, {
      hint: advise`${step('waitJob', { jobId: job.id })}, then make the same call again: what is compiled by then is not compiled again.`,
      data: { jobId: job.id },
    });
  const { code, signal: endedBy } = await job.ended;
  if (code === 0) return;
  const output = job.output.headAndTail(20_000);
  const problems = build.problems(output);
  if (problems.length > 0) throw buildFailed(title, problems, project.root, undone);
  const how = code === null ? `was ended by ${endedBy}` : `ended with code ${code}`;
  throw new ToolError('launch_failed', `${title} ${how}; ${undone}.`, {
    hint: output.trim().slice(-1500),
    data: { jobId: job.id },
  });
}

function buildFailed(title: string, problems: readonly BuildProblem[], root: string, undone: string): ToolError {
  const shown = problems.slice(0, toldProblems).map((each) => ({
    ...each,
    ...(each.file === undefined ? {} : { file: displayPath(root, each.file) }),
  }));
  const lines = shown.slice(0, 5).map(({ file, line, column, message }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    return place === '' ? message : `${place}: ${message}`;
  });
  const more = problems.length - lines.length;
  return new ToolError(
    'launch_failed',
    `It does not compile, so ${undone} (${title}):\n${lines.join('\n')}${more > 0 ? `\nand ${more} more` : ''}`,
    { data: { problems: shown } },
  );
}
