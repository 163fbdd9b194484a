/** Cases of safe delete: what goes, what stays, what refuses. After each the project compiles or runs as before. */
export interface DeleteCase {
  name: string;
  files: Readonly<Record<string, string>>;
  args: Readonly<Record<string, unknown>>;
}

const shapes = {
  'shapes.ts':
    'export interface Shape {\n  /** In square metres. */\n  area(): number;\n  name: string;\n}\n\nexport class Square implements Shape {\n  name = "square";\n\n  /** Side times side. */\n  area(): number {\n    return 4;\n  }\n}\n',
};

const helpers = {
  'price.ts':
    "import { round } from './round';\nimport { log, warn } from './log';\n\nconst rate = 1.2;\n\n/** Adds the tax. */\nfunction withTax(value: number): number {\n  return value * rate;\n}\n\ninterface Options {\n  digits: number;\n}\n\n/** What it costs. */\nexport function total(values: number[], options: Options): number {\n  log(options.digits);\n  return round(withTax(values.length));\n}\n\nexport function count(values: number[]): number {\n  warn(1);\n  return values.length;\n}\n",
  'round.ts': 'export const round = (value: number): number => Math.round(value);\n',
  'log.ts':
    'export function log(value: unknown): void {\n  console.log(value);\n}\n\nexport function warn(value: unknown): void {\n  console.log(value);\n}\n',
};

