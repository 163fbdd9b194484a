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
  {
    name: 'rename-member-that-others-pass-by-shorthand',
    files: {
      'jsx.d.ts':
        'declare namespace JSX {\n  interface Element {}\n  interface IntrinsicElements {\n    b: {};\n  }\n}\n',
      'a.tsx': 'export const Box = (props: { title: string }) => <b>{props.title}</b>;\n',
      'b.tsx':
        "import { Box } from './a.js';\n\nconst title = 'x';\nconst given = { title };\nexport const page = <Box {...given} />;\nexport function shown({ title }: typeof given) {\n  return title;\n}\n",
    },
    tool: rename,
    args: { file: 'a.tsx', line: 1, text: 'props: { title', new_name: 'heading' },
  },
  {
    name: 'rename-member-that-types-are-without',
    files: {
      'a.ts':
        'export interface Base {\n  first: number;\n  last: number;\n}\nexport interface Own extends Base {\n  own: number;\n}\nexport const both = { first: 1, own: 2 };\n',
      'b.ts':
        "import type { both, Own } from './a.js';\n\nexport type Rest = Omit<Own, 'first' | 'own'>;\nexport type Names = Exclude<keyof Own, 'first'>;\nexport type Other = Omit<typeof both, 'first'>;\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'first', new_name: 'begin' },
  },
  {
    name: 'rename-member-to-a-reserved-word',
    files: {
      'a.ts':
        "export class Store {\n  remove(key: string) {\n    return key;\n  }\n}\nconst { remove } = new Store();\nconsole.log(remove('a'), new Store().remove('b'));\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'remove', new_name: 'delete' },
  },
  {
    name: 'move-last-of-a-namespace',
    files: {
      'a.ts': 'export const one = 1;\n',
      'b.ts': "// Who uses it.\nimport * as all from './a.js';\n\nconsole.log(all.one);\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 1, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-one-of-several-declared-together',
    files: {
      'a.ts': 'export const one = 1,\n  two = 2,\n  three = one + two;\n',
      'b.ts': "import { one, two, three } from './a.js';\n\nconsole.log(one, two, three);\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'two', target_file: 'c.ts' },
  },
  {
    name: 'move-with-imports-written-as-before',
    files: {
      'a.ts':
        "import { base } from './base.js'\n\nexport const step = () => 1\nexport const next = () => base + step() // the next one\n",
      'base.ts': 'export const base = 1\n',
      'b.ts': "import { next } from './a.js'\n\nconsole.log(next())\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 4, text: 'next', target_file: 'lib/next.ts' },
  },
  {
    name: 'move-what-is-asked-for-late-keeps-quotes',
    files: {
      'a.ts': 'export const one = 1;\nexport const two = 2;\n',
      'b.ts': 'export const late = async () => (await import("./a.js")).one;\n',
    },
    tool: move,
    args: { file: 'a.ts', line: 1, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-file-with-imports-of-no-code',
    files: {
      'css.d.ts': "declare module '*.css';\n",
      'src/a.css': 'a {\n}\n',
      'src/a.ts': "import './a.css';\n\nexport const a = 1;\n",
      'src/b.ts': "import './a.css';\nimport { a } from './a.js';\n\nexport const b = a;\n",
    },
    tool: move,
    args: { file: 'src/a.ts', target_file: 'src/deep/a.ts' },
  },
  {
    name: 'move-data-that-is-imported',
    files: {
      'data.d.ts': "declare module '*.txt' {\n  const text: string;\n  export default text;\n}\n",
      'src/note.txt': 'note\n',
      'src/a.ts':
        "import note from './note.txt';\n\nexport const a = note;\nexport const late = () => import('./note.txt');\n",
    },
    tool: move,
    args: { file: 'src/note.txt', target_file: 'texts/note.txt' },
  },
  {
    name: 'move-file-that-others-add-to',
    files: {
      'a.ts': 'export interface Shape {\n  own: number;\n}\n',
      'b.ts': "import './a.js';\n\ndeclare module './a.js' {\n  interface Shape {\n    more: number;\n  }\n}\n",
      'c.ts':
        "import './b.js';\nimport type { Shape } from './a.js';\n\nexport const shape: Shape = { own: 1, more: 2 };\n",
    },
    tool: move,
    args: { file: 'a.ts', target_file: 'lib/shape.ts' },
  },
  {
    name: 'move-file-that-is-referred-to',
    files: {
      'a.ts': 'declare var quota: number;\n',
      'b.ts': '/// <reference path="a.ts" />\nconst most = typeof quota;\n',
    },
    tool: move,
    args: { file: 'a.ts', target_file: 'lib/a.ts' },
  },
  {
    name: 'move-with-the-form-of-its-imports',
    files: {
      'package.json': '{}\n',
      'tsconfig.json': `{"compilerOptions":{${options.replace('esnext', 'commonjs')},"noEmit":true}}`,
      'a.ts': "import base = require('./base');\n\nexport const next = () => base(1);\nexport const last = () => 2;\n",
      'base.ts': 'function base(from: number) {\n  return from;\n}\nexport = base;\n',
      'b.ts': "import a = require('./a');\n\nconsole.log(a.next(), a.last());\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 3, text: 'next', target_file: 'c.ts' },
  },
  {
    name: 'move-class-that-is-loaded-behind-its-user',
    files: {
      'a.ts':
        'function most(n: number) {\n  return Math.min(n, 3);\n}\nexport class Counter {\n  add = (n: number) => most(n);\n}\nexport const shared = new Counter();\n',
      'b.ts': "import { Counter, shared } from './a.js';\n\nconsole.log(new Counter().add(5), shared.add(1));\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 4, text: 'Counter', target_file: 'counter.ts' },
  },
  {
    name: 'move-class-that-is-passed-on-before-its-user',
    files: {
      'a.ts':
        'function most(n: number) {\n  return Math.min(n, 3);\n}\nexport class Counter {\n  add = (n: number) => most(n);\n}\nexport const shared = new Counter();\n',
      'index.ts': "export { Counter } from './a.js';\nexport { shared } from './a.js';\n",
      'b.ts': "import { Counter } from './index.js';\n\nconsole.log(new Counter().add(5));\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 4, text: 'Counter', target_file: 'counter.ts' },
  },
  {
    name: 'rename-at-a-link',
    files: {
      'a.ts': 'enum Kind {\n  /** See {@link Part}. */\n  Part,\n}\nexport interface Part {\n  kind: Kind.Part;\n}\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: '@link Part', new_name: 'Piece' },
  },
  {
    name: 'rename-at-a-path',
    files: { 'a.ts': 'export const a = 1;\n', 'b.ts': "export { a } from './a.js';\n" },
    tool: rename,
    args: { file: 'b.ts', line: 1, column: 24, new_name: 'b' },
  },
  {
    name: 'move-with-import-of-a-package-that-is-missing',
    files: {
      // What judges the outcome does not look at the file: the package is missing before and after.
      'tsconfig.json': `{"compilerOptions":{${options},"noEmit":true},"include":["globals.d.ts"]}`,
      'src/tsconfig.json': `{"compilerOptions":{${options},"noEmit":true}}`,
      'src/a.ts':
        "import { pad } from 'left-out';\n\nexport const one = () => pad('1');\nexport const two = () => pad('2');\n",
    },
    tool: move,
    args: { file: 'src/a.ts', line: 3, text: 'one', target_file: 'src/b.ts' },
  },
  {
    name: 'move-to-where-a-missing-package-is-imported',
    files: {
      'tsconfig.json': `{"compilerOptions":{${options},"noEmit":true},"include":["globals.d.ts"]}`,
      'src/tsconfig.json': `{"compilerOptions":{${options},"noEmit":true}}`,
      'src/a.ts':
        "import { pad, type Width } from 'left-out';\n\nexport const one = (width: Width) => pad('1', width);\nexport const two = () => pad('2');\n",
      'src/b.ts': "import { trim } from 'left-out';\n\nexport const three = () => trim('3');\n",
    },
    tool: move,
    args: { file: 'src/a.ts', line: 3, text: 'one', target_file: 'src/b.ts' },
  },
];
