import type { Turn } from './model/wire.ts';
import type { RealClient } from './realClient.ts';
import { toolsOfFace } from '../../src/tools/registry.ts';

export type Step =
  | 'probe'
  | 'long'
  | 'references'
  | 'failing'
  | 'more'
  | 'further'
  | 'rename'
  | 'approval'
  | 'approved';

/** A call under our own names. */
export interface Call {
  step: Step;
  tool: string;
  args: Record<string, unknown>;
}

const move = { tool: 'ide_refactor_move', args: { file: 'check.sh', target_directory: '.husky' } };

const turns: readonly (readonly Call[])[] = [
  [{ step: 'probe', tool: 'debug_probe', args: { program: 'fail.js' } }],
  [
    { step: 'long', tool: 'debug_probe', args: { program: 'endless.js', wait_ms: 3000 } },
    { step: 'references', tool: 'ide_find_references', args: { file: 'price.ts', line: 1, text: 'priceOf' } },
  ],
  [{ step: 'failing', tool: 'ide_find_references', args: { file: 'nowhere.ts', line: 1, text: 'priceOf' } }],
  [{ step: 'more', tool: 'sightline_tools', args: { enable: ['diagnostics'] } }],
  [{ step: 'further', tool: 'sightline_tools', args: { call: 'get_file_outline', arguments: { path: 'price.ts' } } }],
  [
    {
      step: 'rename',
      tool: 'ide_refactor_rename',
      args: { file: 'price.ts', line: 1, text: 'priceOf', new_name: 'totalOf' },
    },
  ],
  // Git executes what lies there, so a person has to agree.
  [{ step: 'approval', ...move }],
  // The same again, once a person has approved it.
  [{ step: 'approved', ...move }],
];

/** Long enough to be interrupted. */
export const endlessCall: Call = {
  step: 'long',
  tool: 'debug_probe',
  args: { program: 'endless.js', wait_ms: 40_000 },
};

/** The calls of the conversation with this client, turn by turn. */
export function turnsOf(client: RealClient): readonly (readonly Call[])[] {
  return client.asksAgain === true ? turns : turns.slice(0, -1);
}

/** The number of a step's turn, and of its call in it. */
export function placeOf(client: RealClient, step: Step): { turn: number; index: number } {
  const turn = turnsOf(client).findIndex((calls) => calls.some((call) => call.step === step));
  const index = turnsOf(client)[turn]?.findIndex((call) => call.step === step) ?? -1;
  return { turn: turn + lookUpTurns(client).length, index };
}

/** The model asks for all tools first where it knows only names. Two calls: there are clients that hand out at most twenty at once. */
export function lookUpTurns(client: RealClient): Turn[] {
  const { lookUp } = client;
  if (lookUp === undefined) return [];
  const names = toolsOfFace('default').map(({ name }) => client.offered(name));
  const half = Math.ceil(names.length / 2);
  return [{ calls: [names.slice(0, half), names.slice(half)].map((some) => lookUp.ask(some)) }];
}

/** A turn under the names by which the client offers our tools. */
export function asOffered(client: RealClient, calls: readonly Call[]): Turn {
  return {
    calls: calls.map(({ tool, args }) => {
      const name = client.offered(tool);
      return client.lookUp?.call?.(name, args) ?? { tool: name, args };
    }),
  };
}
