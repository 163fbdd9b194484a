import { byHand } from '../../installers/byHand.ts';
import type { EngineDeclaration } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { onPath } from '../../programs.ts';

/** The V8 inspector is part of Node and spoken to directly: whoever has Node has the debugger. */
export const node: EngineDeclaration = {
  id: 'node',
  title: 'V8 inspector of Node',
  role: 'debugger',
  languages: ['typescript'],
  minimumVersion: '18',
  find: [onPath('node'), { source: 'bundled', paths: () => [process.execPath] }],
  start: (path) => [path],
  probe: versionFrom(['--version'], /v(\d+\.\d+\.\d+)/),
  install: byHand('Node is not installed by Sightline.', {
    linux: 'install Node.js 20 or newer (https://nodejs.org)',
  }),
};
