import type { RefactorCase } from './typescriptCases.ts';

const move = 'ide_refactor_move';
const place = { 'c.ts': 'export const c = 3;\n' };
const library = 'export const other = 1;\nexport function one(n: number) {\n  return n + 1;\n}\n';

/** What shows only when the program runs: what loading a file does, what a module is as an object, and how CommonJS modules find each other. */
export const moveCases: RefactorCase[] = [
  {
    name: 'move-out-of-a-file-that-acts-as-it-loads',
    files: {
      'r.ts':
        'export const seen: string[] = [];\nexport function register(name: string) {\n  seen.push(name);\n  return name;\n}\n',
      'a.ts': `import { register } from './r.js';\n\nexport const own = register('a');\n${library}`,
      'b.ts': "import { seen } from './r.js';\nimport { one } from './a.js';\n\nconsole.log(one(1), seen);\n",
      'd.ts': "import { one, other } from './a.js';\n\nconsole.log(one(other));\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 5, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-type-that-is-a-value-too',
    files: {
      'a.ts':
        'export const other = 1;\nexport type Ok<T> = { value: T };\nexport const Ok = <T>(value: T): Ok<T> => ({ value });\n',
      'all.ts': "export * from './a.js';\n",
      'b.ts': "import * as all from './all.js';\n\nconst made: all.Ok<number> = all.Ok(1);\nconsole.log(made.value);\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'Ok', target_file: 'c.ts' },
  },
  {
    name: 'move-what-needs-exports-of-lists',
    files: {
      'lib.ts':
        "import { sum } from './a.js';\n\nconst one = 1;\nconst two = 2;\nclass Three {\n  value = 3;\n}\nconst four = 4;\nexport { one, two as zwei, type Three };\nexport default four;\nexport const late = () => sum(new Three());\n",
      'all.ts': "export * from './lib.js';\nexport { default as vier } from './lib.js';\n",
      'a.ts':
        "import { one as eins, zwei, type Three } from './lib.js';\nimport { vier } from './all.js';\n\nexport function sum(three: Three) {\n  return eins + zwei + three.value + vier;\n}\nexport const left = vier;\n",
      'b.ts': "import { late } from './lib.js';\n\nconsole.log(late());\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 4, text: 'sum', target_file: 'c.ts' },
  },
  {
    name: 'move-to-where-the-same-default-is-imported',
    files: {
      'shape.ts': 'interface Shape {\n  n: number;\n}\nexport default Shape;\nexport const unit: Shape = { n: 1 };\n',
      'a.ts':
        "import type Shape from './shape.js';\nimport { unit } from './shape.js';\n\nexport const double = (shape: Shape) => shape.n * 2 + unit.n;\nexport const left = (shape: Shape) => double(shape);\n",
      'c.ts': "import type Shape from './shape.js';\n\nexport const half = (shape: Shape) => shape.n / 2;\n",
      'd.ts':
        "import { double } from './a.js';\nimport { half } from './c.js';\n\nconsole.log(double({ n: half({ n: 4 }) }));\n",
    },
    tool: move,
    args: { symbol: 'double', file: 'a.ts', target_file: 'c.ts' },
  },
  {
    name: 'move-to-where-it-is-imported-and-needs-more',
    files: {
      'a.ts':
        'const seen = new Map<string, number>();\nexport const other = (name: string) => seen.get(name) ?? 0;\nexport function count(name: string) {\n  return other(name) + 1;\n}\n',
      'c.ts': "import { count } from './a.js';\n\nexport const twice = (name: string) => count(name) * 2;\n",
      'd.ts': "import { twice } from './c.js';\n\nconsole.log(twice('a'));\n",
    },
    tool: move,
    args: { symbol: 'count', file: 'a.ts', target_file: 'c.ts' },
  },
  {
    name: 'move-into-a-declaration-file',
    files: { 'a.ts': library, 'globals.d.ts': 'declare const limit: number;\n' },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'globals.d.ts' },
  },
  {
    name: 'move-out-of-a-file-that-starts-something',
    files: {
      'a.ts': `function start() {\n  Reflect.set(globalThis, 'started', true);\n}\nstart();\n${library}`,
      'b.ts': "import { one } from './a.js';\n\nconsole.log(one(1), Reflect.get(globalThis, 'started'));\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 6, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-out-of-a-file-that-starts-nothing',
    files: {
      'a.ts': `function start() {}\nstart();\n${library}`,
      'b.ts': "import { one } from './a.js';\n\nconsole.log(one(1));\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 4, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-out-of-a-module-that-is-looked-through',
    files: {
      'a.ts': library,
      'b.ts': "import * as a from './a.js';\n\nconsole.log(Object.keys(a).sort());\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-into-a-module-that-is-looked-through',
    files: { 'a.ts': library, 'b.ts': "import * as c from './c.js';\n\nconsole.log(Object.keys(c));\n", ...place },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-a-default-export-that-is-loaded-late',
    files: {
      'a.ts': 'export const other = 1;\nexport default function one(n: number) {\n  return n + 1;\n}\n',
      'b.ts': "const { default: one } = await import('./a.js');\n\nconsole.log(one(1));\nexport {};\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-what-a-list-exports-under-two-names',
    files: {
      'a.ts': 'const other = 1;\nfunction one(n: number) {\n  return n + 1;\n}\nexport { other, one, one as uno };\n',
      'b.ts': "import { uno, one, other } from './a.js';\n\nconsole.log(uno(one(other)));\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-what-the-default-export-holds',
    files: {
      'a.ts': 'const one = (n: number) => n + 1;\nexport default { one };\n',
      'b.ts': "import a from './a.js';\n\nconsole.log(a.one(1));\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 1, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-a-class-into-the-file-that-extends-it',
    files: {
      'a.ts': '/** The least. */\nexport class Base {\n  n = 1;\n}\nexport const z = 1;\n',
      'c.ts':
        "import { Base } from './a.js';\n\n/** More. */\nexport class Sub extends Base {}\nconsole.log(new Sub().n);\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'Base', target_file: 'c.ts' },
  },
  {
    name: 'move-a-function-with-members',
    files: {
      'a.ts': 'export function one(n: number) {\n  return n + one.step;\n}\none.step = 3;\n\nexport const other = 1;\n',
      'b.ts': "import { one } from './a.js';\n\nconsole.log(one(1));\n",
      ...place,
    },
    tool: move,
    args: { file: 'a.ts', line: 1, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-code-that-loads-by-its-place',
    files: {
      'deep/x.ts': 'export const x = 3;\n',
      'deep/a.ts':
        "export const other = 1;\nexport async function one(): Promise<number> {\n  return (await import('./x.js')).x;\n}\n",
      'b.ts': "import { one } from './deep/a.js';\n\nconsole.log(await one());\n",
      ...place,
    },
    tool: move,
    args: { file: 'deep/a.ts', line: 2, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-code-that-asks-for-its-own-folder',
    files: {
      'node.d.ts': 'declare const __dirname: string;\n',
      'deep/a.ts': 'export const other = 1;\nexport function one(): boolean {\n  return __dirname.length > 1;\n}\n',
      ...place,
    },
    tool: move,
    args: { file: 'deep/a.ts', line: 2, text: 'one', target_file: 'c.ts' },
  },
  {
    name: 'move-between-commonjs-modules',
    files: {
      'package.json': '{ "name": "x", "type": "commonjs" }\n',
      'a.js': 'globalThis.loaded = 1;\nfunction one(n) {\n  return n + 1;\n}\nmodule.exports = { one };\n',
      'b.js': "const { one } = require('./a');\nconsole.log(one(1), globalThis.loaded);\n",
      'c.js': 'const c = 3;\nmodule.exports = { c };\n',
    },
    tool: move,
    args: { file: 'a.js', line: 2, text: 'one', target_file: 'c.js' },
  },
  {
    name: 'move-what-a-commonjs-module-is',
    files: {
      'package.json': '{ "name": "x", "type": "commonjs" }\n',
      'a.js': 'function one(n) {\n  return n + 1;\n}\nmodule.exports = one;\n',
      'b.js': "const one = require('./a');\nconsole.log(one(1));\n",
      'c.js': 'exports.c = 3;\n',
    },
    tool: move,
    args: { file: 'a.js', line: 1, text: 'one', target_file: 'c.js' },
  },
  {
    name: 'move-between-commonjs-modules-that-would-need-each-other',
    files: {
      'package.json': '{ "name": "x", "type": "commonjs" }\n',
      'a.js': 'const other = 1;\nfunction one(n) {\n  return n + other;\n}\nmodule.exports = { one, other };\n',
      'b.js': "const { one } = require('./a');\nconsole.log(one(1));\n",
      'c.js': 'exports.c = 3;\n',
    },
    tool: move,
    args: { file: 'a.js', line: 2, text: 'one', target_file: 'c.js' },
  },
];

/** Functions that return before their end, where that must not end the caller; values that are not the same later; types that are given types. */
export const inlineCases: RefactorCase[] = [
  {
    name: 'inline-function-with-guards-as-branches',
    files: {
      'a.ts':
        "const out: string[] = [];\nfunction note(n: number): void {\n  if (n === 3) return;\n  // Small ones are doubled.\n  const m = n * 2;\n  if (m < 3) {\n    out.push('small');\n    return;\n  }\n  out.push(String(m));\n}\nfor (const x of [1, 2, 3]) {\n  note(x);\n  out.push('next');\n}\nconsole.log(out);\n",
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 2, text: 'note' },
  },
  {
    name: 'inline-function-with-guards-for-its-result',
    files: {
      'a.ts':
        "function pick(n: number): string {\n  if (n > 2) return 'big';\n  const m = n * 2;\n  return `small ${m}`;\n}\nexport function show(n: number) {\n  const r = pick(n);\n  return () => r.length;\n}\nconsole.log(show(1)(), show(3)());\n",
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 1, text: 'pick' },
  },
  {
    name: 'inline-function-with-guards-that-means-another',
    files: {
      'a.ts':
        "function pick(n: number): string {\n  if (n > 2) return 'big';\n  let r = n * 2;\n  r++;\n  return `small ${r}`;\n}\nexport function show(n: number) {\n  const r = pick(n);\n  return r.length;\n}\nconsole.log(show(1), show(3));\n",
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 1, text: 'pick' },
  },
  {
    name: 'inline-variable-that-a-call-sets',
    files: {
      'a.ts':
        'let k = 1;\nconst set = () => {\n  k = 2;\n};\nexport function late() {\n  const a = k;\n  set();\n  return a;\n}\nconsole.log(late());\n',
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 6, text: 'a' },
  },
  {
    name: 'inline-variable-whose-object-is-handed-on',
    files: {
      'a.ts':
        'export function length(list: number[]) {\n  const count = list.length;\n  fill(list);\n  return count;\n}\nfunction fill(list: number[]) {\n  list.push(1);\n}\nconsole.log(length([]));\n',
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 2, text: 'count' },
  },
  {
    name: 'inline-type-with-parameters',
    files: {
      'a.ts':
        'type Box<T, U = string> = { value: T; all: T[]; note?: U };\nexport function open(a: Box<number | null>, b: Box<string, 1>) {\n  return [a.all.length, b.value];\n}\nconsole.log(open({ value: 1, all: [] }, { value: "x", all: [], note: 1 }));\n',
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 1, text: 'Box' },
  },
  {
    name: 'inline-getter-of-an-object',
    files: {
      'a.ts':
        'const meter = {\n  unit: 2,\n  get double() {\n    return this.unit * 2;\n  },\n  shown(n: number) {\n    return n + this.double;\n  },\n};\nconsole.log(meter.double + 1, meter.shown(1));\n',
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 3, text: 'double' },
  },
  {
    name: 'inline-method-of-an-object-others-have',
    files: {
      'a.ts':
        'const meter = {\n  unit: 2,\n  double() {\n    return this.unit * 2;\n  },\n};\nconsole.log(meter.double() + 1, Object.keys(meter));\n',
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 3, text: 'double' },
  },
  {
    name: 'inline-method-of-something-new',
    files: {
      'a.ts':
        'class Box {\n  constructor(readonly n: number) {}\n  plus(m: number) {\n    return this.n + m;\n  }\n}\nlet made = 0;\nconst next = () => new Box(++made);\nconst held = { box: new Box(5) };\nconsole.log(next().plus(1) * 2, held.box.plus(made), new Box(3).plus(4));\n',
    },
    tool: 'ide_refactor_inline',
    args: { file: 'a.ts', line: 3, text: 'plus' },
  },
  {
    name: 'extract-what-a-generator-is-sent',
    files: {
      'a.ts':
        "function* talk(): Generator<number, string, number> {\n  const x = yield 1;\n  const y = x * 2;\n  return 'r' + y;\n}\nconst it = talk();\nit.next();\nconsole.log(it.next(4).value);\n",
    },
    tool: 'ide_refactor_extract_method',
    args: { file: 'a.ts', start_line: 2, end_line: 3, new_name: 'hear' },
  },
  {
    name: 'extract-what-typeof-asks-for',
    files: {
      'host.d.ts': 'declare const maybe: number;\n',
      'a.ts': "export function known() {\n  return typeof maybe === 'undefined';\n}\nconsole.log(known());\n",
    },
    tool: 'ide_refactor_extract_variable',
    args: { file: 'a.ts', start_line: 2, end_line: 2, start_column: 17, end_column: 22, new_name: 'value' },
  },
];
