import { joinArguments } from '../../base/commandLine.ts';
import type { Project } from '../workspace/project.ts';
import type { TerminalStore } from '../workspace/terminals/terminalStore.ts';
import type { AgentLaunch } from './agentProcess.ts';

/** Runs an agent's own command where a person can type: passwords go to it and nowhere else. */
export async function openSignInTerminal(
  terminals: TerminalStore,
  project: Project,
  launch: AgentLaunch,
): Promise<{ id: string; ended: Promise<void> }> {
  const terminal = await terminals.open({
    project,
    owner: { id: 'person', name: 'a person' },
    name: `sign in to ${launch.title}`,
    cwd: launch.cwd,
  });
  const variables = Object.entries(launch.env).map(([name, value]) => `${name}=${value}`);
  const line = joinArguments([
    ...(variables.length === 0 ? [] : ['env', ...variables]),
    launch.command,
    ...launch.args,
  ]);
  const command = await terminal.run(line);
  return { id: terminal.id, ended: Promise.race([command.ended, terminal.exited.then(() => undefined)]) };
}
