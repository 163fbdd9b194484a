import { dottedExtensions } from '../../../base/languages/byPath.ts';
import { lspRefactorings } from './lsp/profiles.ts';

/** What can be done to which language, by which engine, within which limits. Shown by doctor, in the docs and in refusals. */
export const refactoringNames = [
  'rename',
  'extractMethod',
  'extractVariable',
  'inline',
  'safeDelete',
  'moveSymbol',
  'moveFile',
] as const;
export type RefactoringName = (typeof refactoringNames)[number];

/** What each is called for people. */
export const refactoringTitles: Readonly<Record<RefactoringName, string>> = {
  rename: 'rename',
  extractMethod: 'extract method',
  extractVariable: 'extract variable',
  inline: 'inline',
  safeDelete: 'safe delete',
  moveSymbol: 'move symbol',
  moveFile: 'move file',
};

interface Capability {
  engine: string;
  /** What it does not do; each is refused with this reason. */
  limits: readonly string[];
}

export interface LanguageCapabilities {
  language: string;
  extensions: readonly string[];
  offers: Readonly<Partial<Record<RefactoringName, Capability>>>;
}

const native = 'TypeScript 7 server';
const tsserver = 'TypeScript 6 server';
const rope = 'rope';

export const refactoringCapabilities: readonly LanguageCapabilities[] = [
  {
    language: 'TypeScript, JavaScript',
    extensions: dottedExtensions('typescript'),
    offers: {
      rename: {
        engine: native,
        limits: [
          'strings and comments only with comments: true',
          'symbols of libraries',
          'one of the strings of a type only where no equal string is left that no type ties to it',
          'a name of a CommonJS module that somebody uses as a whole stays exported under the old name',
        ],
      },
      extractMethod: {
        engine: tsserver,
        limits: [
          'the selection must be whole statements or one expression',
          'all occurrences only where the same names mean the same',
        ],
      },
      extractVariable: {
        engine: `${tsserver}, Sightline (all occurrences)`,
        limits: ['all occurrences only within the function around, as far as they have the same value'],
      },
      inline: {
        engine: 'Sightline',
        limits: [
          'functions that return in the middle, unless the call is what is returned; generators; async functions that are neither awaited nor returned at once',
          'functions of several statements where something else is worked out before the call',
          'methods that are overridden, or called on something else than this or a name',
          'values that would be evaluated more often, later, or differently',
        ],
      },
      safeDelete: {
        engine: `${tsserver} and Sightline`,
        limits: [
          'parameters of functions that others must match, or that are used in another way than by calling them',
          'names beside a rest that leaves them out',
          'helpers whose values come from a call stay',
        ],
      },
      moveSymbol: { engine: tsserver, limits: ['only declarations at the top level of a file'] },
      moveFile: { engine: tsserver, limits: ['importers in other languages'] },
    },
  },
  {
    language: 'Python',
    extensions: dottedExtensions('python'),
    offers: {
      rename: {
        engine: `${rope} and ty`,
        limits: [
          'members of objects whose type is not known, where unrelated classes share the name',
          'overrides of classes outside the project, names that are also written as strings',
        ],
      },
      extractMethod: {
        engine: 'Sightline',
        limits: [
          'the selection must be whole statements of one block or one expression',
          'locals() in the selection, super() outside of methods; a return on some ways only, unless nothing follows',
          'variables that may have no value where the new function takes or gives them back',
        ],
      },
      extractVariable: {
        engine: 'Sightline',
        limits: [
          'conditions of loops, unless nothing that they read changes there',
          'what is computed only under a condition, or inside a lambda or comprehension',
          'what a call that comes first now may change',
        ],
      },
      inline: {
        engine: 'Sightline',
        limits: [
          'in other files only plain values are put in place of a variable',
          'generators, async functions that are not awaited at once, overridden functions, decorated ones but for properties that are only read',
          'functions that return out of a loop, unless the call is what is returned',
          'values that would be evaluated more often, later, or differently',
        ],
      },
      safeDelete: {
        engine: `${rope} and Sightline`,
        limits: [
          'parameters',
          'values that come from a call',
          'names assigned together',
          'methods that are overridden',
        ],
      },
      moveSymbol: {
        engine: 'Sightline',
        limits: [
          'only definitions at the top level of a module, to which the module does nothing more as it loads; those under a condition, if nothing else stands there',
          'what reads __name__ or globals() of its module, or names that others replace there',
          'what needs its old module to be loaded while that needs it',
        ],
      },
      moveFile: { engine: 'Sightline', limits: ['names of modules in strings'] },
    },
  },
  ...lspRefactorings,
];

export function capabilitiesFor(extension: string): LanguageCapabilities | undefined {
  return refactoringCapabilities.find((one) => one.extensions.includes(extension));
}
