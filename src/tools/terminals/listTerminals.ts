import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import { clip } from '../../base/text/textBudget.ts';
import { defineTool } from '../defineTool.ts';

export const listTerminals = defineTool({
  name: 'list_terminals',
  title: 'List terminals',
  description: 'The terminals of the project, newest first: state, shell, folder, command, who opened them.',
  faces: ['workspace'],
  toolset: 'terminals',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    terminals: z.array(
      z.object({
        terminalId: z.string(),
        name: z.string(),
        state: z.string(),
        shell: z.string(),
        cwd: z.string().optional(),
        command: z.string().optional(),
        exitCode: z.int().optional(),
        owner: z.string(),
      }),
    ),
  }),
  run: async (engines, _args, call) => ({
    terminals: engines.terminals.of(call.project).map((terminal) => {
      const { id, spec, state, shell, cwd, command } = terminal;
      return {
        terminalId: id,
        name: spec.name,
        state,
        shell,
        ...(cwd === undefined ? {} : { cwd: displayPath(call.project.root, cwd) }),
        ...(command?.text === undefined ? {} : { command: clip(command.text, 100) }),
        ...(command?.exitCode === undefined ? {} : { exitCode: command.exitCode }),
        owner: spec.owner.id === call.client.id ? 'you' : spec.owner.name,
      };
    }),
  }),
  render: ({ terminals }) =>
    terminals.length === 0
      ? 'No terminals. run_in_terminal opens one.'
      : terminals
          .map(
            ({ terminalId, name, state, shell, cwd, command, owner }) =>
              `${terminalId} ${name}: ${state} (${shell} in ${cwd ?? '?'}, opened by ${owner})${command === undefined ? '' : `: ${command}`}`,
          )
          .join('\n'),
});
