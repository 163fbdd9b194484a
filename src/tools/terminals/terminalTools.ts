import type { Tool } from '../defineTool.ts';
import { httpRequest } from './httpRequest.ts';
import { listTerminals } from './listTerminals.ts';
import { readTerminalOutput } from './readTerminalOutput.ts';
import { runCommand } from './runCommand.ts';
import { runInTerminal } from './runInTerminal.ts';
import { writeTerminalInput } from './writeTerminalInput.ts';

/** Commands, terminals and HTTP requests. */
export const terminalTools: readonly Tool[] = [
  runCommand,
  httpRequest,
  runInTerminal,
  listTerminals,
  readTerminalOutput,
  writeTerminalInput,
];
