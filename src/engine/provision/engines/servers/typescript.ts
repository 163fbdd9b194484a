import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { machine, platform } from '../../../../base/platform/here.ts';
import { byHand } from '../../installers/byHand.ts';
import type { EngineDeclaration, Finder } from '../../model.ts';
import { answersInitialize, versionFrom } from '../../probes.ts';

/** TypeScript's own language server, a native program that comes with Sightline. */
export const typescript: EngineDeclaration = {
  id: 'typescript',
  title: 'TypeScript',
  role: 'languageServer',
  languages: ['typescript'],
  find: [bundled()],
  start: (path) => [path, '--lsp', '--stdio'],
  probe: versionFrom(['--version']),
  verify: (path, context, scratch) => answersInitialize([path, '--lsp', '--stdio'], scratch, context),
  install: byHand('TypeScript comes with Sightline as a package for this platform, which is not there.', {
    linux: 'npm install --include=optional (in the folder where Sightline is installed)',
  }),
};

function bundled(): Finder {
  return {
    source: 'bundled',
    paths: () => {
      const require = createRequire(import.meta.url);
      try {
        // The platform package is a dependency of `typescript`, so it is looked up from there.
        const fromTypescript = createRequire(require.resolve('typescript/package.json'));
        const name = `@typescript/typescript-${machine}`;
        const folder = dirname(fromTypescript.resolve(`${name}/package.json`));
        return [join(folder, 'lib', platform.customs.programNames('tsc')[0] ?? 'tsc')];
      } catch {
        return [];
      }
    },
  };
}
