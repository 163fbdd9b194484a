import type { RefactorCase } from './typescriptCases.ts';

const extractMethod = 'ide_refactor_extract_method';
const inline = 'ide_refactor_inline';

/** What random refactorings of real packages were refused or spoilt by, made small. */
export const foundCases: RefactorCase[] = [
  {
    name: 'inline-variable-that-a-method-is-called-with',
    files: {
      'a.ts':
        'class Options {\n  strict = false;\n  constructor(config?: { strict?: boolean }) {\n    const strict = config?.strict;\n    if (strict === true || strict === false) this.setStrict(strict);\n  }\n  setStrict(value: boolean) {\n    this.strict = value;\n  }\n}\nconsole.log(new Options({ strict: true }).strict);\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 4, text: 'strict' },
  },
  {
    name: 'extract-below-a-comment-that-silences-the-checker',
    files: {
      'a.ts':
        'interface Scope {\n  drafts: number[];\n}\nexport function leave(scope: Scope) {\n  scope.drafts.pop();\n  // @ts-ignore\n  scope.drafts = null;\n}\nconst scope: Scope = { drafts: [1] };\nleave(scope);\nconsole.log(scope.drafts);\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 7, end_line: 7, new_name: 'forget' },
  },
  {
    name: 'extract-statements-that-end-on-every-way',
    files: {
      'a.ts':
        "export function kind(n: number): string {\n  const half = n / 2;\n  if (half > 10) return 'big';\n  if (half < 0) {\n    console.log(n);\n    return 'below';\n  } else {\n    return 'small';\n  }\n}\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 3, end_line: 9, new_name: 'kindOfHalf' },
  },
  {
    name: 'extract-function-that-sets-what-others-watch',
    files: {
      'a.ts':
        'export function run() {\n  let step = 1;\n  const show = () => console.log(step);\n  step = 2;\n  show();\n  return step;\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 4, end_line: 5, new_name: 'second' },
  },
  {
    name: 'extract-function-that-sets-what-others-watch-in-a-block',
    files: {
      'a.ts':
        'export function run(all: number[]) {\n  for (const one of all) {\n    let step = one;\n    const show = () => console.log(step);\n    step++;\n    show();\n  }\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 5, end_line: 6, new_name: 'second' },
  },
  {
    name: 'extract-this-where-others-watch',
    files: {
      'a.ts':
        'export class Counter {\n  total = 0;\n  run(all: number[], each: (read: () => number) => void) {\n    let n = 0;\n    each(() => n);\n    n = all.length;\n    this.total += n;\n    each(() => n);\n    return n;\n  }\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 6, end_line: 8, new_name: 'count' },
  },
  {
    name: 'extract-function-that-uses-arguments',
    files: { 'a.ts': 'export function run() {\n  const all = arguments;\n  console.log(all.length);\n}\n' },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 3, new_name: 'show' },
  },
  {
    name: 'extract-function-with-this-and-a-type-parameter',
    files: {
      'a.ts':
        'interface Job {\n  again(): void;\n}\nexport function each<T>(start: (work: (this: Job) => void) => void, one: T, next: (one: T) => void) {\n  start(function () {\n    next(one);\n    this.again();\n  });\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 6, end_line: 7, new_name: 'once' },
  },
  {
    name: 'extract-function-where-it-was-known-not-to-be-null',
    files: {
      'a.ts':
        'interface Held {\n  drop(): void;\n}\nexport function run(make: () => Held) {\n  let held: Held | null = make();\n  held.drop();\n  held = null;\n  return () => held;\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 6, end_line: 7, new_name: 'release' },
  },
  {
    name: 'extract-statements-that-may-return',
    files: {
      'a.ts': 'export function run(n: number): number {\n  if (n > 3) return 1;\n  console.log(n);\n  return 2;\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 3, new_name: 'start' },
  },
  {
    name: 'extract-variable-without-a-value',
    files: { 'a.ts': 'export function run(n: number) {\n  console.log(n);\n}\n' },
    tool: 'ide_refactor_extract_variable',
    args: { file: 'a.ts', start_line: 2, text: 'console.log(n)', new_name: 'nothing' },
  },
  {
    name: 'extract-variable-where-braces-are-missing',
    files: {
      'a.ts':
        'export function run(list: number[], isLast: boolean, of: (n: number) => number) {\n  if (isLast) list.push(of(1));\n  else list.push(2);\n}\n',
    },
    tool: 'ide_refactor_extract_variable',
    args: { file: 'a.ts', start_line: 2, text: 'of(1)', new_name: 'one' },
  },
  {
    name: 'extract-function-that-always-throws',
    files: {
      'a.ts':
        "export function first(list: number[]): number {\n  const [one] = list;\n  if (one !== undefined) return one;\n  throw new RangeError('empty');\n}\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 4, end_line: 4, new_name: 'fail' },
  },
  {
    name: 'extract-function-whose-constants-are-known-only-inside',
    files: {
      'a.ts':
        "interface Patch {\n  op: 'add' | 'remove';\n}\nexport function patches() {\n  const ADD = 'add';\n  const all: Patch[] = [];\n  all.push({ op: ADD });\n  return all;\n}\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 7, end_line: 7, new_name: 'addOne' },
  },
  {
    name: 'extract-function-that-needs-several-imports',
    files: {
      'types.ts':
        'export interface One {\n  a: number;\n}\nexport interface Two {\n  b: number;\n}\nexport interface Three {\n  c: number;\n}\nexport const make = (): [One, Two, Three] => [{ a: 1 }, { b: 2 }, { c: 3 }];\n',
      'a.ts':
        "import {\n  make\n} from './types';\nexport function sum() {\n  const [one, two, three] = make();\n  console.log(one, two, three);\n}\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 6, end_line: 6, new_name: 'show' },
  },
  {
    name: 'extract-variable-that-took-its-types-from-around',
    files: {
      'a.ts':
        'interface Sink<T> {\n  next(one: T): void;\n}\nconst sinkOf = <T>(next: (one: T) => void): Sink<T> => ({ next });\nexport function through<T>(start: (sink: Sink<T>) => void, keep: (one: T) => void) {\n  start(sinkOf((one) => keep(one)));\n}\n',
    },
    tool: 'ide_refactor_extract_variable',
    args: { file: 'a.ts', start_line: 6, text: 'sinkOf((one) => keep(one))', new_name: 'made' },
  },
  {
    name: 'inline-where-a-name-means-something-else',
    files: {
      'keep.ts': 'export const keep = (list: number[]) => list.filter((n) => n > 0);\n',
      'a.ts': "import { keep } from './keep';\nexport const positive = (list: number[]) => keep(list).length;\n",
      'b.ts':
        "import { positive } from './a';\nconst keep = 3;\nexport const many = (list: number[]) => positive(list) > keep;\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'positive' },
  },
  {
    name: 'inline-where-only-the-type-is-imported',
    files: {
      'box.ts': 'export class Box {\n  constructor(readonly n: number) {}\n}\n',
      'a.ts': "import { Box } from './box';\nexport const boxed = (n: number) => new Box(n);\n",
      'b.ts':
        "import { boxed } from './a';\nimport type { Box } from './box';\nexport const two = (): Box[] => [boxed(1), boxed(2)];\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'boxed' },
  },
  {
    name: 'inline-where-the-whole-module-is-imported',
    files: {
      'limit.ts': 'export const limit = 3;\n',
      'a.ts':
        "import { limit } from './limit';\nexport const most = 9;\nexport function clamp(n: number) {\n  return Math.min(n, limit, most);\n}\n",
      'all.ts': "import * as all from './a';\nexport { all };\n",
      'b.ts': "import * as a from './a';\nexport const b = a.clamp(5);\n",
      'c.ts': "import { all } from './all';\nexport const c = all.clamp(7);\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'clamp' },
  },
  {
    name: 'inline-where-a-parameter-is-left-out',
    files: {
      'a.ts':
        'interface Clock {\n  now(): number;\n}\nconst wall: Clock = { now: () => 0 };\nfunction reader(clock?: Clock) {\n  return () => (clock || wall).now();\n}\nexport const read = reader();\nexport const other = (clock?: Clock) => reader(clock);\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 5, text: 'reader' },
  },
  {
    name: 'inline-function-given-to-one-that-calls-it-later',
    files: {
      'a.ts':
        'const first = () => 1;\nfunction later(make: (n: number) => number) {\n  return () => make(2) + make(3);\n}\nexport const all = [first(), later((n) => n * first())];\nfor (const one of [first(), later((n) => n - 1)()]) console.log(one);\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'later' },
  },
  {
    name: 'inline-object-behind-a-type-assertion',
    files: {
      'a.ts':
        'export function errors(names: string[]) {\n  const found = { list: [] } as { list: string[] };\n  for (const name of names) found.list.push(name);\n  return found;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'found' },
  },
  {
    name: 'inline-argument-that-changes-what-the-body-reads',
    files: {
      'a.ts':
        'let count = 0;\nexport const step = () => count++;\nfunction add(n: number) {\n  return count + n;\n}\nexport const total = add(step());\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'add' },
  },
  {
    name: 'inline-method-that-calls-another-of-its-name',
    files: {
      'a.ts':
        'export class List {\n  readonly items: number[] = [];\n  add(n: number) {\n    return this.push(n + 1);\n  }\n  private push(n: number) {\n    return this.items.push(n);\n  }\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 6, text: 'push' },
  },
  {
    name: 'inline-statements-that-end-on-every-way',
    files: {
      'a.ts':
        "const shown = (n: number): string => {\n  if (n > 3) return 'big';\n  else {\n    console.log(n);\n    return 'small';\n  }\n};\nexport function show(n: number): string {\n  console.log('start');\n  return shown(n);\n}\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'shown' },
  },
  {
    name: 'inline-argument-whose-elements-are-set',
    files: {
      'a.ts':
        'function later(values: number[]) {\n  return () => values[0];\n}\nexport function run() {\n  const values = [1];\n  values[0] = 2;\n  return later(values);\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'later' },
  },
  {
    name: 'inline-argument-that-is-read-before-anything-is-done',
    files: {
      'a.ts':
        'let current = 0;\nconst scope = (parent: number) => ({ parent, all: new Set<number>() });\nexport const enter = () => {\n  const made = scope(current);\n  current++;\n  return made;\n};\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'scope' },
  },
  {
    name: 'extract-variable-from-the-value-of-what-it-reads',
    files: {
      'a.ts':
        'export function limit(count = Infinity) {\n  count = (count || 0) < 1 ? Infinity : count;\n  return count;\n}\nconsole.log(limit(), limit(0), limit(3));\n',
    },
    tool: 'ide_refactor_extract_variable',
    args: { file: 'a.ts', start_line: 2, end_line: 2, text: 'count || 0', new_name: 'given' },
  },
  {
    name: 'extract-what-fills-an-array',
    files: {
      'a.ts':
        'export function keysOf(one: object) {\n  const keys = [];\n  for (const key in one) {\n    if (key.length > 1) keys.push(key);\n  }\n  return keys;\n}\nexport function others() {\n  const keys = [];\n  keys.push(1);\n  return keys;\n}\nconsole.log(keysOf({ ab: 1, c: 2 }), others());\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 3, end_line: 5, new_name: 'collect' },
  },
];
