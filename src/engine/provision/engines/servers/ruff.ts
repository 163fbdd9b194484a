import { pipInstall } from '../../installers/pip.ts';
import type { EngineDeclaration } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { inCache, inProject, onPath } from '../../programs.ts';

/** Formats Python and sorts its imports. */
export const ruff: EngineDeclaration = {
  id: 'ruff',
  title: 'Ruff',
  role: 'formatter',
  languages: ['python'],
  optional: true,
  minimumVersion: '0.4.0',
  find: [inProject('.venv/bin/ruff', 'venv/bin/ruff'), onPath('ruff'), inCache('bin/ruff')],
  start: (path) => [path],
  probe: versionFrom(['--version']),
  install: pipInstall({ name: 'ruff', version: '0.17.4', entry: 'bin/ruff' }),
};
