import { basename, join } from 'node:path';
import { ToolError } from '../../../src/base/errors.ts';
import type { AdapterDescription } from '../../../src/engine/debugger/target.ts';
import { AdapterBackend } from '../../../src/engine/debugger/targets/dap/adapterBackend.ts';
import type { DapAdapter } from '../../../src/engine/debugger/targets/dap/dapAdapter.ts';
import { DapTarget } from '../../../src/engine/debugger/targets/dap/dapTarget.ts';

/** Toy, as the recipe in CONTRIBUTING.md has it: one file. */
export const toyAdapter: AdapterDescription = {
  language: 'toy',
  aliases: [],
  fileExtensions: ['.toy'],
  createTarget: (context) => new DapTarget('toy', new AdapterBackend(dap), context),
  resolveProgram: ({ project, program, args, cwd = project.root, env, stopOnEntry }) =>
    Promise.resolve({
      language: 'toy',
      name: basename(program),
      kind: 'program',
      program,
      args,
      cwd,
      env,
      stopOnEntry,
    }),
  resolveTest: () => Promise.reject(new ToolError('unsupported', 'Toy has no tests.')),
  codeOf: (expression) => expression,
  dangerousPatterns: [],
};

const dap: DapAdapter = {
  name: 'toy-dap',
  adapterId: 'toy',
  start: () =>
    Promise.resolve({
      kind: 'stdio',
      command: process.execPath,
      args: [join(import.meta.dirname, 'toyAdapter.mjs')],
    }),
  launchArguments: ({ program }) => ({ program }),
  attachArguments: () => ({}),
};
