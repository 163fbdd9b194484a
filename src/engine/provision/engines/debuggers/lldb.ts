import { byHand } from '../../installers/byHand.ts';
import type { EngineDeclaration } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { atPlaces, onPath } from '../../programs.ts';

export const lldb: EngineDeclaration = {
  id: 'lldb-dap',
  title: 'lldb-dap',
  role: 'debugger',
  languages: ['cpp', 'rust'],
  minimumVersion: '18',
  find: [
    onPath('lldb-dap', 'lldb-dap-22', 'lldb-dap-21', 'lldb-dap-20', 'lldb-dap-19', 'lldb-dap-18'),
    atPlaces('/usr/lib/llvm-*/bin/lldb-dap', '/opt/homebrew/opt/llvm/bin/lldb-dap'),
  ],
  start: (path) => [path],
  probe: versionFrom(['--version'], /version (\d+\.\d+\.\d+)/),
  install: byHand('lldb-dap comes with the system; there is no package of it for npm or pip.', {
    linux: 'sudo apt-get install lldb-19',
    darwin: 'brew install llvm',
    win32: 'winget install LLVM.LLVM',
  }),
};
