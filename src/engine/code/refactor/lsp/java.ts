import type { LspRefactoring } from './profile.ts';

/** Java through jdtls. */
export const javaRefactoring: LspRefactoring = {
  language: 'Java',
  extensions: ['.java'],
  offers: {
    rename: { engine: 'jdtls', limits: ['names in strings', 'names that reflection or configuration files mention'] },
    extractMethod: { engine: 'jdtls', limits: ['the selection must be whole statements or one expression'] },
    extractVariable: { engine: 'jdtls', limits: ['the selection must be one expression'] },
    inline: { engine: 'jdtls', limits: ['one use at a time of a method'] },
    safeDelete: { engine: 'jdtls and Sightline', limits: ['parameters', 'names that reflection mentions'] },
    moveFile: { engine: 'jdtls', limits: ['names that reflection or configuration files mention'] },
  },
  extractMethod: {
    kinds: ['refactor.extract.function'], // It names a method after what it makes.
    madeName:
      /(?<=^\s*(?:private|protected|public)\s+(?:static\s+)?[\w.<>[\], ?]+\s)[a-z_$][\w$]*(?=\()|\bextracted\d*\b/m,
  },
  extractVariable: {
    kinds: ['refactor.extract.variable'],
    // It names a variable after what it holds: what stands before the first assignment is the name.
    madeName: /(?<=^\s*(?:final\s+)?[\w.<>[\], ?]+\s)[a-z_$][\w$]*(?=\s*=[^=])/m,
  },
  inline: ['refactor.inline'],
  inlinesWhole: true,
  serverMovesFiles: true,
  declarationHead:
    /^\s*(?:(?:public|protected|private|static|final|abstract|synchronized|native|default|transient|volatile)\s+)*[\w.<>[\], ?]*\s*$/,
};
