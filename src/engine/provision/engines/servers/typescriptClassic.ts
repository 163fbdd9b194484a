import { createRequire } from 'node:module';
import { byHand } from '../../installers/byHand.ts';
import type { EngineDeclaration } from '../../model.ts';
import { packageVersion } from '../../programs.ts';

/** The compiler written in TypeScript: a library that knows the refactorings which the native one lacks. Comes with Sightline. */
export const typescriptClassic: EngineDeclaration = {
  id: 'typescript-classic',
  title: 'TypeScript compiler',
  role: 'refactoring',
  languages: ['typescript'],
  find: [
    {
      source: 'bundled',
      paths: () => {
        try {
          return [createRequire(import.meta.url).resolve('typescript-classic')];
        } catch {
          return [];
        }
      },
    },
  ],
  start: () => [],
  probe: (path) => packageVersion(path),
  install: byHand('The TypeScript compiler comes with Sightline, and its package is not there.', {
    linux: 'npm install (in the folder where Sightline is installed)',
  }),
};
