import { rustupComponent } from '../../installers/rustup.ts';
import type { EngineDeclaration } from '../../model.ts';
import { answersInitialize, versionFrom } from '../../probes.ts';
import { inEditorExtensions, inHome, onPath } from '../../programs.ts';

/** The program on PATH may be rustup's stand-in, which fails until the component is there: hence the check by running it. */
export const rustAnalyzer: EngineDeclaration = {
  id: 'rust-analyzer',
  title: 'rust-analyzer',
  role: 'languageServer',
  languages: ['rust'],
  find: [
    onPath('rust-analyzer'),
    inHome('.cargo/bin/rust-analyzer', '.rustup/toolchains/*/bin/rust-analyzer'),
    inEditorExtensions('rust-lang.rust-analyzer-*/server/rust-analyzer'),
  ],
  start: (path) => [path],
  probe: versionFrom(['--version']),
  verify: (path, context, scratch) => answersInitialize([path], scratch, context),
  // Without the sources of the standard library it would fetch them itself, unasked.
  install: rustupComponent('rust-analyzer', 'rust-src'),
};
