import { z } from 'zod';
import { anything } from './annotations.ts';
import { ToolError } from '../../base/errors.ts';
import { keyText } from '../../engine/workspace/terminals/keys.ts';
import type { Terminal } from '../../engine/workspace/terminals/terminal.ts';
import { typeAndWait } from '../../engine/workspace/terminals/waiting.ts';
import { defineTool } from '../defineTool.ts';
import { commandView, passwordNote, renderTerminal, terminalObject } from './terminalShapes.ts';

/** What ends a question instead of answering it. */
const waysOut = new Set(['\x03', '\x04', '\x1a', '\x1c']);
const defaultWaitMs = 5000;

export const writeTerminalInput = defineTool({
  name: 'write_terminal_input',
  title: 'Type into a terminal',
  description:
    'Types text, then keys (Enter, Ctrl-C, Up, F1, ...); returns what the terminal shows then. Refused while a password is asked for.',
  faces: ['workspace'],
  toolset: 'terminals',
  effect: 'execute',
  annotations: anything,
  requires: ['trustedProject'],
  input: z.object({
    terminal_id: z.string().optional(),
    text: z.string().optional(),
    keys: z.array(z.string()).optional(),
    wait_ms: z.int().optional(),
  }),
  output: terminalObject,
  run: async (engines, args, call) => {
    const terminal = engines.terminals.find(call.project, args.terminal_id);
    const keys = (args.keys ?? []).map((key) => keyText(key, terminal.screen.takesApplicationCursorKeys));
    const text = `${(args.text ?? '').replaceAll('\n', '\r')}${keys.join('')}`;
    if (text === '') throw new ToolError('invalid_arguments', 'Neither text nor keys were given.');
    const isWayOut = args.text === undefined && keys.every((key) => waysOut.has(key));
    if (!isWayOut) await refuseAtPassword(terminal);
    const { outcome, output } = await typeAndWait(
      terminal,
      text,
      Math.min(args.wait_ms ?? defaultWaitMs, call.patienceMs),
      call.signal,
    );
    return commandView(terminal, outcome, call, output);
  },
  render: renderTerminal,
});

export async function refuseAtPassword(terminal: Terminal): Promise<void> {
  if ((await terminal.attention()) !== 'password') return;
  throw new ToolError('permission_denied', `Nothing was typed. ${passwordNote(terminal)}.`);
}
