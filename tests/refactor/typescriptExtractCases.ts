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
  {
    name: 'extract-condition-of-an-else-if',
    files: {
      'a.ts':
        "let calls = 0;\nconst isBig = (size: number) => ++calls > 0 && size > 10;\nexport function show(size: number) {\n  if (size < 0) {\n    return 'none';\n  } else if (isBig(size)) {\n    return 'big';\n  } else {\n    return 'small';\n  }\n}\nconsole.log(show(-1), show(11), show(1), calls);\n",
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 6, text: 'isBig(size)', new_name: 'big' },
  },
  {
    name: 'extract-from-a-loop-without-braces',
    files: {
      'a.ts':
        'const list = () => [1, 2];\nexport function show(isAll: boolean) {\n  if (isAll)\n    for (const one of list()) console.log(one);\n}\nshow(false);\nshow(true);\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 4, text: 'list()', new_name: 'all' },
  },
  {
    name: 'extract-what-is-assigned-only-where-nothing-is',
    files: {
      'a.ts':
        'let count = 0;\nconst next = () => ++count;\nexport function fill(one: { id?: number }) {\n  one.id ??= next();\n  return one;\n}\nconsole.log(fill({ id: 5 }), count);\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 4, text: 'next()', new_name: 'id' },
  },
  {
    name: 'extract-argument-of-a-call-that-may-not-happen',
    files: {
      'a.ts':
        'let count = 0;\nconst next = () => ++count;\nexport const tell = (listener?: (id: number) => void) => {\n  listener?.(next());\n};\ntell();\nconsole.log(count);\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 4, text: 'next()', new_name: 'id' },
  },
  {
    name: 'extract-default-of-a-parameter',
    files: {
      'a.ts':
        'export function add(list: number[] = []) {\n  list.push(1);\n  return list;\n}\nconsole.log(add(), add());\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, start_column: 38, end_column: 40, new_name: 'none' },
  },
  {
    name: 'extract-call-after-one-that-is-seen-too',
    files: {
      'a.ts':
        "const seen: string[] = [];\nconst first = () => seen.push('first');\nconst second = () => seen.push('second');\nexport const sum = () => {\n  return first() + second();\n};\nconsole.log(sum(), seen);\n",
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 5, text: 'second()', new_name: 'two' },
  },
  {
    name: 'extract-what-a-class-extends',
    files: {
      'a.ts':
        'const sized = (size: number) => class {\n  size = size;\n};\n\n/** A box. */\nexport class Box extends sized(2) {}\nconsole.log(new Box().size);\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 6, text: 'sized(2)', new_name: 'Sized' },
  },
  {
    name: 'extract-function-that-may-fail-after-it-has-set-something',
    files: {
      'a.ts':
        "function check(name: string) {\n  if (name === '') throw new Error('empty');\n}\nexport function run(name: string) {\n  let state = 'new';\n  try {\n    state = 'begun';\n    check(name);\n  } catch {\n    console.log(state);\n  }\n}\nrun('');\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 7, end_line: 8, new_name: 'begin' },
  },
  {
    name: 'extract-this-in-javascript',
    files: {
      'a.js':
        'export const counter = {\n  count: 0,\n  add(by) {\n    this.count += by;\n    console.log(this.count);\n  },\n};\ncounter.add(2);\n',
    },
    tool: extractMethod,
    args: { file: 'a.js', start_line: 4, end_line: 5, new_name: 'raise' },
  },
  {
    name: 'extract-from-an-asynchronous-generator',
    files: {
      'a.ts':
        'export async function* count(to: number) {\n  for (let at = 0; at < to; at++) {\n    yield await Promise.resolve(at);\n  }\n}\nfor await (const one of count(2)) console.log(one);\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 4, new_name: 'upTo' },
  },
  {
    name: 'extract-var-that-a-loop-keeps',
    files: {
      'a.js':
        "export function show(list) {\n  for (const one of list) {\n    if (isSecond) console.log('then', one);\n    var isSecond = true;\n  }\n}\nshow([1, 2]);\n",
    },
    tool: extractMethod,
    args: { file: 'a.js', start_line: 3, end_line: 4, new_name: 'tell' },
  },
  {
    name: 'extract-code-that-runs-a-text',
    files: { 'a.js': "export function run(a) {\n  const b = eval('a + 1');\n  console.log(b);\n}\nrun(1);\n" },
    tool: extractMethod,
    args: { file: 'a.js', start_line: 2, end_line: 3, new_name: 'tell' },
  },
  {
    name: 'extract-under-a-name-of-another-function',
    files: {
      'a.ts':
        'export function other() {\n  const size = 5;\n  return size;\n}\nexport function area(width: number) {\n  return width * 2 + 1;\n}\nconsole.log(other(), area(1));\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 6, text: 'width * 2', new_name: 'size' },
  },
  {
    name: 'extract-argument-of-exact-types',
    files: {
      'a.ts': "const show = (one: { kind: 'big' | 'small' }) => one.kind;\nconsole.log(show({ kind: 'big' }));\n",
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: "{ kind: 'big' }", new_name: 'one' },
  },
  {
    name: 'extract-everywhere-but-where-names-mean-others',
    files: {
      'a.ts':
        'export function add(one: number) {\n  const inner = (one: number) => one + 1;\n  console.log(one + 1);\n  return inner(one + 1);\n}\nconsole.log(add(1));\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 3, text: 'one + 1', new_name: 'next', all: true },
  },
  {
    name: 'extract-element-that-is-shown-in-some-cases',
    files: {
      'jsx.d.ts': elements,
      'a.tsx':
        'export function View({ count }: { count: number }) {\n  return [count > 1 && <b>many: {count}</b>];\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 2, text: '<b>many: {count}</b>', new_name: 'message' },
  },
  {
    name: 'extract-method-everywhere-whatever-is-wanted-of-it',
    files: {
      'a.ts':
        'export function show(one: { width: number; height: number }) {\n  console.log(one.width * one.height);\n  return one.width * one.height + 1;\n}\nconsole.log(show({ width: 1, height: 2 }));\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, text: 'one.width * one.height', new_name: 'area', all: true },
  },
  {
    name: 'extract-method-that-a-class-below-has',
    files: {
      'a.js':
        "class Base {\n  hello() {\n    console.log('one');\n    console.log('two');\n  }\n}\nclass Below extends Base {\n  greet() {\n    console.log('below');\n  }\n}\nnew Below().hello();\nnew Below().greet();\n",
    },
    tool: extractMethod,
    args: { file: 'a.js', start_line: 3, end_line: 4, new_name: 'greet' },
  },
  {
    name: 'extract-from-an-arrow-function-of-several-lines',
    files: {
      'a.ts':
        'const list = [1, 2];\nexport const all = list.map((one) =>\n  [\n    one,\n    list\n      .filter((other) => other > one)\n      .join(),\n  ].join(),\n);\nconsole.log(all);\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 5, end_line: 7, start_column: 5, end_column: 14, new_name: 'bigger' },
  },
];
