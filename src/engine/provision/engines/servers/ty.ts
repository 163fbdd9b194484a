import { pipInstall } from '../../installers/pip.ts';
import type { EngineDeclaration } from '../../model.ts';
import { answersInitialize, versionFrom } from '../../probes.ts';
import { inCache, inProject, onPath } from '../../programs.ts';

export const ty: EngineDeclaration = {
  id: 'ty',
  title: 'ty',
  role: 'languageServer',
  languages: ['python'],
  minimumVersion: '0.0.85',
  find: [inProject('.venv/bin/ty', 'venv/bin/ty'), onPath('ty'), inCache('bin/ty')],
  start: (path) => [path, 'server'],
  probe: versionFrom(['--version']),
  verify: (path, context, scratch) => answersInitialize([path, 'server'], scratch, context),
  install: pipInstall({ name: 'ty', version: '0.0.100', entry: 'bin/ty' }),
};
