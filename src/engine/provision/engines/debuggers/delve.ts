import { goInstall } from '../../installers/go.ts';
import type { EngineDeclaration } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { inCache, inHome, onPath } from '../../programs.ts';

export const delve: EngineDeclaration = {
  id: 'dlv',
  title: 'delve',
  role: 'debugger',
  languages: ['go'],
  minimumVersion: '1.20.0',
  find: [onPath('dlv'), inHome('go/bin/dlv'), inCache('bin/dlv')],
  start: (path) => [path, 'dap'],
  probe: versionFrom(['version'], /Version:\s*(\d+\.\d+\.\d+)/),
  install: goInstall({
    module: 'github.com/go-delve/delve',
    package: 'github.com/go-delve/delve/cmd/dlv',
    program: 'dlv',
    releases: [
      { version: '1.27.2', needsGo: '1.25' },
      { version: '1.25.2', needsGo: '1.22' },
      { version: '1.24.2', needsGo: '1.21' },
    ],
  }),
};
