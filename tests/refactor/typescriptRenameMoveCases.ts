import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';
const move = 'ide_refactor_move';
const options = '"strict":true,"target":"es2022","lib":["es2022"],"module":"esnext","moduleResolution":"bundler"';
/** The newest compiler, which judges the outcome by the configuration above, no longer knows `baseUrl`. */
const byBaseUrl = {
  'tsconfig.json': `{"compilerOptions":{${options},"noEmit":true,"paths":{"*":["./src/*"]}}}`,
  'src/tsconfig.json': `{"compilerOptions":{${options},"noEmit":true,"baseUrl":"."}}`,
};

/** Places that a rename or a move reaches by ways of their own: configurations, elements, keywords, what is left of a module. */
export const renameMoveCases: RefactorCase[] = [
  {
    name: 'rename-what-is-imported-by-base-url',
    files: {
      ...byBaseUrl,
      'src/lib/a.ts': 'export const limit = 1;\n',
      'src/b.ts': "import { limit } from 'lib/a';\n\nexport const twice = limit * 2;\n",
    },
    tool: rename,
    args: { file: 'src/lib/a.ts', line: 1, text: 'limit', new_name: 'most' },
  },
  {
    name: 'move-file-that-is-imported-by-base-url',
    files: {
      ...byBaseUrl,
      'src/lib/a.ts': 'export const limit = 1;\n',
      'src/b.ts': "import { limit } from 'lib/a';\n\nexport const twice = limit * 2;\n",
    },
    tool: move,
    args: { file: 'src/lib/a.ts', target_file: 'src/lib/limits.ts' },
  },
  {
    name: 'rename-element-that-is-declared',
    files: {
      'jsx.d.ts':
        'declare namespace JSX {\n  interface Element {}\n  interface IntrinsicElements {\n    box: { wide?: string };\n  }\n}\n',
      'a.tsx': 'export const page = (\n  <box>\n    <box wide="1" />\n  </box>\n);\n',
    },
    tool: rename,
    args: { file: 'a.tsx', line: 3, text: 'box', new_name: 'panel' },
  },
  {
    name: 'rename-at-a-keyword',
    files: { 'a.ts': 'class Base {}\nexport class Own extends Base {}\n' },
    tool: rename,
    args: { file: 'a.ts', line: 2, column: 18, new_name: 'Root' },
  },
];
