import { byHand } from '../../installers/byHand.ts';
import type { EngineDeclaration } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { onPath } from '../../programs.ts';

/** Speaks the debug adapter protocol since version 14. */
export const gdb: EngineDeclaration = {
  id: 'gdb',
  title: 'gdb',
  role: 'debugger',
  languages: ['cpp', 'rust'],
  optional: true,
  minimumVersion: '14',
  find: [onPath('gdb')],
  start: (path) => [path, '--quiet', '--interpreter=dap'],
  probe: versionFrom(['--version'], /gdb\)? .*?(\d+\.\d+)/i),
  install: byHand('gdb comes with the system.', { linux: 'sudo apt-get install gdb', darwin: 'brew install gdb' }),
};
