import { outputForms, type OutputForm } from '../../tools/faces.ts';
import { UsageError, type Command } from '../command.ts';
import { compose } from '../compose.ts';
import { stderrSink } from '../logSinks.ts';
import { parseToolArguments } from '../toolArguments.ts';

export const call: Command = {
  name: 'call',
  summary: 'call any tool from a shell',
  usage: `sightline call TOOL [--json ARGS | --key value ...] [--output text|json]

Calls the tool for the project of the current directory and prints its answer. Exit code 1 when the tool failed.`,
  run: async (words, context) => {
    const [tool, ...rest] = words;
    if (tool === undefined || tool.startsWith('-')) throw new UsageError('which tool?');
    const { output, args } = takeOutput(parseToolArguments(rest));
    const sightline = await compose({ env: context.env, logSink: stderrSink('warn') });
    try {
      const client = sightline.backend.connect({
        name: 'sightline call',
        transport: 'cli',
        face: 'all',
        output,
        cwd: context.cwd,
        env: context.env,
      });
      const answer = await sightline.backend.callTool({ tool, args, client });
      context.out(output === 'text' ? answer.text : JSON.stringify(answer.data ?? { error: answer.error }, null, 2));
      return answer.error === undefined ? 0 : 1;
    } finally {
      await sightline.dispose();
    }
  },
};

function takeOutput(args: Record<string, unknown>): { output: OutputForm; args: Record<string, unknown> } {
  const { output = 'text', ...rest } = args;
  const form = outputForms.find((candidate) => candidate === output);
  if (form === undefined) throw new UsageError(`--output is ${outputForms.join(', ')}.`);
  return { output: form, args: rest };
}
