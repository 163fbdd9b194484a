import { spareMemory } from '../base/collector.ts';
import { ToolError, errorMessage } from '../base/errors.ts';
import { UsageError, type Command, type CommandContext } from './command.ts';
import { agent } from './commands/agent.ts';
import { approve } from './commands/approve.ts';
import { call } from './commands/call.ts';
import { dashboard } from './commands/dashboard.ts';
import { doctor } from './commands/doctor.ts';
import { editorFeed } from './commands/editorFeed.ts';
import { history } from './commands/history.ts';
import { install } from './commands/install.ts';
import { serve } from './commands/serve.ts';
import { setup } from './commands/setup.ts';
import { shared } from './commands/shared.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { stdio } from './commands/stdio.ts';
import { stop } from './commands/stop.ts';
import { terminal } from './commands/terminal.ts';
import { trust } from './commands/trust.ts';
import { sightlineVersion } from '../base/version.ts';

/** In the order of the overview. */
export const commands: readonly Command[] = [
  start,
  stdio,
  serve,
  shared,
  dashboard,
  status,
  stop,
  doctor,
  setup,
  call,
  install,
  agent,
  editorFeed,
  history,
  approve,
  terminal,
  trust,
];

/** Runs one command line and resolves to its exit code. */
export async function main(argv: readonly string[], context: CommandContext): Promise<number> {
  spareMemory();
  const [first = 'start', ...rest] = argv;
  if (first === 'help' || first === '--help' || first === '-h') return help(rest[0], context);
  if (first === '--version' || first === '-v' || first === 'version') {
    context.out(sightlineVersion);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === first);
  if (command === undefined) {
    context.err(`sightline: there is no command "${first}".\n`);
    context.err(overview());
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) return help(command.name, context);
  try {
    return await command.run(rest, context);
  } catch (error) {
    return report(error, command, context);
  }
}

function report(error: unknown, command: Command, context: CommandContext): number {
  if (error instanceof UsageError || isParseArgsError(error)) {
    context.err(`sightline ${command.name}: ${errorMessage(error)}\n\n${command.usage}`);
    return 2;
  }
  if (error instanceof ToolError)
    context.err(`sightline: ${error.message}${error.hint === undefined ? '' : `\n${error.hint.toString()}`}`);
  else context.err(`sightline: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return 1;
}

function help(name: string | undefined, context: CommandContext): number {
  const command = commands.find((candidate) => candidate.name === name);
  context.out(command === undefined ? overview() : command.usage);
  return 0;
}

function overview(): string {
  const shown = commands.filter((command) => !command.hidden);
  const width = Math.max(...shown.map((command) => command.name.length)) + 2;
  const lines = shown.map((command) => `  ${command.name.padEnd(width)}${command.summary}`);
  return `sightline ${sightlineVersion}: the IDE that a coding agent drives\n\n${lines.join('\n')}\n\nsightline help COMMAND shows its flags.`;
}

function isParseArgsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
