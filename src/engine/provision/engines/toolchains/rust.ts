import { byHand } from '../../installers/byHand.ts';
import type { EngineDeclaration } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { inHome, onPath } from '../../programs.ts';

export const cargo: EngineDeclaration = {
  id: 'cargo',
  title: 'Cargo',
  role: 'toolchain',
  languages: ['rust'],
  find: [onPath('cargo'), inHome('.cargo/bin/cargo')],
  start: (path) => [path],
  probe: versionFrom(['--version']),
  install: byHand('Rust is not installed by Sightline.', {
    linux: 'sudo apt-get install rustup && rustup default stable (or: https://rustup.rs)',
    darwin: 'brew install rustup && rustup default stable',
    win32: 'winget install Rustlang.Rustup',
  }),
};
