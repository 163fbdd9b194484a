import { z } from 'zod';
import { headAndTail } from '../../base/text/textBudget.ts';
import type { Terminal } from '../../engine/workspace/terminals/terminal.ts';
import type { CommandOutcome } from '../../engine/workspace/terminals/waiting.ts';
import type { ToolCall } from '../defineTool.ts';
import { changedIn, changedShape, outputShare, renderChanged } from '../workspace/jobShapes.ts';

const terminalShape = {
  terminalId: z.string(),
  name: z.string(),
  /** idle: the shell waits for a command; password, input: the program in front waits for that; fullScreen: it draws a screen. */
  state: z.enum(['starting', 'idle', 'running', 'password', 'input', 'fullScreen', 'ended']),
  command: z.string().optional(),
  exitCode: z.int().optional(),
  durationMs: z.int().optional(),
  /** Of that command alone; after typing, what was written since. */
  output: z.string().optional(),
  /** What a person would see. */
  screen: z.string().optional(),
  cursor: z.object({ line: z.int(), column: z.int() }).optional(),
  changed: changedShape.optional(),
};
export const terminalObject = z.object(terminalShape);
type TerminalData = z.output<typeof terminalObject>;

/**
 * What is told of a terminal after somebody ran or typed something in it: what was written, with the command that wrote it; or the
 * screen.
 */
export async function commandView(
  terminal: Terminal,
  outcome: CommandOutcome | undefined,
  call: ToolCall,
  written: string | undefined,
): Promise<TerminalData> {
  const command = written === undefined ? undefined : terminal.command;
  const state = stateOf(terminal, outcome);
  if (state === 'password') call.note(passwordNote(terminal));
  const isShown = state === 'fullScreen' || written === undefined;
  const changed =
    command?.hasEnded === true && command.recorded !== undefined
      ? await changedIn(command.recorded, call.project.root)
      : undefined;
  return {
    terminalId: terminal.id,
    name: terminal.spec.name,
    state,
    ...(command?.text === undefined ? {} : { command: headAndTail(command.text, 300) }),
    ...(command?.exitCode === undefined ? {} : { exitCode: command.exitCode }),
    ...(command === undefined ? {} : { durationMs: command.durationMs }),
    ...(isShown
      ? { screen: terminal.screen.visible(), cursor: terminal.screen.cursor }
      : { output: headAndTail(written, outputShare(call.budget.maxChars)) }),
    ...(changed === undefined ? {} : { changed }),
  };
}

export function stateOf(terminal: Terminal, outcome: CommandOutcome | undefined): TerminalData['state'] {
  if (terminal.state === 'ended') return 'ended';
  if (outcome === 'password' || outcome === 'input' || outcome === 'fullScreen') return outcome;
  // The prompt comes a moment after the end of the command.
  return terminal.command?.hasEnded === true ? 'idle' : terminal.state;
}

export function passwordNote({ id }: Terminal): string {
  return `It asks for a password, which only a person gives: sightline terminal ${id}. You can press Ctrl-C, or wait with read_terminal_output`;
}

const stateWords: Readonly<Record<TerminalData['state'], string>> = {
  starting: 'the shell is starting',
  idle: 'ready for a command',
  running: 'running',
  password: 'waits for a password',
  input: 'waits for input',
  fullScreen: 'draws a full screen',
  ended: 'the shell has ended',
};

export function renderTerminal(data: TerminalData): string {
  const seconds = data.durationMs === undefined ? '' : ` after ${(data.durationMs / 1000).toFixed(1)} s`;
  const how = data.exitCode === undefined ? stateWords[data.state] : `exit code ${data.exitCode}${seconds}`;
  const at = data.cursor === undefined ? '' : `; cursor at ${data.cursor.line}:${data.cursor.column}`;
  const text = data.screen ?? data.output ?? '';
  return [
    `${data.name} (${data.terminalId}): ${how}${at}`,
    text === '' ? '(no output)' : text.replace(/\n$/, ''),
    ...renderChanged(data.changed),
  ].join('\n');
}
