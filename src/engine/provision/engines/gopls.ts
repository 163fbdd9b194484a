import { goInstall } from '../installers/go.ts';
import type { EngineDeclaration } from '../model.ts';
import { answersInitialize, versionFrom } from '../probes.ts';
import { inCache, inHome, onPath } from '../programs.ts';

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
  install: goInstall('golang.org/x/tools/gopls', '0.24.0', 'gopls'),
};
