import type { HardCase } from './hardCases.ts';

/** Attempts to make a refactoring report success with broken code or another meaning. Each of these once did. */
export const adversarialCases: readonly (HardCase & { files: Readonly<Record<string, string>> })[] = [
  {
    name: 'typescript-extract-arguments',
    tool: 'extractMethod',
    file: 'a.js',
    on: 'arguments.length',
    args: {
      text: 'arguments.length + a',
      new_name: 'count',
    },
    files: {
      'a.js': 'export function f(a) {\n  return arguments.length + a;\n}\n',
    },
  },
  {
    name: 'typescript-rename-written-with-an-escape',
    tool: 'rename',
    file: 'a.ts',
    on: 'const caf',
    args: {
      text: 'caf',
      new_name: 'bar',
    },
    files: {
      'a.ts': 'const caf\\u00e9 = 1;\nexport const x = café + caf\\u00e9;\n',
    },
  },
  {
    name: 'typescript-delete-what-a-call-gave',
    tool: 'delete',
    file: 'a.ts',
    on: 'const x',
    args: {
      text: 'x',
    },
    files: {
      'a.ts': "export const log: string[] = [];\nconst x = log.push('a');\nexport const y = log.length;\n",
    },
  },
  {
    name: 'typescript-move-what-changes-its-file-as-it-loads',
    tool: 'move',
    file: 'a.ts',
    on: 'const b =',
    args: {
      text: 'b',
      target_file: 'b.ts',
    },
    files: {
      'a.ts':
        "export const log: string[] = [];\nconst add = (s: string) => log.push(s);\nexport const a = add('a');\nexport const b = add('b');\nexport const c = add('c');\n",
      'm.ts': "import { log, b } from './a';\nexport const all = [log.join(), b];\n",
    },
  },
  {
    name: 'typescript-variable-of-half-a-chain',
    tool: 'extractVariable',
    file: 'a.js',
    on: 'return o',
    args: {
      text: 'o?.a',
      new_name: 'first',
    },
    files: {
      'a.js': 'export function g(o) {\n  return o?.a.b.c;\n}\n',
    },
  },
  {
    name: 'typescript-extract-half-a-chain',
    tool: 'extractMethod',
    file: 'a.js',
    on: 'return o',
    args: {
      text: 'o?.a',
      new_name: 'first',
    },
    files: {
      'a.js': 'export function g(o) {\n  return o?.a.b.c;\n}\n',
    },
  },
  {
    name: 'typescript-variable-of-yield-behind-an-effect',
    tool: 'extractVariable',
    file: 'a.ts',
    on: 'return foo',
    args: {
      text: 'yield x',
      new_name: 'got',
    },
    files: {
      'a.ts':
        'export function* g(foo: (a: number, b: number) => number, x: number): Generator<number, number, number> {\n  return foo(x++, (yield x) + x);\n}\n',
    },
  },
  {
    name: 'typescript-variable-of-a-second-call',
    tool: 'extractVariable',
    file: 'a.ts',
    on: 'return pair',
    args: {
      text: 'next() + 1',
      new_name: 'second',
    },
    files: {
      'a.ts':
        'let n = 0;\nconst next = () => n++;\nconst pair = (a: number, b: number) => [a, b];\nexport function g() {\n  n = 0;\n  return pair(next(), next() + 1);\n}\n',
    },
  },
  {
    name: 'typescript-move-with-carriage-returns',
    tool: 'move',
    file: 'a.ts',
    on: 'function g',
    args: {
      text: 'g',
      target_file: 'c.ts',
    },
    files: {
      'a.ts':
        '﻿export function f(a: number) {\r\n\treturn g(a);\r\n}\r\n\r\nexport function g(n: number) {\r\n\treturn n;\r\n}\r\n',
      'b.ts': "import { g } from './a';\r\nexport const x = g(1);\r\n",
    },
  },
  {
    name: 'typescript-move-leaves-comments-of-the-file',
    tool: 'move',
    file: 'a.ts',
    on: 'function g',
    args: {
      text: 'g',
      target_file: 'b.ts',
    },
    files: {
      'a.ts':
        'export const f = 1; // tail\n\n// ---- section ----\n\n// About g.\nexport function g() {\n  return 2;\n}\n\n// ---- other ----\n\nexport const h = g() + f;\n',
      'b.ts': '// Header of b.\n',
    },
  },
  {
    name: 'typescript-move-below-a-license',
    tool: 'move',
    file: 'a.ts',
    on: 'function first',
    args: {
      text: 'first',
      target_file: 'lib/first.ts',
    },
    files: {
      'a.ts':
        '#!/usr/bin/env node\n// License.\n\n/** First. */\nexport function first() {\n  return second();\n}\n\nfunction second() {\n  return 2;\n}\nexport const v = first();\n',
    },
  },
  {
    name: 'typescript-move-type-as-it-is-written',
    tool: 'move',
    file: 'a.ts',
    on: 'type T',
    args: {
      text: 'T',
      target_file: 'types.ts',
    },
    files: {
      'a.ts': "import type { Z } from './z';\nexport type T = { z: Z };\nexport const mk = (z: Z): T => ({ z });\n",
      'z.ts': 'export type Z = number;\n',
      'b.ts': "import { mk, type T } from './a';\nexport const t: T = mk(1);\n",
    },
  },
  {
    name: 'python-extract-what-is-deleted',
    tool: 'extractMethod',
    file: 'a.py',
    on: ['y = x', 'del x'],
    args: {
      new_name: 'work',
    },
    files: {
      'a.py':
        'def f(n):\n    x = n + 1\n    y = x * 2\n    del x\n    try:\n        return x\n    except UnboundLocalError:\n        return y\n\n\nprint(f(1))\n',
    },
  },
  {
    name: 'python-inline-where-the-name-is-shown',
    tool: 'inline',
    file: 'a.py',
    on: 'n = a',
    args: {
      text: 'n',
    },
    files: {
      'a.py': 'def f(a):\n    n = a + 1\n    return f"{n=}"\n\n\nprint(f(1))\n',
    },
  },
  {
    name: 'python-rename-in-class-patterns',
    tool: 'rename',
    file: 'a.py',
    on: 'x: int',
    args: {
      text: 'x',
      new_name: 'east',
    },
    files: {
      'a.py':
        'class P:\n    __match_args__ = ("x", "y")\n\n    x: int\n    y: int\n\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n\ndef f(p):\n    match p:\n        case P(x=0, y=y):\n            return y\n        case P(1, b):\n            return b\n        case P(x=a):\n            return a\n\n\nprint(f(P(0, 2)), f(P(1, 3)), f(P(4, 5)))\n',
    },
  },
  {
    name: 'python-rename-parameter-passed-by-a-dictionary',
    tool: 'rename',
    file: 'a.py',
    on: 'def f',
    args: {
      text: 'name',
      new_name: 'title',
    },
    files: {
      'a.py': 'def f(name, size=1):\n    return name, size\n\n\nopts = {"name": "x", "size": 2}\nprint(f(**opts))\n',
    },
  },
  {
    name: 'python-rename-field-of-a-named-tuple',
    tool: 'rename',
    file: 'a.py',
    on: 'x: int',
    args: {
      text: 'x',
      new_name: 'east',
    },
    files: {
      'a.py':
        'from typing import NamedTuple\n\n\nclass P(NamedTuple):\n    x: int\n    y: int = 0\n\n\np = P(x=1)._replace(x=3)\nprint(p.x, p.y)\n',
    },
  },
  {
    name: 'python-rename-type-variable',
    tool: 'rename',
    file: 'a.py',
    on: 'T = TypeVar',
    args: {
      text: 'T',
      new_name: 'Item',
    },
    files: {
      'a.py':
        'from typing import Generic, TypeVar\n\nT = TypeVar("T")\n\n\nclass Box(Generic[T]):\n    def __init__(self, v: T) -> None:\n        self.v = v\n\n    def get(self) -> "T":\n        return self.v\n\n\nprint(Box(1).get())\n',
    },
  },
  {
    name: 'python-move-what-changes-its-module-as-it-loads',
    tool: 'move',
    file: 'a.py',
    on: 'b = add',
    args: {
      text: 'b',
      target_file: 'b.py',
    },
    files: {
      'a.py':
        'log = []\n\n\ndef add(s):\n    log.append(s)\n    return len(log)\n\n\na = add("a")\nb = add("b")\nc = add("c")\n',
      'main.py': 'from a import b, log\n\nprint(log, b)\n',
    },
  },
  {
    name: 'typescript-extract-new-target',
    tool: 'extractMethod',
    file: 'a.ts',
    on: 'new.target',
    args: { text: 'new.target === C', new_name: 'isC' },
    files: {
      'a.ts':
        'export class C {\n  direct: boolean;\n  constructor() {\n    this.direct = new.target === C;\n  }\n}\nexport const d = new C().direct;\n',
    },
  },
];
