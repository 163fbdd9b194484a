import { z } from 'zod';
import { anything } from './annotations.ts';
import { quoteArgument } from '../../base/commandLine.ts';
import { clip } from '../../base/text/textBudget.ts';
import type { Terminal } from '../../engine/workspace/terminals/terminal.ts';
import { waitForCommand, type CommandOutcome } from '../../engine/workspace/terminals/waiting.ts';
import { originOf } from '../changeSchema.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { withProgress } from '../workspace/jobProgress.ts';
import { commandView, renderTerminal, terminalObject } from './terminalShapes.ts';

const defaultWaitMs = 30_000;
const interrupt = '\x03';

export const runInTerminal = defineTool({
  name: 'run_in_terminal',
  title: 'Run in a terminal',
  description:
    'Runs a command in a terminal, whose shell keeps its state between calls. Returns exit code and output of this command, or that it runs on, asks for input or a password, or fills the screen.',
  faces: ['workspace'],
  toolset: 'terminals',
  effect: 'execute',
  annotations: anything,
  requires: ['trustedProject'],
  paths: { cwd: 'directory' },
  input: z.object({
    command: z.string(),
    terminal_id: z.string().optional(),
    name: z.string().optional(),
    cwd: z.string().optional(),
    wait_ms: z.int().optional(),
  }),
  output: terminalObject,
  run: async (engines, args, call) => {
    const terminal = await terminalFor(engines, args, call);
    terminal.isClaimed = true;
    const record = await engines.workingTree.begin(
      call.project,
      originOf(call, 'run_in_terminal', `ran ${clip(args.command, 80)}`),
    );
    const isElsewhere = args.cwd !== undefined && terminal.cwd !== args.cwd;
    const line = isElsewhere ? `cd ${quoteArgument(args.cwd ?? '')}\n${args.command}` : args.command;
    const command = await terminal
      .run(line)
      .catch(async (error: unknown) => {
        await record();
        throw error;
      })
      .finally(() => (terminal.isClaimed = false));
    command.recorded = command.ended.then(record);
    const outcome = await interruptible(terminal, () =>
      withProgress(
        call,
        () => `${clip(args.command, 60)}: ${terminal.screen.cursorLine}`,
        waitForCommand(terminal, command, Math.min(args.wait_ms ?? defaultWaitMs, call.patienceMs), call.signal),
      ),
    );
    await terminal.screen.settled();
    return commandView(terminal, outcome, call, command.output);
  },
  render: renderTerminal,
});

async function terminalFor(
  engines: Engines,
  args: { terminal_id?: string | undefined; name?: string | undefined; cwd?: string | undefined },
  call: ToolCall,
): Promise<Terminal> {
  if (args.terminal_id !== undefined) return engines.terminals.find(call.project, args.terminal_id);
  const open = engines.terminals.of(call.project).filter((terminal) => terminal.state !== 'ended');
  const found =
    args.name === undefined
      ? open.find((terminal) => isFree(terminal, call.client.id))
      : open.find((terminal) => terminal.spec.name === args.name);
  if (found !== undefined) return found;
  return engines.terminals.open({
    project: call.project,
    owner: { id: call.client.id, name: call.client.name },
    name: args.name ?? `terminal ${open.length + 1}`,
    cwd: args.cwd ?? call.project.root,
  });
}

function isFree(terminal: Terminal, clientId: string): boolean {
  return terminal.spec.owner.id === clientId && terminal.state === 'idle' && !terminal.isClaimed;
}

/** A caller who no longer wants the command presses Ctrl-C. */
async function interruptible(terminal: Terminal, wait: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
  try {
    return await wait();
  } catch (error) {
    terminal.type(interrupt);
    throw error;
  }
}
