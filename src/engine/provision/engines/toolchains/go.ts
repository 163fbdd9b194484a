import { byHand } from '../../installers/byHand.ts';
import type { EngineDeclaration } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { atPlaces, onPath } from '../../programs.ts';

export const go: EngineDeclaration = {
  id: 'go',
  title: 'Go',
  role: 'toolchain',
  languages: ['go'],
  find: [onPath('go'), atPlaces('/usr/local/go/bin/go', '/opt/homebrew/bin/go')],
  start: (path) => [path],
  probe: versionFrom(['version'], /go(\d+\.\d+(?:\.\d+)?)/),
  install: byHand('Go is not installed by Sightline.', {
    linux: 'sudo apt-get install golang-go (newer: https://go.dev/dl)',
    darwin: 'brew install go',
    win32: 'winget install GoLang.Go',
  }),
};
