import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';
const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';
const inline = 'ide_refactor_inline';

const elements =
  'declare namespace JSX {\n  interface IntrinsicElements {\n    div: { id?: string };\n    b: {};\n  }\n}\n';

/** Cases of the kinds that public suites of refactorings ask about. */
export const typescriptSuiteCases: RefactorCase[] = [
  {
    name: 'rename-variable-of-a-script-that-the-host-has-too',
    files: {
      'host.d.ts': 'declare var status: string;\n',
      'a.ts':
        "const status = 1;\nfunction show({ level = status }: { level?: number }) {\n  return { status, level };\n}\nfunction other(status: string) {\n  return status;\n}\nconsole.log(status + 1, show({}), other('x'));\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'status', new_name: 'current' },
  },
  {
    name: 'rename-parameter-that-is-documented-above-an-assignment',
    files: {
      'a.ts':
        '/**\n * @param rate how much, in percent\n * @param rate.base of what\n * @returns the rate\n */\nexport const apply = (rate: { base: number }) => rate.base;\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 6, text: 'rate', new_name: 'share' },
  },
  {
    name: 'inline-variable-of-a-script-that-the-host-has-too',
    files: { 'host.d.ts': 'declare var status: string;\n', 'a.ts': 'const status = 1;\nconsole.log(status + 1);\n' },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'status' },
  },
  {
    name: 'inline-function-with-member-of-an-object-nobody-else-has',
    files: {
      'a.ts':
        "export function own(log: (text: string) => void) {\n  const given = { name: 'a' };\n  show(given.name, log);\n}\nexport function shared(log: (text: string) => void, change: (one: { name: string }) => void) {\n  const given = { name: 'a' };\n  change(given);\n  show(given.name, log);\n}\nfunction show(name: string, log: (text: string) => void) {\n  const print = log.bind(null);\n  print(name);\n}\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 10, text: 'show' },
  },
  {
    name: 'inline-literal-into-templates',
    files: {
      'a.ts':
        'const who = \'a `b` ${c} "d" \\n\';\nexport const plain = `to ${who}!`;\nexport const raw = String.raw`to ${who}!`;\nexport const twice = `${who}${ /* twice */ who}`;\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'who' },
  },
  {
    name: 'inline-element-into-another',
    files: {
      'jsx.d.ts': elements,
      'a.tsx': 'const head = (\n  <b>Title</b>\n);\nexport const page = <div>{head}</div>;\n',
    },
    tool: inline,
    args: { file: 'a.tsx', line: 1, text: 'head' },
  },
  {
    name: 'inline-first-of-several-array-elements',
    files: {
      'a.ts':
        'export function f(pair: readonly [number, number, ...number[]]) {\n  const [first, second, ...others] = pair;\n  return first + second + others.length;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'first' },
  },
  {
    name: 'extract-variable-of-one-name',
    files: {
      'a.ts':
        'export function f(key: string, found: { [name: string]: number }) {\n  return { [key]: found[key] };\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, start_column: 13, end_line: 2, end_column: 16, new_name: 'name' },
  },
  {
    name: 'extract-variable-of-a-name-that-its-statement-sets',
    files: { 'a.ts': 'export function f(at: number) {\n  at++, console.log(at);\n}\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, start_column: 21, end_line: 2, end_column: 23, new_name: 'place' },
  },
  {
    name: 'extract-literal-in-a-whole-function',
    files: {
      'jsx.d.ts': elements,
      'a.tsx':
        "export function f(loud: boolean) {\n  if (loud) {\n    console.log('main');\n  }\n  const lazily = () => import('main');\n  return [<div id=\"main\" />, <div id='main' />, 'main' as 'main', lazily];\n}\n",
      'main.d.ts': "declare module 'main' {}\n",
    },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 3, text: "'main'", new_name: 'id', all: true },
  },
  {
    name: 'extract-null-everywhere',
    files: {
      'a.ts':
        'let last: string | null = null;\nexport const set = (to: string) => (last = to);\nexport const unset = () => (last = null);\n',
    },
    tool: extractVariable,
    args: {
      file: 'a.ts',
      start_line: 1,
      start_column: 27,
      end_line: 1,
      end_column: 31,
      new_name: 'nothing',
      all: true,
    },
  },
  {
    name: 'extract-function-with-a-loop-that-awaits',
    files: {
      'a.ts':
        'export async function f(parts: AsyncIterable<string>) {\n  let all = 0;\n  for await (const part of parts) {\n    all += part.length;\n  }\n  return all;\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 3, end_line: 5, new_name: 'add' },
  },
];
