import { goInstall } from '../installers/go.ts';
import type { EngineDeclaration } from '../model.ts';
import { versionFrom } from '../probes.ts';
import { inCache, inHome, onPath } from '../programs.ts';

export const delve: EngineDeclaration = {
  id: 'dlv',
  title: 'delve',
  role: 'debugger',
  languages: ['go'],
  minimumVersion: '1.20.0',
  find: [onPath('dlv'), inHome('go/bin/dlv'), inCache('bin/dlv')],
  start: (path) => [path, 'dap'],
  probe: versionFrom(['version'], /Version:\s*(\d+\.\d+\.\d+)/),
  install: goInstall('github.com/go-delve/delve/cmd/dlv', '1.27.2', 'dlv'),
};
