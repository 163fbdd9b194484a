import { untilCancelled, withTimeout } from '../../../../../base/cancellation.ts';
import { errorMessage, ToolError } from '../../../../../base/errors.ts';
import { childEnvironment, ManagedProcess } from '../../../../../base/processes.ts';
import { programOnPath } from '../../../../workspace/jobs/shell.ts';
import type { LaunchSpec } from '../../../model.ts';
import type { TargetContext } from '../../../target.ts';
import type { Announcements } from './announcements.ts';

const announceTimeoutMs = 15_000;
/** How long a command line is given to start Node before the session just runs. */
const commandLineMs = 3000;

/** Starts what a launch asks for, so that every Node process in it announces itself. */
export async function startProgram(
  spec: LaunchSpec,
  announcements: Announcements,
  { project }: TargetContext,
): Promise<ManagedProcess> {
  const { command, args } = commandLine(spec, project.env);
  const starter = spec.starterRuns === undefined ? undefined : spec.program;
  const announcing = announcements.environment(spec.env['NODE_OPTIONS'], starter);
  const env = childEnvironment(project.env, { ...spec.env, ...announcing });
  try {
    return await ManagedProcess.start({ command, args, cwd: spec.cwd, env, name: spec.name });
  } catch (error) {
    await announcements.dispose();
    throw new ToolError('launch_failed', errorMessage(error), {
      hint: 'Check the program and cwd of the launch.',
      cause: error,
    });
  }
}

/** Waits for the first process under the debugger, or the end of the program. */
export async function untilDebugged(
  spec: LaunchSpec,
  program: ManagedProcess,
  firstReady: Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ready = Promise.race([firstReady, program.exited.then(() => undefined)]);
  // A command line that starts Node late, or never, must not be taken for a failure: the session just runs.
  const isDirect = spec.kind === 'program';
  await untilCancelled(
    isDirect
      ? withTimeout(ready, announceTimeoutMs, () => notAnnounced(spec, program))
      : Promise.race([ready, new Promise<void>((resolve) => setTimeout(resolve, commandLineMs).unref())]),
    signal,
  );
}

function notAnnounced(spec: LaunchSpec, program: ManagedProcess): ToolError {
  return new ToolError(
    'launch_failed',
    `${spec.name} started, but no Node process announced itself within ${announceTimeoutMs / 1000} s.`,
    {
      hint: 'Is the runtime really Node, and does the program keep NODE_OPTIONS?',
      data: { stderr: program.stderrTail },
    },
  );
}

export function commandLine(spec: LaunchSpec, env: NodeJS.ProcessEnv): { command: string; args: string[] } {
  const [command, ...rest] = spec.command ?? [];
  if (command !== undefined) return { command, args: [...rest, ...spec.args] };
  const program = spec.program === undefined ? [] : [spec.program];
  return {
    command: spec.runtime ?? nodeFor({ ...env, ...spec.env }),
    args: [...(spec.runtimeArgs ?? []), ...program, ...spec.args],
  };
}

/** The one that a shell would start; where there is none, the one that runs us. */
function nodeFor(env: NodeJS.ProcessEnv): string {
  return programOnPath('node', env) === undefined ? process.execPath : 'node';
}
