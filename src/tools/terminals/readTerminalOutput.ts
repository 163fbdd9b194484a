import { z } from 'zod';
import { headAndTail } from '../../base/text/textBudget.ts';
import { waitForCommand } from '../../engine/workspace/terminals/waiting.ts';
import { defineTool } from '../defineTool.ts';
import { outputShare } from '../workspace/jobShapes.ts';
import { commandView, renderTerminal, stateOf, terminalObject } from './terminalShapes.ts';

export const readTerminalOutput = defineTool({
  name: 'read_terminal_output',
  title: 'Read a terminal',
  description:
    'What a terminal shows: exit code and output of the last command, the screen of a full-screen program, or the last `lines`. wait_ms waits for an end or a question.',
  faces: ['workspace'],
  toolset: 'terminals',
  effect: 'read',
  input: z.object({
    terminal_id: z.string().optional(),
    lines: z.int().optional(),
    wait_ms: z.int().optional(),
  }),
  output: terminalObject,
  run: async (engines, args, call) => {
    const terminal = engines.terminals.find(call.project, args.terminal_id);
    const { command } = terminal;
    const running = command?.hasEnded === false ? command : undefined;
    const outcome =
      running === undefined
        ? undefined
        : await waitForCommand(terminal, running, Math.min(args.wait_ms ?? 0, call.patienceMs), call.signal);
    const attention = outcome === 'time' ? ((await terminal.attention()) ?? outcome) : outcome;
    await terminal.screen.settled();
    const isDrawn = attention === 'time' && terminal.screen.isFullScreen;
    const view = await commandView(terminal, isDrawn ? 'fullScreen' : attention, call, terminal.command?.output);
    if (args.lines === undefined) return view;
    const { output: _command, ...rest } = view;
    const screen = headAndTail(terminal.screen.last(args.lines), outputShare(call.budget.maxChars));
    return { ...rest, state: stateOf(terminal, attention), screen, cursor: terminal.screen.cursor };
  },
  render: renderTerminal,
});