export const typescriptDeletes: readonly DeleteCase[] = [
  { name: 'helpers-stay-without-cascade', files: helpers, args: { file: 'price.ts', line: 16, text: 'total' } },
  {
    name: 'helpers-go-with-cascade',
    files: helpers,
    args: { file: 'price.ts', line: 16, text: 'total', cascade: true },
  },
  {
    name: 'helper-with-an-effect-stays',
    files: {
      'a.ts':
        "const seen = register('a');\nconst plain = 1;\n\nfunction register(name: string): string {\n  return name;\n}\n\nexport function old(): string {\n  return seen + plain;\n}\n\nexport const kept = 1;\n",
    },
    args: { file: 'a.ts', line: 8, text: 'old', cascade: true },
  },
  {
    name: 'private-members-go-with-cascade',
    files: {
      'a.ts':
        'export class Account {\n  private balance = 0;\n\n  /** Unused. */\n  report(): string {\n    return this.format(this.balance);\n  }\n\n  private format(value: number): string {\n    return `${value}`;\n  }\n\n  close(): void {}\n}\n',
    },
    args: { file: 'a.ts', line: 5, text: 'report', cascade: true },
  },
  {
    name: 'local-export-list-and-default',
    files: {
      'a.ts':
        'function one(): number {\n  return 1;\n}\nfunction two(): number {\n  return 2;\n}\nexport { one, two };\n',
      'b.ts': 'const only = 1;\nexport default only;\nexport const other = 2;\n',
    },
    args: { file: 'a.ts', line: 1, text: 'one' },
  },
  {
    name: 'default-export-statement',
    files: { 'b.ts': 'const only = 1;\nexport default only;\nexport const other = 2;\n' },
    args: { file: 'b.ts', line: 1, text: 'only' },
  },
  {
    name: 'renamed-reexports-and-imports-with-cascade',
    files: {
      'x.ts': 'export const a = 1;\nexport const b = 2;\n',
      'index.ts': "export { a as first, b } from './x';\nexport * from './x';\n",
      'c.ts': "import { a as mine, b } from './x';\nimport { first } from './index';\nconsole.log(b);\n",
      'd.ts': "import { a } from './x';\nexport const d = 1;\n",
    },
    args: { file: 'x.ts', line: 1, text: 'a', cascade: true },
  },
  {
    name: 'used-in-tests-only',
    files: {
      'x.ts': 'export function half(n: number): number {\n  return n / 2;\n}\n',
      'x.test.ts': "import { half } from './x';\nif (half(4) !== 2) throw new Error('half');\n",
    },
    args: { file: 'x.ts', line: 1, text: 'half' },
  },
  {
    name: 'used-of-every-kind',
    files: {
      'x.ts': 'export class Base {\n  value = 1;\n}\n',
      'y.ts':
        "import { Base } from './x';\n\nexport class Derived extends Base {}\nexport function make(): Base {\n  return new Base();\n}\nexport const all = [Base];\n",
      'index.ts': "export { Base } from './x';\n",
    },
    args: { file: 'x.ts', line: 1, text: 'Base' },
  },
  {
    name: 'used-with-force',
    files: {
      'x.ts': 'export const k = 1;\nexport const m = 2;\n',
      'a.ts': "import { m } from './x';\nconsole.log(m);\n",
    },
    args: { file: 'x.ts', line: 1, text: 'k', force: true },
  },
  { name: 'interface-member', files: shapes, args: { file: 'shapes.ts', line: 3, text: 'area' } },
  {
    name: 'interface-member-with-cascade',
    files: shapes,
    args: { file: 'shapes.ts', line: 3, text: 'area', cascade: true },
  },
  { name: 'implementation-of-a-member', files: shapes, args: { file: 'shapes.ts', line: 11, text: 'area' } },
  {
    name: 'overridden-method',
    files: {
      'a.ts':
        'export class Base {\n  run(): number {\n    return 1;\n  }\n}\n\nexport class Derived extends Base {\n  override run(): number {\n    return 2;\n  }\n}\n',
    },
    args: { file: 'a.ts', line: 2, text: 'run' },
  },
  {
    name: 'parameter-with-arguments-and-documentation',
    files: {
      'used.ts': 'export const label = 1;\n',
      'a.ts':
        "import { label } from './used';\n\n/**\n * Adds.\n * @param a one\n * @param name what it is called\n * @param b another\n */\nfunction add(a: number, name: number, b: number): number {\n  return a + b;\n}\nexport const three = add(1, label, 2);\n",
    },
    args: { file: 'a.ts', line: 9, text: 'name' },
  },
  {
    name: 'parameter-of-a-constructor',
    files: {
      'a.ts':
        'export class Point {\n  constructor(\n    readonly x: number, // across\n    private readonly unit: string, // of both\n  ) {}\n}\nexport class Origin extends Point {\n  constructor() {\n    super(0, "m");\n  }\n}\nexport const x = new Point(1, "m").x + new Origin().x;\n',
    },
    args: { file: 'a.ts', line: 4, text: 'unit' },
  },
  {
    name: 'parameter-whose-argument-does-something',
    files: {
      'a.ts':
        'function f(a: number, b: unknown): number {\n  return a;\n}\nexport const one = f(1, console.log("now"));\n',
    },
    args: { file: 'a.ts', line: 1, text: 'b' },
  },
  {
    name: 'parameter-of-a-function-that-is-handed-on',
    files: { 'a.ts': 'export const indexes = [5, 6].map((one, index) => index);\n' },
    args: { file: 'a.ts', line: 1, text: 'one' },
  },
  {
    name: 'last-parameter-of-a-function-that-is-handed-on',
    files: { 'a.ts': 'export const same = [5, 6].map((one, index) => one);\n' },
    args: { file: 'a.ts', line: 1, text: 'index' },
  },
  {
    name: 'parameter-that-others-must-match',
    files: {
      'a.ts':
        'interface Shape {\n  area(scale: number, unit: string): number;\n}\nexport class Square implements Shape {\n  area(scale: number, unit: string): number {\n    return scale;\n  }\n}\n',
    },
    args: { file: 'a.ts', line: 5, text: 'unit' },
  },
  {
    name: 'taken-out-of-an-object',
    files: {
      'a.ts': 'const point = { x: 1, y: 2, z: 3 };\nconst { x, y, z } = point;\nexport const sum = x + z;\n',
    },
    args: { file: 'a.ts', line: 2, text: 'y' },
  },
  {
    name: 'taken-out-of-an-array',
    files: { 'a.ts': 'const [first, second] = [1, 2];\nexport const last = second;\n' },
    args: { file: 'a.ts', line: 1, text: 'first' },
  },
  {
    name: 'taken-out-of-what-a-call-gives',
    files: {
      'a.ts':
        'function make(): { x: number } {\n  console.log("made");\n  return { x: 1 };\n}\nconst { x } = make();\nexport const y = 1;\n',
    },
    args: { file: 'a.ts', line: 5, text: 'x' },
  },
  {
    name: 'taken-out-beside-the-rest',
    files: {
      'a.ts': 'const { id, ...rest } = { id: 1, name: "a" };\nexport const others = rest;\n',
    },
    args: { file: 'a.ts', line: 1, text: 'id' },
  },
  {
    name: 'caught-variable',
    files: {
      'a.ts':
        'export function parsed(text: string): unknown {\n  try {\n    return JSON.parse(text);\n  } catch (error) {\n    return undefined;\n  }\n}\n',
    },
    args: { file: 'a.ts', line: 4, text: 'error' },
  },
  {
    name: 'last-of-a-list-with-comments',
    files: {
      'a.ts': 'enum Level {\n  Low = 1, // hardly any\n  High = 2, // a lot\n}\nexport const low = Level.Low;\n',
    },
    args: { file: 'a.ts', line: 3, text: 'High' },
  },
  {
    name: 'last-of-several-variables-with-comments',
    files: { 'a.ts': 'const a = 1, // one\n  b = 2; // two\nexport const c = a;\n' },
    args: { file: 'a.ts', line: 2, text: 'b' },
  },
  {
    name: 'mentioned-in-a-comment-only',
    files: {
      'a.ts': 'export const kept = 1;\n\n/** See {@link old}. */\nexport const other = 2;\n\nfunction old(): void {}\n',
    },
    args: { file: 'a.ts', line: 6, text: 'old' },
  },
  {
    name: 'import-whose-file-does-something',
    files: {
      'b.ts': 'export const b = 1;\nconsole.log("loaded");\n',
      'a.ts': "import { b } from './b';\n\nfunction old(): number {\n  return b;\n}\n\nexport const kept = 1;\n",
    },
    args: { file: 'a.ts', line: 3, text: 'old' },
  },
  {
    name: 'below-a-comment-about-the-file',
    files: {
      'a.ts':
        '/* eslint-disable no-console */\n// #region old\n// Says nothing.\nfunction old(): void {}\n// #endregion\nexport const kept = 1;\n',
    },
    args: { file: 'a.ts', line: 4, text: 'old' },
  },
  {
    name: 'taken-out-of-a-parameter',
    files: {
      'a.ts':
        'function f({ a, b }: { a: number; b: number }): number {\n  return b;\n}\nexport const two = f({ a: 1, b: 2 });\n',
    },
    args: { file: 'a.ts', line: 1, text: '{ a' },
  },
  {
    name: 'parameter',
    files: { 'a.ts': 'export function f(a: number, unused: string): number {\n  return a;\n}\n' },
    args: { file: 'a.ts', line: 1, text: 'unused' },
  },
  {
    name: 'merged-interface-and-enum-member',
    files: {
      'a.ts':
        'export interface Part {\n  a: string;\n}\n\nexport interface Part {\n  b: string;\n}\n\nexport enum Level {\n  Low,\n  /** Nobody uses it. */\n  Middle,\n  High,\n}\n\nexport const kept = Level.High + Level.Low;\n',
    },
    args: { file: 'a.ts', line: 1, text: 'Part' },
  },
  {
    name: 'every-import-of-a-list',
    files: {
      'x.ts': 'export const a = 1;\nexport const b = 2;\nexport const c = 3;\nexport const d = 4;\nexport default 5;\n',
      'y.ts':
        "import e, { a, b, c, d } from './x';\n\nfunction old(): number {\n  return a + c + d + e;\n}\n\nexport const kept = b;\n",
    },
    args: { file: 'y.ts', line: 3, text: 'old' },
  },
  {
    name: 'decorated-class-with-documentation',
    files: {
      'a.ts':
        'function mark(_: unknown, context: ClassDecoratorContext): void {\n  void context.name;\n}\n\n// Why it is here.\n/**\n * Unused.\n */\n@mark\nexport class Old {\n  x = 1;\n}\n\n@mark\nexport class Kept {}\n',
    },
    args: { file: 'a.ts', line: 10, text: 'Old' },
  },
  {
    name: 'member-of-an-enum-whose-followers-count-on',
    files: { 'a.ts': 'enum Level {\n  Low,\n  Middle,\n  High,\n}\nconsole.log(Level.Low, Level.High);\n' },
    args: { file: 'a.ts', line: 3, text: 'Middle' },
  },
  {
    name: 'method-that-the-language-calls',
    files: { 'a.ts': "class Tag {\n  toString() {\n    return 'tag';\n  }\n}\nconsole.log(`${new Tag()}`);\n" },
    args: { file: 'a.ts', line: 2, text: 'toString' },
  },
  {
    name: 'class-that-does-something-as-it-loads',
    files: { 'a.ts': "class Setup {\n  static {\n    console.log('ready');\n  }\n}\nconsole.log(1);\n" },
    args: { file: 'a.ts', line: 1, text: 'Setup' },
  },
  {
    name: 'type-that-a-comment-declares',
    files: { 'package.json': '{}\n', 'a.js': '/** @typedef {{ size: number }} Box */\nconsole.log(1);\n' },
    args: { file: 'a.js', line: 1, column: 34 },
  },
];

