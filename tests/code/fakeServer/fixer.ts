import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerDefinition } from '../../../src/engine/code/servers/definition.ts';

/** The server that finds every `bad` wrong (see fixServer.mjs) as the engine sees servers. */
export const fixer: ServerDefinition = {
  id: 'fixer',
  title: 'fixing language server',
  languages: { fix: 'fix' },
  configFiles: /^fix\.json$/,
  readiness: { sign: 'answersWait' },
  missing: 'It comes with the tests.',
  locate: () =>
    Promise.resolve({
      command: process.execPath,
      args: [join(dirname(fileURLToPath(import.meta.url)), 'fixServer.mjs')],
    }),
  configuration: () => undefined,
};
