import { goInstall } from '../../installers/go.ts';
import type { EngineDeclaration } from '../../model.ts';
import { answersInitialize, versionFrom } from '../../probes.ts';
import { inCache, inHome, onPath } from '../../programs.ts';

export const gopls: EngineDeclaration = {
  id: 'gopls',
  title: 'gopls',
  role: 'languageServer',
  languages: ['go'],
  minimumVersion: '0.16.0',
  find: [onPath('gopls'), inHome('go/bin/gopls'), inCache('bin/gopls')],
  start: (path) => [path],
  probe: versionFrom(['version'], /gopls v?(\d+\.\d+\.\d+)/),
  verify: (path, context, scratch) => answersInitialize([path], scratch, context),
  install: goInstall({
    module: 'golang.org/x/tools/gopls',
    program: 'gopls',
    releases: [
      { version: '0.24.0', needsGo: '1.27' },
      { version: '0.23.0', needsGo: '1.26' },
      { version: '0.21.1', needsGo: '1.25' },
      { version: '0.20.0', needsGo: '1.24.2' },
      { version: '0.18.1', needsGo: '1.23.4' },
      { version: '0.16.2', needsGo: '1.19' },
    ],
  }),
};
