/** One refactoring of a small project. The golden beside says what comes of it: the difference, or the refusal and its reason. */
export interface RefactorCase {
  name: string;
  files: Record<string, string>;
  tool: string;
  args: Record<string, unknown>;
}

const rename = 'ide_refactor_rename';
const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';
const inline = 'ide_refactor_inline';
const safeDelete = 'ide_refactor_safe_delete';
const move = 'ide_refactor_move';

const barrel = {
  'a.ts':
    'export const foo = 1;\nconst local = 2;\nexport { local };\nexport default foo;\nexport function g() {\n  return { foo, local };\n}\n',
  'b.ts':
    "import { foo, local } from './a';\nimport def from './a';\nexport { foo as renamed } from './a';\nexport { foo } from './a';\nconsole.log(foo, { foo }, local, def); // foo\n",
  'c.ts':
    "import { foo } from './b';\nimport * as ns from './a';\nconsole.log(foo, ns.foo, ns.local);\nconst { foo: z } = ns;\nconst { local } = ns;\nconsole.log(z, local);\n",
};

export const typescriptCases: RefactorCase[] = [
  {
    name: 'rename-through-barrels',
    files: barrel,
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'foo', new_name: 'bar' },
  },
  {
    name: 'rename-from-a-use',
    files: barrel,
    tool: rename,
    args: { file: 'c.ts', line: 3, text: '(foo', new_name: 'bar' },
  },
  {
    name: 'rename-exported-later',
    files: barrel,
    tool: rename,
    args: { file: 'b.ts', line: 1, text: 'local', new_name: 'lokal' },
  },
  {
    name: 'rename-to-taken-name',
    files: barrel,
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'foo', new_name: 'local' },
  },
  {
    name: 'rename-would-be-captured',
    files: { 'a.ts': 'export function f(a: number) {\n  const b = 2;\n  return () => a + b;\n}\n' },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: '(a', new_name: 'b' },
  },
  {
    name: 'rename-would-capture',
    files: { 'a.ts': 'const outer = 1;\nexport function f(a: number) {\n  return a + outer;\n}\n' },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: '(a', new_name: 'outer' },
  },
  {
    name: 'rename-to-reserved-word',
    files: { 'a.ts': 'export const a = 1;\n' },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'a', new_name: 'class' },
  },
  {
    name: 'rename-property-with-shorthand-and-destructuring',
    files: {
      'a.ts':
        "interface P {\n  size: number;\n}\nconst size = 3;\nexport const p: P = { size };\nconst { size: s } = p;\nexport function f({ size }: P) {\n  return size + s + p['size'];\n}\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'size', new_name: 'length' },
  },
  {
    name: 'rename-method-in-hierarchy',
    files: {
      'a.ts':
        'export interface Shape {\n  area(): number;\n}\nexport class Square implements Shape {\n  area() {\n    return 1;\n  }\n}\nexport class Big extends Square {\n  override area() {\n    return super.area() * 2;\n  }\n}\nexport const total = (s: Shape) => s.area();\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 10, text: 'area', new_name: 'surface' },
  },
  {
    name: 'rename-overloads',
    files: {
      'a.ts':
        "export function f(a: string): string;\nexport function f(a: number): number;\nexport function f(a: unknown) {\n  return a as never;\n}\nf('x');\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 3, text: 'f', new_name: 'g' },
  },
  {
    name: 'rename-jsx-component',
    files: {
      'jsx.d.ts':
        'declare namespace JSX {\n  interface IntrinsicElements {\n    div: { id?: string };\n  }\n  type Element = unknown;\n}\n',
      'a.tsx': 'export function Card(props: { title: string }) {\n  return <div id={props.title}></div>;\n}\n',
      'b.tsx':
        'import { Card } from \'./a\';\nexport const x = <Card title="t"></Card>;\nexport const y = <Card title="u" />;\n',
    },
    tool: rename,
    args: { file: 'a.tsx', line: 1, text: 'Card', new_name: 'Panel' },
  },
  {
    name: 'rename-private-name',
    files: { 'a.ts': 'export class C {\n  #n = 1;\n  get() {\n    return this.#n;\n  }\n}\n' },
    tool: rename,
    args: { file: 'a.ts', line: 2, column: 3, new_name: '#count' },
  },
  {
    name: 'rename-type-parameter-and-label',
    files: { 'a.ts': 'export function id<T>(x: T): T {\n  return x;\n}\n' },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: '<T', new_name: 'Value' },
  },
  {
    name: 'rename-library-symbol',
    files: { 'a.ts': 'export const n = Math.abs(1);\n' },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'abs', new_name: 'print' },
  },
  {
    name: 'rename-default-export',
    files: {
      'a.ts': 'export default function run() {\n  return 1;\n}\nrun();\n',
      'b.ts': "import run from './a';\nrun();\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'run', new_name: 'start' },
  },
  {
    name: 'rename-file-with-dynamic-import',
    files: {
      'lib/a.ts': 'export const x = 1;\n',
      'm.ts': "import { x } from './lib/a';\nexport const later = import('./lib/a');\nconsole.log(x);\n",
    },
    tool: rename,
    args: { file: 'lib/a.ts', new_name: 'b.ts' },
  },
  {
    name: 'rename-file-without-saying-its-extension',
    files: { 'lib/a.ts': 'export const x = 1;\n', 'm.ts': "import { x } from './lib/a';\nconsole.log(x);\n" },
    tool: rename,
    args: { file: 'lib/a.ts', new_name: 'b' },
  },
  {
    name: 'rename-file-to-a-path',
    files: { 'lib/a.ts': 'export const x = 1;\n', 'm.ts': "import { x } from './lib/a';\nconsole.log(x);\n" },
    tool: rename,
    args: { file: 'lib/a.ts', new_name: 'lib/b.ts' },
  },
  {
    name: 'rename-local-that-a-comment-quotes',
    files: {
      'a.ts':
        '/** The value at `index` in the list. */\nexport const at = (list: number[], place: number) => list[place];\n',
      'b.ts':
        "import { at } from './a';\nexport const all = [4, 5].map((_, index) => at([1, 2], index));\nconsole.log(all);\n",
    },
    tool: rename,
    args: { file: 'b.ts', line: 2, column: 58, new_name: 'position' },
  },
  {
    name: 'rename-member-that-a-type-guard-asks-for',
    files: {
      'types.ts': 'export interface Timer {\n  schedule(work: () => void): void;\n}\n',
      'other.ts': "export const plan = { schedule: () => 'other' };\nconsole.log(plan.schedule());\n",
      'guard.ts':
        "import type { Timer } from './types';\nexport function isTimer(value: any): value is Timer {\n  return typeof value?.schedule === 'function';\n}\n",
      'main.ts':
        "import { isTimer } from './guard';\nimport type { Timer } from './types';\nconst timer: Timer = { schedule: (work) => work() };\nconsole.log(isTimer(timer), isTimer({}));\n",
    },
    tool: rename,
    args: { file: 'types.ts', line: 2, text: 'schedule', new_name: 'start' },
  },
  {
    name: 'rename-member-named-by-strings-as-a-key-of-its-type',
    files: {
      'box.ts':
        "export interface Box { value: number; label: string }\nexport type Labelled = Pick<Box, 'label'>;\nexport type Plain = Omit<Box, 'label'>;\nexport type Other = Exclude<keyof Box, 'label'>;\nconst keys: (keyof Box)[] = ['value', 'label'];\nconst sorted: { by: keyof Box; as: string } = { by: 'label', as: 'label' };\nconsole.log(keys.length, sorted.as);\nexport function pluck<K extends keyof Box>(box: Box, key: K): Box[K] {\n  return box[key];\n}\n",
      'use.ts':
        "import { pluck, type Other, type Plain } from './box';\nconst plain: Plain = { value: 1 };\nconst others: Record<Other, number> = { value: 2 };\nconsole.log(others.value);\nconsole.log(pluck({ ...plain, label: 'label' }, 'label'), 'label');\n",
    },
    tool: 'ide_refactor_rename',
    args: { file: 'box.ts', line: 1, column: 39, new_name: 'title' },
  },
  {
    name: 'rename-member-of-an-object-that-a-call-hands-on',
    files: {
      'a.ts':
        "type Invalid = { status: 'aborted' };\nexport const invalid: Invalid = Object.freeze({\n  status: 'aborted',\n});\nconsole.log(invalid.status);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'status', new_name: 'state' },
  },
  {
    name: 'rename-member-of-a-type-that-another-is-like',
    files: {
      'a.ts':
        'interface Good {\n  ok: true;\n  data: number;\n}\ntype Bad = { ok: false };\nconst handle = (n: number): { ok: true; data: number } | { ok: false } =>\n  n > 0 ? { ok: true, data: n } : { ok: false };\nexport function parse(n: number): Good | Bad {\n  return handle(n);\n}\nconst found = parse(2);\nif (found.ok) console.log(found.data);\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 3, text: 'data', new_name: 'value' },
  },
  {
    name: 'rename-in-javascript',
    files: {
      'd.ts': 'export {};\n',
      'a.js': 'export function add(a, b) {\n  return a + b;\n}\n',
      'b.js': "import { add } from './a.js';\nconsole.log(add(1, 2));\n",
    },
    tool: rename,
    args: { file: 'a.js', line: 1, text: 'add', new_name: 'plus' },
  },
  {
    name: 'extract-method-in-class',
    files: {
      'a.ts':
        'export class C {\n  private n = 1;\n  total(xs: number[]) {\n    let sum = 0;\n    for (const x of xs) sum += x * this.n;\n    return sum;\n  }\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 4, end_line: 5, new_name: 'sumUp' },
  },
  {
    name: 'extract-function-with-captured-variables',
    files: {
      'a.ts':
        'export function h(a: number, b: number) {\n  const c = a * b + 1;\n  console.log(c);\n  return c * 2;\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 3, new_name: 'compute' },
  },
  {
    name: 'extract-function-with-await',
    files: {
      'a.ts':
        'export async function load(get: () => Promise<number>) {\n  const n = await get();\n  const twice = n * 2;\n  return twice;\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 3, new_name: 'fetchTwice' },
  },
  {
    name: 'extract-function-in-generator',
    files: { 'a.ts': 'export function* g(xs: number[]) {\n  for (const x of xs) {\n    yield x;\n  }\n}\n' },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 4, new_name: 'each' },
  },
  {
    name: 'extract-inner-function',
    files: { 'a.ts': 'export function h(a: number) {\n  const c = a + 1;\n  return c;\n}\n' },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, text: 'a + 1', new_name: 'next', scope: 'function' },
  },
  {
    name: 'extract-name-in-use',
    files: { 'a.ts': 'export function h(a: number, b: number) {\n  const c = a * b + 1;\n  return c * 2;\n}\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: 'a * b', new_name: 'c' },
  },
  {
    name: 'extract-half-an-expression',
    files: { 'a.ts': 'export function h(a: number, b: number) {\n  const c = a * b + 1;\n  return c * 2;\n}\n' },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, text: 'b + 1', new_name: 'zz' },
  },
  {
    name: 'extract-variable',
    files: { 'a.ts': 'export function h(a: number, b: number) {\n  return a * b + 1;\n}\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: 'a * b', new_name: 'product' },
  },
  {
    name: 'extract-function-that-first-sets-a-variable',
    files: {
      'a.ts':
        "export function word(n: number) {\n  let message: string;\n  if (n > 1) message = 'many';\n  else message = 'one';\n  return message;\n}\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 3, end_line: 4, new_name: 'choose' },
  },
  {
    name: 'extract-function-that-may-set-a-variable',
    files: {
      'a.ts':
        "export function word(n: number, m: number) {\n  let message: string;\n  if (n > 1) message = 'many';\n  if (m > 1) message = 'more';\n  else message = 'one';\n  return message;\n}\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 3, end_line: 3, new_name: 'choose' },
  },
  {
    name: 'extract-function-keeps-the-return-type',
    files: {
      'a.ts':
        'export type Make<T, R> = (value: T) => R;\nexport function make<T, R>(build: (value: T, keep: (result: R) => void) => void): Make<T, R> {\n  return (value) => {\n    const kept: R[] = [];\n    build(value, (result) => void kept.push(result));\n    return kept[0]!;\n  };\n}\nexport function use<T, R>(f: (value: T) => R): Make<T, R> {\n  console.log(f);\n  return make((value, keep) => keep(f(value)));\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 11, end_line: 11, new_name: 'makeOf' },
  },
  {
    name: 'extract-function-of-mere-declarations',
    files: { 'a.ts': 'export function f() {\n  let a: number;\n  a = 1;\n  return a;\n}\n' },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 2, new_name: 'nothing' },
  },
  {
    name: 'extract-variable-of-a-called-method',
    files: { 'a.ts': 'export function f(xs: number[]) {\n  return xs!.slice(1);\n}\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: 'xs!.slice', new_name: 'cut' },
  },
  {
    name: 'extract-variable-that-is-assigned',
    files: { 'a.js': 'export function f(o) {\n  [o.a, o.b] = [1, 2];\n  return o;\n}\n' },
    tool: extractVariable,
    args: { file: 'a.js', start_line: 2, text: 'o.b', new_name: 'second' },
  },
  {
    name: 'extract-variable-of-a-loop-condition',
    files: { 'a.js': 'export function f(xs) {\n  while (xs.length > 3) xs.pop();\n  return xs;\n}\n' },
    tool: extractVariable,
    args: { file: 'a.js', start_line: 2, text: 'xs.length > 3', new_name: 'isLong' },
  },
  {
    name: 'extract-variable-that-a-loop-keeps',
    files: {
      'a.ts':
        'export function f(n: number) {\n  let sum = 0;\n  for (let i = 0; i < n * 2; i++) sum += i;\n  return sum;\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 3, text: 'n * 2', new_name: 'end' },
  },
  {
    name: 'extract-variable-behind-a-guard',
    files: { 'a.js': 'export function f(o) {\n  return o && o.first.name;\n}\n' },
    tool: extractVariable,
    args: { file: 'a.js', start_line: 2, text: 'o.first.name', new_name: 'name' },
  },
  {
    name: 'extract-variable-that-is-called-only-sometimes',
    files: { 'a.js': 'export function f(ask, n) {\n  return n > 1 ? ask() : 0;\n}\n' },
    tool: extractVariable,
    args: { file: 'a.js', start_line: 2, text: 'ask()', new_name: 'answer' },
  },
  {
    name: 'extract-variable-keeps-the-type-asked-for',
    files: {
      'a.ts':
        'type Ctor = new (m: string) => Error;\nexport function make<T>(build: () => T): T {\n  return build();\n}\nexport const Odd: Ctor = make((): any => Error) as never;\nexport const Even: Ctor = cast(Error);\nfunction cast<T>(value: unknown): T {\n  return value as T;\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 6, text: 'cast(Error)', new_name: 'built' },
  },
  {
    name: 'extract-function-that-swaps-variables',
    files: {
      'a.ts':
        'export function order(a: number, b: number, list: number[]) {\n  if (a > b) {\n    [a, b] = [b, a];\n  }\n  list.push(a, b);\n  return list;\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 4, new_name: 'swap' },
  },
  {
    name: 'extract-function-with-a-loop-over-an-outer-variable',
    files: {
      'a.js': 'export function last(xs) {\n  let x = 0\n  for (x of xs) console.log(x)\n  return x\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.js', start_line: 3, end_line: 3, new_name: 'each' },
  },
  {
    name: 'extract-function-with-a-type-parameter-of-an-outer-function',
    files: {
      'a.ts':
        'export type Kept<O> = { value: O; keep(): void };\nexport function outer<T, O extends object>(make: (t: T) => Kept<O>) {\n  return (t: T) => {\n    let kept: Kept<O> | null = null;\n    const run = () => {\n      kept = make(t);\n      kept.keep();\n    };\n    run();\n    return kept as Kept<O> | null;\n  };\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 7, end_line: 7, new_name: 'keepIt' },
  },
  {
    name: 'extract-variable-in-arrow-body',
    files: { 'a.ts': 'export const f = (xs: number[]) => xs.map((x) => x * 2 + 1);\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: 'x * 2', new_name: 'doubled' },
  },
  {
    name: 'inline-variable-with-parentheses',
    files: { 'a.ts': 'export function f(a: number) {\n  const x = a + 1;\n  return x * 2;\n}\n' },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'x' },
  },
  {
    name: 'inline-one-use',
    files: { 'a.ts': 'export function f(a: number) {\n  const x = a + 1;\n  return x * 2 + x;\n}\n' },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'return x', all: false },
  },
  {
    name: 'inline-into-shorthand',
    files: { 'a.ts': 'export function f(a: number) {\n  const x = a + 1;\n  return { x };\n}\n' },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'x' },
  },
  {
    name: 'inline-call-used-twice',
    files: {
      'a.ts': 'declare function g(): number;\nexport function f() {\n  const x = g();\n  return x * 2 + x;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'x' },
  },
  {
    name: 'inline-variable-read-before-assignment',
    files: { 'a.ts': 'export function f(a: number) {\n  const x = a;\n  a = 3;\n  return x + a;\n}\n' },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'x' },
  },
  {
    name: 'inline-variable-shadowed-at-use',
    files: { 'a.ts': 'const n = 1;\nconst x = n + 1;\nexport function f(n: string) {\n  return n + x;\n}\n' },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'x' },
  },
  {
    name: 'inline-exported-variable',
    files: {
      'a.ts': 'export const x = 1;\nexport const y = x + 1;\n',
      'b.ts': "import { x } from './a';\nconsole.log(x);\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'x' },
  },
  {
    name: 'inline-function',
    files: {
      'a.ts': 'function square(n: number) {\n  return n * n;\n}\nexport const y = square(3) / square(2 + 1);\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'square' },
  },
  {
    name: 'inline-function-with-effects-in-arguments',
    files: {
      'a.ts':
        'declare function next(): number;\nfunction square(n: number) {\n  return n * n;\n}\nexport const y = square(next());\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'square' },
  },
  {
    name: 'inline-function-with-statements',
    files: { 'a.ts': 'function log(n: number) {\n  console.log(n);\n  return n;\n}\nexport const y = log(2);\n' },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'log' },
  },
  {
    name: 'inline-recursive-function',
    files: {
      'a.ts': 'function f(n: number): number {\n  return n === 0 ? 1 : n * f(n - 1);\n}\nexport const y = f(2);\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'f' },
  },
  {
    name: 'delete-unused-function-and-its-import',
    files: {
      'x.ts': 'export const k = 1;\nexport const m = 2;\n',
      'a.ts':
        "import { k, m } from './x';\n\n/** Documentation. */\nfunction unused() {\n  return k;\n}\n\nexport const y = m;\n",
    },
    tool: safeDelete,
    args: { file: 'a.ts', line: 4, text: 'unused' },
  },
  {
    name: 'delete-used',
    files: { 'x.ts': 'export const k = 1;\n', 'a.ts': "import { k } from './x';\nconsole.log(k);\n" },
    tool: safeDelete,
    args: { file: 'x.ts', line: 1, text: 'k' },
  },
  {
    name: 'delete-with-reexport-cascading',
    files: { 'x.ts': 'export const k = 1;\nexport const m = 2;\n', 'index.ts': "export { k, m } from './x';\n" },
    tool: safeDelete,
    args: { file: 'x.ts', line: 1, text: 'k', cascade: true },
  },
  {
    name: 'delete-overloaded-method',
    files: {
      'a.ts':
        'export class C {\n  a = 1;\n  f(x: string): void;\n  f(x: number): void;\n  f(x: unknown) {\n    console.log(x);\n  }\n\n  g() {}\n}\n',
    },
    tool: safeDelete,
    args: { file: 'a.ts', line: 5, text: 'f' },
  },
  {
    name: 'move-symbol-to-new-file',
    files: {
      'x.ts': "import { z } from './z';\nexport const k = z;\nexport const m = 2;\n",
      'z.ts': 'export const z = 1;\n',
      'a.ts': "import { k, m } from './x';\nconsole.log(k, m);\n",
    },
    tool: move,
    args: { file: 'x.ts', line: 2, text: 'k', target_file: 'sub/k.ts' },
  },
  {
    name: 'move-what-needs-names-of-a-pattern',
    files: {
      'marks.ts':
        "import { z } from './z';\n\nconst [dot, colon] = [46 + z, 58];\n\nconst { start: { line } } = { start: { line: dot } };\n\nexport function isMark(byte: number): boolean {\n  return byte === dot || byte === colon || byte === line;\n}\n",
      'z.ts': 'export const z = 0;\n',
      'a.ts': "import { isMark } from './marks';\nconsole.log(isMark(46), isMark(47));\n",
    },
    tool: move,
    args: { file: 'marks.ts', line: 7, text: 'isMark', target_file: 'isMark.ts' },
  },
  {
    name: 'move-what-needs-names-of-a-pattern-where-imports-name-extensions',
    files: {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"target":"es2022","lib":["es2022"],"module":"nodenext","allowImportingTsExtensions":true,"noEmit":true},"include":["**/*"]}',
      'a.ts':
        'const [low, high] = [1, 9];\n\nexport function clamp(n: number): number {\n  return Math.min(high, Math.max(low, n));\n}\n',
      'b.ts': "import { clamp } from './a.ts';\nconsole.log(clamp(20));\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 3, text: 'clamp', target_file: 'clamp.ts' },
  },
  {
    name: 'move-symbol-to-existing-file',
    files: {
      'x.ts': 'const secret = 3;\nexport function k() {\n  return secret;\n}\nexport const m = 2;\n',
      'y.ts': 'export const old = 1;\n',
      'a.ts': "import { k, m } from './x';\nconsole.log(k(), m);\n",
    },
    tool: move,
    args: { file: 'x.ts', line: 2, text: 'k', target_file: 'y.ts' },
  },
  {
    name: 'move-file-to-directory',
    files: {
      'x.ts': "import { z } from './z';\nexport const k = z;\n",
      'z.ts': 'export const z = 1;\n',
      'a.ts': "import { k } from './x';\nconsole.log(k);\n",
    },
    tool: move,
    args: { file: 'x.ts', target_directory: 'sub' },
  },
  {
    name: 'move-overloads-together',
    files: {
      'a.ts':
        'export const kept = 1;\nexport function get(a: string): string;\nexport function get(a: number): number;\nexport function get(a: unknown) {\n  return a;\n}\n',
      'b.ts': "import { get } from './a';\nconsole.log(get(1));\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 3, text: 'get', target_file: 'get.ts' },
  },
  {
    name: 'move-symbol-that-is-exported-again-by-name',
    files: {
      'a.ts': 'export const one = 1;\nexport function two() {\n  return 2;\n}\n',
      'index.ts': "export { one, two } from './a';\n",
      'b.ts': "import { one, two } from './index';\nconsole.log(one, two());\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'two', target_file: 'two.ts' },
  },
  {
    name: 'move-that-would-need-a-file-before-it-is-loaded',
    files: {
      'a.ts': 'export const base = { n: 1 };\nexport const copy = { ...base };\nexport const show = () => copy.n;\n',
    },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'copy', target_file: 'copy.ts' },
  },
  {
    name: 'move-nested-symbol',
    files: { 'a.ts': 'export function f() {\n  const inner = 1;\n  return inner;\n}\n' },
    tool: move,
    args: { file: 'a.ts', line: 2, text: 'inner', target_file: 'b.ts' },
  },
  {
    name: 'rename-imported-library-name',
    files: { 'x.ts': 'export const k = 1;\n', 'a.ts': "import { k as z } from './x';\nconsole.log(z, { z });\n" },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: '(z', new_name: 'local' },
  },
  {
    name: 'extract-property-named-like-others',
    files: { 'a.ts': 'export function f(xs: number[], length: number) {\n  return xs.length + length;\n}\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: 'xs.length', new_name: 'count' },
  },
  {
    name: 'move-needing-type-imports',
    files: {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"target":"es2022","lib":["es2022"],"module":"esnext","moduleResolution":"bundler","verbatimModuleSyntax":true,"noEmit":true}}',
      'a.ts': 'export interface P {\n  n: number;\n}\nexport function f(p: P) {\n  return p.n;\n}\n',
      'b.ts': "import { f } from './a';\nconsole.log(f({ n: 1 }));\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 4, text: 'f', target_file: 'c.ts' },
  },
  {
    name: 'rename-in-strings-and-comments',
    files: {
      'a.ts':
        "/** total of all */\nexport const total = 1;\nexport const label = 'the total: ' + `total ${total}`; // total\n",
      'b.ts': "import { total } from './a';\n// a subtotal is no total\nexport const other = total;\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'total', new_name: 'sum', comments: true },
  },
  {
    name: 'rename-where-a-module-is-an-object',
    files: {
      'a.ts': 'export const size = 1;\n',
      'b.ts': "import * as a from './a';\nconst measured: { size: number } = a;\nconsole.log(measured.size);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'size', new_name: 'length1' },
  },
  {
    name: 'rename-commonjs-export',
    files: {
      'a.cjs': 'function add(a, b) {\n  return a + b;\n}\nmodule.exports = { add };\n',
      'b.cjs': "const { add } = require('./a.cjs');\nconsole.log(add(1, 2));\n",
    },
    tool: rename,
    args: { file: 'a.cjs', line: 1, text: 'add', new_name: 'plus' },
  },
  {
    name: 'rename-commonjs-export-for-all-who-require-it',
    files: {
      'a.cjs': 'function add(a, b) {\n  return a + b;\n}\nexports.add = add;\n',
      'b.cjs': "const { add } = require('./a.cjs');\nconsole.log(add(1, 2));\nmodule.exports = { add };\n",
      'c.cjs':
        "const sums = require('./a.cjs');\nconst { add: plain } = require('./b.cjs');\nconsole.log(sums.add(1, 2), plain(1, 2));\n",
    },
    tool: rename,
    args: { file: 'a.cjs', line: 1, text: 'add', new_name: 'plus' },
  },
  {
    name: 'rename-commonjs-export-used-as-a-whole',
    files: {
      'a.cjs': 'function add(a, b) {\n  return a + b;\n}\nmodule.exports = { add };\n',
      'b.cjs': "console.log(Object.keys(require('./a.cjs')));\n",
    },
    tool: rename,
    args: { file: 'a.cjs', line: 1, text: 'add', new_name: 'plus' },
  },
  {
    name: 'rename-property-set-in-a-constructor-function',
    files: { 'a.js': 'function Box() {\n  this.size = 1;\n}\nconst box = new Box();\nbox.size = 2;\n' },
    tool: rename,
    args: { file: 'a.js', line: 2, text: 'size', new_name: 'length' },
  },
  {
    name: 'rename-parameter-taken-apart',
    files: {
      'a.ts':
        'export function f({ size, twice = size * 2 }: { size: number; twice?: number }) {\n  return size + twice;\n}\nconsole.log(f({ size: 1 }));\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: '{ size', new_name: 'length' },
  },
  {
    name: 'rename-default-import-only',
    files: {
      'a.ts': 'export default function run() {\n  return 1;\n}\n',
      'b.ts': "import run from './a';\nrun();\n",
    },
    tool: rename,
    args: { file: 'b.ts', line: 2, text: 'run', new_name: 'start' },
  },
  {
    name: 'rename-name-of-a-function-expression',
    files: { 'a.ts': 'export const x = function f(n: number): number {\n  return n > 0 ? f(n - 1) : 0;\n};\n' },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'function f', new_name: 'countDown' },
  },
  {
    name: 'rename-member-asked-for-by-its-name',
    files: {
      'a.ts':
        "export type Side = { left: number } | { right: number };\nexport const isLeft = (side: Side) => 'left' in side;\nexport const one: Side = { left: 1 };\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: '{ left', new_name: 'west' },
  },
  {
    name: 'rename-member-to-a-name-with-a-meaning',
    files: {
      'a.ts': 'const box = {\n  show() {\n    return 1;\n  },\n};\nconsole.log(JSON.stringify(box), box.show());\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'show', new_name: 'toJSON' },
  },
  {
    name: 'rename-this',
    files: { 'a.ts': 'export function f(this: { n: number }) {\n  return this.n;\n}\n' },
    tool: rename,
    args: { file: 'a.ts', line: 1, column: 19, new_name: 'self' },
  },
  {
    name: 'inline-object-into-arrow-body',
    files: { 'a.ts': 'const empty = {};\nexport const make = () => empty;\n' },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'empty' },
  },
  {
    name: 'inline-exported-variable-nobody-uses-elsewhere',
    files: { 'a.ts': 'export const x = 1;\nexport const y = x + 1;\n' },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'x' },
  },
  {
    name: 'inline-member-taken-from-an-object',
    files: {
      'a.ts':
        'export function f(session: { user: { id: number; name: string } }) {\n  const {\n    user: { id, name },\n  } = session;\n  return [() => ({ id }), name];\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: '{ id' },
  },
  {
    name: 'inline-type-alias',
    files: {
      'a.ts': "type Level = 'low' | 'high';\nexport interface Alarm {\n  level: Level;\n  past: Level[];\n}\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'Level' },
  },
  {
    name: 'inline-parameters-of-all-kinds',
    files: {
      'a.ts':
        "function show({ name }: { name: string }, [first]: number[], size = 3, ...rest: number[]) {\n  console.log(name, first, size, rest);\n}\nshow({ name: 'a' }, [1]);\nshow({ name: 'b' }, [2], 4, 5, 6);\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'show' },
  },
  {
    name: 'inline-private-method',
    files: {
      'a.ts':
        'export class Cart {\n  items: number[] = [];\n  total() {\n    const sum = this.sum(2);\n    return sum;\n  }\n  private sum(factor: number) {\n    let sum = 0;\n    for (const item of this.items) sum += item * factor;\n    return sum;\n  }\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 7, text: 'sum' },
  },
  {
    name: 'inline-method-called-on-a-name',
    files: {
      'a.ts':
        'export class Cart {\n  items: number[] = [];\n  count() {\n    return this.items.length;\n  }\n}\nexport function isEmpty(cart: Cart) {\n  return cart.count() === 0;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'count' },
  },
  {
    name: 'inline-overridden-method',
    files: {
      'a.ts':
        'export class A {\n  size() {\n    return 1;\n  }\n}\nexport class B extends A {\n  override size() {\n    return 2;\n  }\n}\nexport const n = (a: A) => a.size();\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'size' },
  },
  {
    name: 'inline-async-function-that-is-awaited',
    files: {
      'a.ts':
        'declare function load(n: number): Promise<string>;\nasync function twice(n: number) {\n  const one = await load(n);\n  return one + (await load(n + 1));\n}\nexport async function run() {\n  const text = await twice(1);\n  return text;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'twice' },
  },
  {
    name: 'inline-function-with-several-returns-where-it-is-returned',
    files: {
      'a.ts':
        'function sign(n: number) {\n  for (const limit of [1, 2]) {\n    if (n < limit) return limit;\n  }\n  return 0;\n}\nexport function run(a: number) {\n  return sign(a);\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'sign' },
  },
  {
    name: 'inline-statements-before-a-larger-expression',
    files: {
      'a.ts':
        'function area(w: number, h: number) {\n  const all = w * h;\n  return all / 2;\n}\nexport function run(a: number) {\n  if (area(a, 3) > 5) console.log(a);\n  return a;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'area' },
  },
  {
    name: 'inline-statements-not-before-what-comes-first',
    files: {
      'a.ts':
        'let count = 0;\nfunction next() {\n  count++;\n  return count;\n}\nexport function run() {\n  return count + next();\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'next' },
  },
  {
    name: 'inline-argument-that-the-body-changes',
    files: {
      'a.ts':
        'let count = 0;\nconst bump = () => ++count;\nconst add = (n: number) => bump() + n;\nexport const run = () => [add(count)];\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'add' },
  },
  {
    name: 'inline-function-used-as-a-value',
    files: {
      'a.ts':
        'function double(n: number) {\n  return n * 2;\n}\nexport function run(list: number[]) {\n  return list.map(double);\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'double' },
  },
  {
    name: 'inline-function-imported-in-all-ways',
    files: {
      'a.ts':
        "import { half } from './half';\nexport const unit = 2;\nexport function size(n: number) {\n  return half(n) * unit;\n}\n",
      'half.ts': 'export const half = (n: number) => n / 2;\n',
      'b.ts': "import { size as sizeOf } from './a';\nexport { size } from './a';\nconsole.log(sizeOf(1));\n",
      'c.ts':
        "import * as a from './a';\nimport { unit } from './a';\nimport { half } from './half';\nconsole.log(a.size(unit), half(unit));\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'size' },
  },
  {
    name: 'inline-function-that-assigns-to-a-parameter',
    files: {
      'a.ts':
        'function pad(text: string, size: number) {\n  while (text.length < size) text += 1;\n  return text;\n}\nexport const run = (n: string) => {\n  const padded = pad(n, 3);\n  return padded;\n};\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'pad' },
  },
  {
    name: 'inline-empty-function',
    files: { 'a.ts': 'function nothing() {}\nexport function run() {\n  nothing();\n  return [nothing()];\n}\n' },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'nothing' },
  },
  {
    name: 'inline-statements-in-place-of-calls',
    files: {
      'a.ts':
        'function report(what: string, size: number) {\n  const line = what + size;\n  // Small ones are not worth a word.\n  if (size > 1) {\n    console.log(line);\n  }\n}\nexport function run(total: number) {\n  report("a", total);\n  report("b", total + 1);\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'report' },
  },
  {
    name: 'inline-statements-with-a-result',
    files: {
      'a.ts':
        'declare function next(): number;\nconst twice = (n: number) => {\n  console.log(n);\n  return n * 2;\n};\nexport function run() {\n  const first = twice(next());\n  return first;\n}\nexport function again() {\n  return twice(3);\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'twice' },
  },
  {
    name: 'inline-statements-with-early-return',
    files: {
      'a.ts':
        'function sign(n: number) {\n  if (n < 0) return -1;\n  return 1;\n}\nexport function run(a: number) {\n  const s = sign(a);\n  return s;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'sign' },
  },
  {
    name: 'inline-statements-inside-an-expression',
    files: {
      'a.ts':
        'function log(n: number) {\n  console.log(n);\n  return n;\n}\nexport const run = (a: boolean) => a && log(1) > 0;\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'log' },
  },
  {
    name: 'inline-statements-with-names-in-use',
    files: {
      'a.ts':
        'function area(w: number) {\n  const half = w / 2;\n  return half * half;\n}\nexport function run(half: number) {\n  const a = area(4);\n  return a + half;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'area' },
  },
  {
    name: 'move-directory-with-configuration',
    files: {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"target":"es2022","lib":["es2022"],"module":"esnext","moduleResolution":"bundler","noEmit":true},"include":["old/*.ts","*.ts"]}',
      'old/a.ts': "import { m } from '../m';\nexport const a = m;\n",
      'm.ts': 'export const m = 1;\n',
      'b.ts': "import { a } from './old/a';\nconsole.log(a);\n",
    },
    tool: move,
    args: { file: 'old', target_file: 'fresh' },
  },
  {
    name: 'move-file-that-a-path-names',
    files: {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"target":"es2022","lib":["es2022"],"module":"esnext","moduleResolution":"bundler","noEmit":true,"paths":{"lib":["./src/index.ts"]}},"include":["**/*.ts"]}',
      'src/index.ts': 'export const one = 1;\n',
      'b.ts': "import { one } from 'lib';\nconsole.log(one);\n",
    },
    tool: move,
    args: { file: 'src/index.ts', target_file: 'src/main.ts' },
  },
  {
    name: 'extract-variable-all-occurrences',
    files: {
      'a.ts':
        'interface Box {\n  size: { width: number };\n}\nexport function f(box: Box) {\n  const twice = box.size.width * 2;\n  const half = () => box.size.width / 2;\n  return { twice, half: half(), box: box.size.width };\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 6, text: 'box.size.width', new_name: 'width', all: true },
  },
  {
    name: 'extract-variable-all-with-a-write-between',
    files: {
      'a.ts':
        'export function f(box: { width: number }) {\n  const before = box.width + 1;\n  box.width = 3;\n  return before + box.width;\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: 'box.width', new_name: 'width', all: true },
  },
  {
    name: 'inline-function-used-in-other-files',
    files: {
      'a.ts':
        'export const factor = 3;\nexport function scale(n: number) {\n  return n * factor;\n}\nexport const own = scale(1);\n',
      'b.ts': "import { scale } from './a';\nexport const x = scale(2) + 1;\n",
      'c.ts': "import { factor, scale } from './a';\nexport const y = [scale(factor), factor];\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'scale' },
  },
  {
    name: 'inline-function-needing-what-is-not-exported',
    files: {
      'a.ts': 'const factor = 3;\nexport function scale(n: number) {\n  return n * factor;\n}\n',
      'b.ts': "import { scale } from './a';\nexport const x = scale(2) + 1;\n",
    },
    tool: inline,
    args: { file: 'b.ts', line: 2, text: 'scale' },
  },
  {
    name: 'inline-function-exported-again',
    files: {
      'a.ts': 'export const scale = (n: number) => n * 2;\n',
      'index.ts': "export { scale } from './a';\n",
      'b.ts': "import { scale } from './index';\nexport const x = scale(2) + 1;\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'scale' },
  },
  {
    name: 'move-symbol-that-a-barrel-passes-on',
    files: {
      'lib/x.ts': 'export interface K {\n  n: number;\n}\nexport const k: K = { n: 1 };\nexport const m = 2;\n',
      'lib/index.ts': "export * from './x';\n",
      'a.ts': "import { k, m, type K } from './lib';\nexport const all: [K, number] = [k, m];\n",
    },
    tool: move,
    args: { file: 'lib/x.ts', line: 4, text: 'k', target_file: 'lib/k.ts' },
  },
  {
    name: 'rename-local-in-comments-of-its-file-only',
    files: {
      'a.ts': '// count of a\nexport function f(count: number) {\n  return count; // count\n}\n',
      'b.ts': '// count of b\nexport const other = 1;\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'count', new_name: 'total', comments: true },
  },
  {
    name: 'move-the-last-symbol-that-a-barrel-passes-on',
    files: {
      'lib/x.ts': 'export const k = 1;\n',
      'lib/index.ts': "export * from './x';\nexport const other = 2;\n",
      'a.ts': "import { k } from './lib';\nexport const all = k;\n",
    },
    tool: move,
    args: { file: 'lib/x.ts', line: 1, text: 'k', target_file: 'lib/k.ts' },
  },
  {
    name: 'rename-member-used-on-objects-of-unknown-type',
    files: {
      'a.ts':
        'export interface State {\n  changed_: boolean;\n}\nexport const make = (): State => ({ changed_: false });\n',
      'b.ts':
        "import { make } from './a';\nconst loose: any = make();\nconsole.log(loose.changed_, make().changed_);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'changed_', new_name: 'dirty' },
  },
  {
    name: 'rename-member-that-a-library-calls-so-too',
    files: {
      'a.ts':
        'export interface Box {\n  length: number;\n}\nexport const box: Box = { length: 1 };\nconst loose: any = box;\nvoid [loose.length, [1].length];\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'length', new_name: 'extent' },
  },
  {
    name: 'rename-member-of-a-class-used-in-place-of-an-interface',
    files: {
      'a.ts':
        'export interface Listener {\n  fail(error: unknown): void;\n}\nexport function attach(listener: Listener) {\n  listener.fail(1);\n}\n',
      'b.ts':
        "import { attach } from './a';\nexport class Log {\n  fail(error: unknown) {\n    console.log(error);\n  }\n}\nattach(new Log());\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'fail', new_name: 'onError' },
  },
  {
    name: 'rename-member-that-a-union-shares',
    files: {
      'a.ts':
        "interface Cat {\n  kind: 'cat';\n  sound: string;\n}\ninterface Dog {\n  kind: 'dog';\n  sound: string;\n}\nexport const say = (one: Cat | Dog) => one.sound;\nexport const purr = (cat: Cat) => cat.sound;\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 10, text: 'sound', new_name: 'voice' },
  },
  {
    name: 'rename-member-that-functions-have-by-nature',
    files: {
      'a.ts':
        'export interface Step {\n  call(self: unknown, value: number): number;\n}\nexport function run(step: Step) {\n  return step.call(null, 1);\n}\n',
      'b.ts': "import { run } from './a';\nrun(function (value: number) {\n  return value;\n});\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'call', new_name: 'apply2' },
  },
  {
    name: 'inline-calls-that-stand-in-each-other',
    files: {
      'a.ts':
        'class Box<T> {\n  constructor(readonly value: T) {}\n}\nfunction box<T>(value: T): Box<T> {\n  return new Box(value);\n}\nexport const twice = box(box(1));\nexport const later = box(() => box(2));\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 4, text: 'box' },
  },
  {
    name: 'inline-statements-that-something-guards',
    files: {
      'a.ts':
        "function report(text: string) {\n  const line = `> ${text}`;\n  console.log(line);\n}\nexport function check(list: string[], quiet: boolean) {\n  list.length > 1 && report('many');\n  quiet || report('loud');\n  quiet ? report('quiet') : list.push('x');\n  switch (list.length) {\n    case 0:\n      report('none');\n  }\n}\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'report' },
  },
  {
    name: 'inline-spread-arguments-and-type-parameters',
    files: {
      'a.ts':
        'function merge<T>(first: T, ...rest: T[]): T[] {\n  const all: T[] = [first, ...rest];\n  return all;\n}\nexport function join(names: string[]) {\n  const found = merge(names.join(), ...names);\n  return found;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'merge' },
  },
  {
    name: 'inline-function-of-a-namespace',
    files: {
      'a.ts':
        'export namespace text {\n  export const mark = (value: string) => `*${value}`;\n  export function bold(value: string) {\n    return mark(mark(value));\n  }\n}\n',
      'b.ts': "import { text } from './a';\nexport const title = text.bold('x');\n",
    },
    tool: inline,
    args: { file: 'b.ts', line: 2, text: 'bold' },
  },
  {
    name: 'inline-where-the-declared-type-is-needed',
    files: {
      'a.ts':
        'type Handler = (event: { name: string }) => string;\nconst handler: Handler = (event) => event.name;\nexport const handlers = Object.assign({}, { click: handler });\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'handler' },
  },
  {
    name: 'inline-without-semicolons',
    files: {
      'a.ts': 'export function add(list?: string[]) {\n  console.log(1)\n  const all = list ?? []\n  all.push()\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 3, text: 'all' },
  },
  {
    name: 'inline-function-that-is-compared',
    files: {
      'a.ts':
        'const noop = () => {};\nexport const isNoop = (one: () => void) => one === noop;\nexport const start = (one = noop) => one();\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'noop' },
  },
  {
    name: 'extract-function-that-returns-for-the-one-around',
    files: {
      'a.ts':
        'type Mapper<A, B> = (value: A) => B;\nfunction make<A, B>(run: (value: A) => B): Mapper<A, B> {\n  return run;\n}\nexport function pick<K extends string>(key: K, times = 1): Mapper<Record<K, number>, number> {\n  times = times < 1 ? 1 : times;\n  return make((value) => value[key] * times);\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 6, end_line: 7, new_name: 'picker' },
  },
  {
    name: 'extract-method-all-occurrences',
    files: {
      'a.ts':
        'export function first(list: number[]) {\n  const sum = list.reduce((a, b) => a + b, 0);\n  console.log(sum);\n  return list;\n}\nexport function second(list: number[]) {\n  if (list.length > 1) {\n    const sum = list.reduce((a, b) => a + b, 0);\n    console.log(sum); // again\n  }\n}\nexport function third(list: bigint[]) {\n  const sum = list.length;\n  console.log(sum);\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 2, end_line: 3, new_name: 'showSum', all: true },
  },
  {
    name: 'extract-statements-that-return-in-their-middle',
    files: {
      'a.ts':
        'export function find(list: number[], wanted: number) {\n  const all = list.slice();\n  for (const one of all) {\n    if (one === wanted) return one;\n  }\n  return undefined;\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 3, end_line: 6, new_name: 'search' },
  },
  {
    name: 'inline-multi-line-template',
    files: {
      'a.ts':
        "function help(name: string) {\n  const text = `usage:\n  ${name}\n    --all`;\n  console.log(text);\n}\nexport function main() {\n  if (true) {\n    help('x');\n  }\n}\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'help' },
  },
  {
    name: 'inline-where-a-narrowed-argument-needs-its-whole-type',
    files: {
      'a.ts':
        "type Message = string | { text: string };\nconst plain = (message?: Message): string | undefined =>\n  typeof message === 'string' ? message : message?.text;\nexport const make = (message?: string) => {\n  return { list: [{ message: plain(message) }, { message: plain(message) }] };\n};\n",
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'plain' },
  },
  {
    name: 'move-where-one-file-is-always-loaded-first',
    files: {
      'a.ts':
        'export class Base {\n  name() {\n    return label;\n  }\n}\nexport const label = 1;\nexport const made = new Base();\nexport const again = () => made.name();\n',
      'b.ts': "import { again } from './a';\nconsole.log(again());\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 1, text: 'Base', target_file: 'base.ts' },
  },
  {
    name: 'rename-member-that-another-type-asks-for',
    files: {
      'a.ts': 'export interface Sink {\n  done(): void;\n}\nexport function close(sink: Sink) {\n  sink.done();\n}\n',
      'b.ts':
        "import { close } from './a';\n/** {@link Log.done} is not {@link finished}. */\nexport class Log {\n  done() {}\n}\nclose(new Log());\nexport const finished = 1;\n",
    },
    tool: rename,
    args: { file: 'b.ts', line: 4, text: 'done', new_name: 'finished' },
  },
  {
    name: 'rename-name-in-a-quoted-template',
    files: { 'a.ts': "export const show = (input: string) => `${input === '' ? 'nothing' : `'${input}'`}`;\n" },
    tool: rename,
    args: { file: 'a.ts', line: 1, column: 74, new_name: 'text' },
  },
  {
    name: 'rename-what-is-only-declared-for-something-outside',
    files: {
      'env.d.ts': 'declare const host: { version: string };\n',
      'a.ts': 'export const version = () => host.version;\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'host.version', new_name: 'release' },
  },
];
