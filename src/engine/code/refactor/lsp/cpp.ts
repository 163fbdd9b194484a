import type { LspRefactoring } from './profile.ts';

/** C and C++ through clangd, which renames and extracts, and inlines nothing. */
export const cppRefactoring: LspRefactoring = {
  language: 'C, C++',
  extensions: ['.c', '.cc', '.cpp', '.cxx', '.h', '.hh', '.hpp', '.hxx'],
  offers: {
    rename: { engine: 'clangd', limits: ['macros, names in strings and comments', 'code that #if leaves out'] },
    extractMethod: {
      engine: 'clangd',
      limits: ['whole statements of one function, without return, break or continue out of them'],
    },
    extractVariable: { engine: 'clangd', limits: ['the selection must be one expression'] },
  },
  extractMethod: { kinds: ['refactor'], title: /^Extract to function$/, madeName: /\bextracted\b/ },
  extractVariable: { kinds: ['refactor'], title: /^Extract subexpression to variable$/, madeName: /\bplaceholder\b/ },
  readsDisk: true,
  declarationHead: /^\s*$/,
};
