import { TransportError } from '../../base/errors.ts';
import type { ToolAnswer } from '../../server/answer.ts';
import { findTool } from '../../tools/registry.ts';
import { UsageError, type Command, type CommandContext } from '../command.ts';
import { compose } from '../compose.ts';
import { stderrSink } from '../logSinks.ts';
import { joinShared } from '../sharedClient.ts';
import { parseToolArguments } from '../toolArguments.ts';

export const call: Command = {
  name: 'call',
  summary: 'call any tool from a shell',
  usage: `sightline call TOOL [[--json] '{"key": value}' | --key value ...] [--output text|json] [--embedded]

Calls the tool for the project of the current directory and prints its answer; exit code 1 when it failed. All calls from one
directory are one client of the shared process, so a debug session lasts over several. --embedded runs the call in this process.`,
  run: async (words, context) => {
    const [tool, ...rest] = words;
    if (tool === undefined || tool.startsWith('-')) throw new UsageError('which tool?');
    const { output = 'text', embedded = false, ...args } = parseToolArguments(rest, (name) => wantsText(tool, name));
    if (output !== 'text' && output !== 'json') throw new UsageError('--output is text or json.');
    const answer = await (embedded === true ? callHere : callShared)(tool, args, context);
    context.out(output === 'text' ? answer.text : JSON.stringify(answer.data ?? { error: answer.error }, null, 2));
    return answer.error === undefined ? 0 : 1;
  },
};

/** Unknown tools want nothing; the call itself says what is wrong with them. */
function wantsText(tool: string, parameter: string): boolean {
  try {
    return findTool(tool).inputSchema.properties?.[parameter]?.type === 'string';
  } catch {
    return false;
  }
}

async function callShared(tool: string, args: Record<string, unknown>, context: CommandContext): Promise<ToolAnswer> {
  const control = await joinShared(context);
  try {
    return await control.request('call', { tool, args });
  } catch (error) {
    if (error instanceof TransportError)
      throw new Error('The Sightline process ended during this call.', { cause: error });
    throw error;
  } finally {
    control.dispose();
  }
}

async function callHere(tool: string, args: Record<string, unknown>, context: CommandContext): Promise<ToolAnswer> {
  const { cwd, env } = context;
  const sightline = await compose({ env, logSink: stderrSink('warn') });
  try {
    const client = sightline.backend.connect({
      name: 'sightline call',
      transport: 'cli',
      face: 'all',
      output: 'both',
      cwd,
      env,
    });
    return await sightline.backend.callTool({ tool, args, client });
  } finally {
    await sightline.dispose();
  }
}
