import type { RefactorCase } from './typescriptCases.ts';

const inline = 'ide_refactor_inline';
const move = 'ide_refactor_move';

const library = 'export const other = 1;\nexport function one(n: number) {\n  return n + 1;\n}\n';
const box =
  "export class Box {\n  readonly kind: { tag: 'a' | 'b' };\n  title: string;\n  constructor(parts: string[]) {\n    const kept = parts.filter((one) => one !== '');\n    this.kind = { tag: kept.length > 1 ? 'a' : 'b' };\n    this.title = kept.join(' ');\n  }\n}\nconst made = new Box(['x', '', 'y']);\nconsole.log(made.kind.tag, made.title);\n";
const place = { 'c.ts': 'export const c = 3;\n' };

/** What a file has under several names or in several statements when it moves; functions that are written otherwise where they go. */
export const shapeCases: RefactorCase[] = [
  {
    name: 'extract-method-where-this-is-not-of-the-class',
    files: {
      'a.ts':
        'export class Meter {\n  unit = 2;\n  reader() {\n    const me = this;\n    return function (this: any, value: number) {\n      const scaled = me.unit * value;\n      const shown = scaled + 1;\n      return shown;\n    };\n  }\n}\nconsole.log(new Meter().reader().call({}, 3));\n',
    },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 6, end_line: 7, new_name: 'measure' },
  },
  {
    name: 'extract-the-first-value-of-a-member',
    files: { 'a.ts': box },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 6, end_line: 6, new_name: 'measured' },
  },
  {
    name: 'extract-statements-that-end-with-a-first-value',
    files: { 'a.ts': box },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 5, end_line: 6, new_name: 'measured' },
  },
  {
    name: 'extract-the-first-values-of-two-members',
    files: { 'a.ts': box },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 6, end_line: 7, new_name: 'measured' },
  },
  {
    name: 'extract-what-a-pattern-sets-beside-others',
    files: {
      'a.ts':
        "export function range(from: number | { from: number; to: number }, to?: number) {\n  let start = 0;\n  let count = 1;\n  if (typeof from === 'object') {\n    ({ from: start, to } = from);\n    count = 2;\n  }\n  return [start, to, count];\n}\nconsole.log(range(1), range({ from: 2, to: 3 }, 4));\n",
    },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 4, end_line: 7, new_name: 'read' },
  },
  {
    name: 'extract-what-patterns-declare',
    files: {
      'a.ts':
        "export const show = (from: { data: string; path: number[]; deep: { one: number; two?: string } }) => {\n  const {\n    data,\n    deep: { one, two = 'x' },\n    ...rest\n  } = from;\n  const [first, , third = 3] = rest.path;\n  return [data, one, two, first, third].join();\n};\nconsole.log(show({ data: 'a', path: [1, 2], deep: { one: 1 } }));\n",
    },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 2, end_line: 7, new_name: 'parts' },
  },
  {
    name: 'extract-what-one-pattern-awaits',
    files: {
      'a.ts':
        'export const pick = async (from: Promise<{ x: 1 | 2; y: string }>) => {\n  const { x, y } = await from;\n  const one: 1 | 2 = x;\n  return one === 1 ? y : one;\n};\npick(Promise.resolve({ x: 1, y: "a" })).then(console.log);\n',
    },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 2, end_line: 2, new_name: 'parts' },
  },
  {
    name: 'move-into-a-file-that-has-it-under-another-name',
    files: {
      'a.ts': library,
      'b.ts':
        "import { one as uno, other } from './a.js';\n\nexport const both = { uno, two: uno(other) };\nconsole.log(both.two);\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'b.ts' },
  },
  {
    name: 'move-into-a-file-that-has-it-as-a-member',
    files: {
      'a.ts': library,
      'b.ts': "import * as a from './a.js';\n\nexport const two = a.one(a.other);\nconsole.log(two);\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'b.ts' },
  },
  {
    name: 'move-into-a-file-that-imports-it-twice',
    files: {
      'a.ts': 'export const other = 1;\nexport class One {\n  n = 2;\n}\n',
      'b.ts':
        "import type { One as Type } from './a.js';\nimport { One } from './a.js';\n\nexport function make(): number {\n  const one: Type = new One();\n  return one.n;\n}\n\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'One', target_file: 'b.ts' },
  },
  {
    name: 'move-into-a-file-where-the-name-is-taken',
    files: {
      'a.ts': library,
      'b.ts': "import { one as uno } from './a.js';\n\nconst one = uno(1);\nconsole.log(one);\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'b.ts' },
  },
  {
    name: 'move-what-a-list-exports',
    files: {
      'a.ts': 'const other = 1;\nfunction one(n: number) {\n  return n + 1;\n}\nexport { other, one };\n',
      'b.ts': "import { one, other } from './a.js';\n\nconsole.log(one(other));\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-default-export-that-stands-apart',
    files: {
      'a.ts': 'class One {\n  n = 1;\n}\n\nexport const other = 1;\n\nexport default One;\n',
      'b.ts': "import Uno, { other } from './a.js';\n\nconsole.log(new Uno().n + other);\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 1, text: 'One', target_file: 'c.ts' },
  },
  {
    name: 'move-type-and-value-that-stand-apart',
    files: {
      'a.ts':
        '/** A shape. */\nexport interface Shape {\n  w: number;\n}\n\nexport const other = 1;\n\nexport const Shape = { of: (w: number): Shape => ({ w }) };\n',
      'b.ts':
        "import { Shape, other } from './a.js';\n\nexport const shape: Shape = Shape.of(other);\nconsole.log(shape);\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 8, text: 'Shape', target_file: 'c.ts' },
  },
  {
    name: 'move-what-is-asked-of-a-module-that-is-loaded-late',
    files: {
      'a.ts': library,
      'b.ts':
        "export type One = typeof import('./a.js').one;\nexport async function late() {\n  const { one, other } = await import('./a.js');\n  const like: One = one;\n  return like(other);\n}\nvoid late().then(console.log);\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-last-statement-before-a-comment',
    files: {
      'a.ts':
        '// A header.\n\nexport const other = 1;\n\n// About one.\nexport function one(n: number) {\n  return n + 1; // more\n}\n\n// The end.\n',
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 6, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'extract-method-of-a-static-block',
    files: {
      'a.ts':
        'export class Counter {\n  static start = 1;\n  static {\n    const twice = this.start * 2;\n    this.start = twice + 1;\n  }\n}\nconsole.log(Counter.start);\n',
    },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 4, end_line: 5, new_name: 'grow' },
  },
  {
    name: 'extract-function-that-makes-a-growing-array',
    files: {
      'a.ts':
        'export function keysOf(object: object) {\n  const keys = [];\n  for (const key in object) keys.push(key);\n  return keys;\n}\nconsole.log(keysOf({ a: 1 }));\n',
    },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 2, end_line: 2, new_name: 'start' },
  },
  {
    name: 'extract-function-that-makes-growing-arrays',
    files: {
      'a.ts':
        'export function partsOf(object: Record<string, number>) {\n  const keys = [];\n  const values = [];\n  for (const [key, value] of Object.entries(object)) {\n    keys.push(key);\n    values.push(value);\n  }\n  return { keys, values };\n}\nconsole.log(partsOf({ a: 1 }));\n',
    },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 2, end_line: 3, new_name: 'start' },
  },
  {
    name: 'inline-function-with-var',
    files: {
      'a.ts':
        'function sum(list: readonly number[]) {\n  var total = 0;\n  for (var i = 0; i < list.length; i++) total += list[i] ?? 0;\n  return total;\n}\nexport function twice(numbers: readonly number[]) {\n  const total = 2;\n  const all = sum(numbers);\n  return all * total;\n}\nconsole.log(twice([1, 2, 3]));\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'sum' },
  },
  {
    name: 'inline-function-with-var-into-a-loop',
    files: {
      'a.ts':
        "function note(out: string[], x: number) {\n  var size;\n  if (x > 1) size = 'big';\n  out.push(String(size));\n}\nexport function notes() {\n  const out: string[] = [];\n  for (const x of [2, 1]) {\n    note(out, x);\n  }\n  return out;\n}\nconsole.log(notes());\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'note' },
  },
  {
    name: 'inline-function-with-var-that-outlives-its-block',
    files: {
      'a.ts':
        "function size(n: number) {\n  if (n > 1) {\n    var text = 'big';\n  }\n  const all = String(text! + n);\n  return all;\n}\nexport function show() {\n  const text = size(2);\n  return text;\n}\nconsole.log(show());\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'size' },
  },
  {
    name: 'inline-function-with-var-that-a-loop-shares',
    files: {
      'a.ts':
        'function late(n: number) {\n  const all: (() => number)[] = [];\n  for (var i = 0; i < n; i++) all.push(() => i);\n  return all.map((one) => one());\n}\nexport function show() {\n  const numbers = late(2);\n  return numbers;\n}\nconsole.log(show());\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'late' },
  },
  {
    name: 'inline-getter',
    files: {
      'a.ts':
        'class Box {\n  #w = 2;\n  private get isWide() {\n    return this.#w > 1 || this.#w < 0;\n  }\n  show() {\n    return this.isWide && !this.isWide ? 1 : `${this.isWide}`;\n  }\n}\nconsole.log(new Box().show());\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'isWide' },
  },
  {
    name: 'inline-getter-of-several-statements',
    files: {
      'a.ts':
        'class Box {\n  list = [1, 2];\n  get sum() {\n    let sum = 0;\n    for (const one of this.list) sum += one;\n    return sum;\n  }\n}\nexport function show() {\n  const box = new Box();\n  const sum = box.sum;\n  return sum;\n}\nconsole.log(show());\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'sum' },
  },
  {
    name: 'inline-getter-that-overrides-another',
    files: {
      'a.ts':
        'class Base {\n  get n() {\n    return 1;\n  }\n}\nclass Box extends Base {\n  override get n() {\n    return 2;\n  }\n}\nexport const show = (base: Base) => base.n;\nconsole.log(show(new Base()), show(new Box()));\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 7, text: 'n()' },
  },
];
