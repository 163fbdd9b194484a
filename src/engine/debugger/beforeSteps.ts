import { ToolError } from '../../base/errors.ts';
import { untilCancelled } from '../../base/cancellation.ts';
import { childEnvironment, ManagedProcess } from '../../base/processes.ts';
import { headAndTail } from '../../base/textBudget.ts';
import type { Project } from '../workspace/project.ts';
import type { BeforeStep } from '../workspace/runConfigs/model.ts';

/** Runs what a configuration wants done first, such as a build. The first that fails ends the start. */
export async function runBefore(steps: readonly BeforeStep[], project: Project, signal?: AbortSignal): Promise<void> {
  for (const step of steps) {
    const [command, ...args] = step.command;
    if (command === undefined) continue;
    const child = await ManagedProcess.start({
      command,
      args,
      cwd: step.cwd,
      env: childEnvironment(project.env, step.env),
      name: step.label,
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    if (step.isBackground) continue;
    child.stdin.end();
    try {
      const exit = await untilCancelled(child.exited, signal);
      if (exit.code !== 0)
        throw new ToolError(
          'launch_failed',
          `"${step.label}", which runs first, failed (${exit.signal ?? `exit code ${exit.code ?? '?'}`}).`,
          {
            hint: headAndTail(output.trim(), 1500),
          },
        );
    } finally {
      await child.kill(0);
    }
  }
}
