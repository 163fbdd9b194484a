import type { RefactorCase } from './typescriptCases.ts';

const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';

const elements = 'declare namespace JSX {\n  interface IntrinsicElements {\n    b: { title?: string };\n  }\n}\n';

/** What is extracted, how it is written, and how much of it is one. */
export const typescriptExtractCases: RefactorCase[] = [
  {
    name: 'extract-value-of-a-property-of-the-same-name',
    files: { 'a.ts': "export const user = { name: 'a', age: 1 };\nconsole.log(user);\n" },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: "'a'", new_name: 'name' },
  },
  {
    name: 'extract-what-is-exported-by-default',
    files: { 'a.ts': "export default 'something';\n" },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: "'something'", new_name: 'something' },
  },
  {
    name: 'extract-constant-of-an-arrow-function',
    files: { 'a.ts': 'export const seconds = (days: number) => days * (24 * 60 * 60);\nconsole.log(seconds(2));\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: '24 * 60 * 60', new_name: 'perDay' },
  },
  {
    name: 'extract-from-an-object-that-an-arrow-function-returns',
    files: {
      'a.ts':
        'export const view = (first: string, last: string) => ({\n  name: first + last,\n  text: `\n  ${first}`,\n});\nconsole.log(view("a", "b"));\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: 'first + last', new_name: 'name' },
  },
  {
    name: 'extract-function-with-the-spaces-that-the-file-has',
    files: {
      'a.ts':
        'export function run(list: (() => void)[]) {\n  list.push(function () {});\n  list.push(() => {});\n  return list.length;\n}\nconsole.log(run([]));\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 3, new_name: 'fill' },
  },
  {
    name: 'extract-everywhere-from-both-branches',
    files: {
      'a.ts':
        'export function show(user: { first: string }, isLoud: boolean) {\n  if (isLoud) {\n    console.log(user.first + "!");\n  } else {\n    console.log(user.first);\n  }\n}\nshow({ first: "a" }, true);\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 5, text: 'user.first', new_name: 'first', all: true },
  },
  {
    name: 'extract-everywhere-under-the-condition-that-it-needs',
    files: {
      'a.js':
        'export function show(user, isLoud) {\n  if (user && isLoud) {\n    console.log(user.first);\n  }\n  if (user) {\n    console.log(user.first, user.first);\n  }\n}\nshow(undefined, true);\nshow({ first: "a" }, true);\n',
    },
    tool: extractVariable,
    args: { file: 'a.js', start_line: 3, text: 'user.first', new_name: 'first', all: true },
  },
  {
    name: 'extract-everywhere-what-has-no-value-yet',
    files: {
      'a.js':
        'export function show() {\n  const later = () => size.width;\n  const size = { width: 1 };\n  return later() + size.width;\n}\nconsole.log(show());\n',
    },
    tool: extractVariable,
    args: { file: 'a.js', start_line: 4, text: 'size.width', new_name: 'width', all: true },
  },
  {
    name: 'extract-everywhere-what-makes-objects',
    files: {
      'a.ts': 'export const one: number[] = [1];\nexport const two: number[] = [1];\none.push(2);\nconsole.log(two);\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: '[1]', new_name: 'list', all: true },
  },
  {
    name: 'extract-element-everywhere',
    files: {
      'jsx.d.ts': elements,
      'a.tsx':
        'export function View(isTwice: boolean) {\n  return isTwice ? [<b>one</b>, <b>one</b>] : <b>one</b>;\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 2, start_column: 21, end_column: 31, new_name: 'one', all: true },
  },
  {
    name: 'extract-type',
    files: {
      'a.ts':
        'export function area<T extends { width: number }>(one: { of: T; height: number }): number {\n  return one.of.width * one.height;\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: '{ of: T; height: number }', new_name: 'Shape' },
  },
  {
    name: 'extract-type-from-a-comment',
    files: {
      'a.js':
        '/** @param {{ width: number, height: number }} one */\nexport function area(one) {\n  return one.width * one.height;\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.js', start_line: 1, text: '{ width: number, height: number }', new_name: 'Shape' },
  },
  {
    name: 'extract-type-by-the-name-of-a-value',
    files: { 'a.ts': 'export const sizes: Map<string, number> = new Map();\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: 'Map<string, number>', new_name: 'sizesByName' },
  },
  {
    name: 'extract-method-that-sets-a-variable-around-its-class',
    files: {
      'a.ts':
        'export function make() {\n  let count = 0;\n  return new (class {\n    note() {}\n    run() {\n      count++;\n      this.note();\n      return count;\n    }\n  })();\n}\nconsole.log(make().run());\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 6, end_line: 8, new_name: 'step' },
  },
];