const package_ = {
  'lib/__init__.py': 'from .core import run, stop\n\n__all__ = ["run", "stop"]\n',
  'lib/core.py':
    'import math\nimport os\n\n_LIMIT = 3\n\n\ndef _half(n):\n    return math.floor(n / 2)\n\n\ndef run():\n    return 1\n\n\ndef stop():\n    """Ends it."""\n    return _half(_LIMIT) + len(os.sep)\n',
  'main.py': 'import lib\n\nprint(lib.run())\n',
};

export const pythonDeletes: readonly DeleteCase[] = [
  {
    name: 'registered-by-decorators',
    files: {
      'a.py':
        "handlers = {}\n\n\ndef on(event):\n    def keep(function):\n        handlers[event] = function\n        return function\n\n    return keep\n\n\n@on('start')\ndef greet():\n    return 'hello'\n\n\nprint(handlers['start']())\n",
    },
    args: { file: 'a.py', line: 13, text: 'greet' },
  },
  {
    name: 'decorated-by-a-mere-wrapper',
    files: {
      'a.py':
        'import functools\n\n\ndef timed(function):\n    seen = {}\n\n    @functools.wraps(function)\n    def inner(*values):\n        seen[len(values)] = function(*values)\n        return seen[len(values)]\n\n    return inner\n\n\n@timed\ndef old():\n    return 1\n\n\nprint(timed(len)([]))\n',
    },
    args: { file: 'a.py', line: 16, text: 'old' },
  },
  {
    name: 'named-by-an-entry-point',
    files: {
      'pyproject.toml': '[project]\nname = "x"\n\n[project.scripts]\nx = "lib.cli:start"\n',
      'lib/__init__.py': '',
      'lib/cli.py': 'def start():\n    return 1\n',
      'a.py': 'print(1)\n',
    },
    args: { file: 'lib/cli.py', line: 1, text: 'start' },
  },
  {
    name: 'helpers-go-with-cascade',
    files: package_,
    args: { file: 'lib/core.py', line: 15, text: 'stop', cascade: true },
  },
  {
    name: 'overloads',
    files: {
      'a.py':
        'from typing import overload\n\n\n@overload\ndef twice(n: int) -> int: ...\n@overload\ndef twice(n: str) -> str: ...\ndef twice(n):\n    return n + n\n\n\nprint(1)\n',
    },
    args: { file: 'a.py', line: 8, text: 'twice' },
  },
  {
    name: 'property-with-setter',
    files: {
      'a.py':
        'class Box:\n    def __init__(self):\n        self._size = 1\n\n    @property\n    def size(self):\n        return self._size\n\n    @size.setter\n    def size(self, value):\n        self._size = value\n\n    def show(self):\n        return self._size\n\n\nprint(Box().show())\n',
    },
    args: { file: 'a.py', line: 6, text: 'size' },
  },
  {
    name: 'used-in-tests-only',
    files: {
      'a.py': 'def half(n):\n    return n / 2\n\n\nprint(1)\n',
      'tests/test_a.py': 'from a import half\n\n\ndef test_half():\n    assert half(4) == 2\n',
    },
    args: { file: 'a.py', line: 1, text: 'half' },
  },
  {
    name: 'overridden-method',
    files: {
      'a.py':
        'class Base:\n    def run(self):\n        return 1\n\n\nclass Derived(Base):\n    def run(self):\n        return 2\n\n\nprint(Base, Derived)\n',
    },
    args: { file: 'a.py', line: 2, text: 'run' },
  },
  {
    name: 'used-with-force',
    files: { 'a.py': 'def half(n):\n    return n / 2\n\n\ndef other():\n    return half(2)\n\n\nprint(1)\n' },
    args: { file: 'a.py', line: 1, text: 'half', force: true },
  },
  {
    name: 'star-import',
    files: {
      'core.py': '__all__ = ["run", "stop"]\n\n\ndef run():\n    return 1\n\n\ndef stop():\n    return 2\n',
      'main.py': 'from core import *\n\nprint(run())\n',
    },
    args: { file: 'core.py', line: 8, text: 'stop', cascade: true },
  },
  {
    name: 'dataclass-field',
    files: {
      'a.py':
        'from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int = 0\n    y: int = 0\n\n\nprint(Point(1, 2).x)\n',
    },
    args: { file: 'a.py', line: 7, text: 'y' },
  },
  {
    name: 'the-only-member',
    files: {
      'a.py':
        'class Empty:\n    """Says something."""\n\n    def old(self):\n        pass\n\n\nprint(Empty.__name__)\n',
    },
    args: { file: 'a.py', line: 4, text: 'old' },
  },
  {
    name: 'found-by-a-name-put-together',
    files: {
      'a.py':
        'class Visitor:\n    def visit_number(self):\n        return 1\n\n    def visit(self, kind):\n        return getattr(self, f"visit_{kind}")()\n\n\nprint(Visitor().visit("number"))\n',
    },
    args: { file: 'a.py', line: 2, text: 'visit_number' },
  },
  {
    name: 'parameter',
    files: { 'a.py': 'def f(a, unused=1):\n    return a\n\n\nprint(f(1))\n' },
    args: { file: 'a.py', line: 1, text: 'unused' },
  },
];
