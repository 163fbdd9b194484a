import type { LspRefactoring } from './profile.ts';
import { because } from '../refusals/refuse.ts';

/** Go through gopls. */
export const goRefactoring: LspRefactoring = {
  language: 'Go',
  extensions: ['.go'],
  offers: {
    rename: { engine: 'gopls', limits: ['names in strings', 'files left out by build constraints'] },
    extractMethod: { engine: 'gopls', limits: ['the selection must be whole statements or one expression'] },
    extractVariable: { engine: 'gopls', limits: ['the selection must be one expression'] },
    inline: {
      engine: 'gopls',
      limits: ['one use at a time; the declaration stays, unless nothing else uses the variable'],
    },
    safeDelete: {
      engine: 'gopls and Sightline',
      limits: ['parameters', 'constants of a group with iota', 'methods that an interface asks for'],
    },
    moveFile: { engine: 'Sightline', limits: ['only within its folder, which is its package'] },
  },
  extractMethod: {
    kinds: ['refactor.extract.method', 'refactor.extract.function'],
    madeName: /\bnew(?:Function|Method)\d*\b/,
  },
  extractVariable: {
    kinds: ['refactor.extract.variable', 'refactor.extract.constant'],
    all: 'refactor.extract.variable-all',
    madeName: /\bnew(?:Var|Const)\d*\b/,
  },
  inline: ['refactor.inline.call', 'refactor.inline.variable'],
  declarationHead: /^\s*(?:(?:type|var|const)\s+)?$/,
  undeletable: (text, line) => {
    const lines = text.split('\n');
    const opening = lines.slice(0, line).findLastIndex((each) => /^(?:const\b|\)|func\b|type\b|var\b)/.test(each));
    const group = /^const\s*\($/.test(lines[opening]?.trim() ?? '')
      ? lines.slice(opening).join('\n').split(/^\)/m)[0]
      : '';
    return /\biota\b/.test(group ?? '') ? because('countsWithIota') : undefined;
  },
  unusedLine: (line, name) => new RegExp(`^\\s*${name}\\s*:=`).test(line),
  filesHaveNoName: true,
};
