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

export interface Capability {
  engine: string;
  /** What it does not do; each is refused with this reason. */
  limits: readonly string[];
}

export interface LanguageCapabilities {
  language: string;
  extensions: readonly string[];
  offers: Readonly<Partial<Record<RefactoringName, Capability>>>;
}

const tsserver = 'TypeScript 6 server';
const rope = 'rope';

export const refactoringCapabilities: readonly LanguageCapabilities[] = [
  {
    language: 'TypeScript, JavaScript',
    extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
    offers: {
      rename: {
        engine: tsserver,
        limits: ['strings and comments are left as they are and named', 'symbols of libraries'],
      },
      extractMethod: { engine: tsserver, limits: ['the selection must be whole statements or one expression'] },
      extractVariable: { engine: tsserver, limits: ['only the selected occurrence is replaced'] },
      inline: {
        engine: `${tsserver} (variables), Sightline (functions)`,
        limits: [
          'functions must consist of one returned expression',
          'methods, async functions and generators',
          'uses in other files',
          'values that would be evaluated more often, later, or differently',
        ],
      },
      safeDelete: { engine: `${tsserver} and Sightline`, limits: ['parameters', 'destructured variables'] },
      moveSymbol: { engine: tsserver, limits: ['only declarations at the top level of a file'] },
      moveFile: { engine: tsserver, limits: ['importers in other languages'] },
    },
  },
  {
    language: 'Python',
    extensions: ['.py', '.pyi'],
    offers: {
      rename: {
        engine: rope,
        limits: ['members of objects whose type is not known', 'strings and comments, except __all__'],
      },
      extractMethod: {
        engine: rope,
        limits: ['yield, global, nonlocal, super() and := in the selection', 'names in use in the file'],
      },
      extractVariable: { engine: rope, limits: ['only the selected occurrence is replaced'] },
      inline: {
        engine: 'Sightline (variables), rope (functions)',
        limits: [
          'uses in other files',
          'async functions, generators, decorated functions',
          'calls that would need parentheses or whose arguments are more than names',
        ],
      },
      safeDelete: { engine: 'rope and Sightline', limits: ['cascading', 'values that come from a call'] },
      moveSymbol: { engine: rope, limits: ['the target file must exist'] },
      moveFile: { engine: rope, limits: ['moving and renaming at once', 'the target folder must exist'] },
    },
  },
];

export function capabilitiesFor(extension: string): LanguageCapabilities | undefined {
  return refactoringCapabilities.find((one) => one.extensions.includes(extension));
}
