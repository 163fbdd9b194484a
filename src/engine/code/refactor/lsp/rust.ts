import type { LspRefactoring } from './profile.ts';

/** Rust through rust-analyzer. */
export const rustRefactoring: LspRefactoring = {
  language: 'Rust',
  extensions: ['.rs'],
  offers: {
    rename: { engine: 'rust-analyzer', limits: ['names inside of macros that are not expanded', 'names in strings'] },
    extractMethod: { engine: 'rust-analyzer', limits: ['the selection must be whole statements or one expression'] },
    extractVariable: { engine: 'rust-analyzer', limits: ['the selection must be one expression'] },
    inline: { engine: 'rust-analyzer', limits: ['of functions one call at a time'] },
    safeDelete: { engine: 'rust-analyzer and Sightline', limits: ['parameters', 'what only macros use'] },
    moveFile: { engine: 'rust-analyzer', limits: ['paths in strings and in include! are not followed'] },
  },
  extractMethod: { kinds: ['refactor.extract'], title: /into function$/, madeName: /\bfun_name\b/ },
  extractVariable: { kinds: ['refactor.extract'], title: /into variable$/, madeName: /\bvar_name\b/ },
  inline: ['refactor.inline'],
  inlinesWhole: true,
  serverMovesFiles: true,
  declarationHead: /^\s*(?:pub(?:\([^)]*\))?\s+)?$/,
};
