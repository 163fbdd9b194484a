import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';
const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';
const inline = 'ide_refactor_inline';
const safeDelete = 'ide_refactor_safe_delete';
const move = 'ide_refactor_move';

const shop = {
  'shop/__init__.py': "from .prices import total\n\n__all__ = ['total']\n",
  'shop/prices.py':
    'import math\n\nRATE = 0.2\n\n\ndef total(items):\n    net = sum(items)\n    gross = net * (1 + RATE)\n    return math.ceil(gross)\n\n\ndef unused():\n    return math.pi\n',
  'main.py': 'from shop import total\nfrom shop.prices import RATE\n\nprint(total([1, 2]), RATE)\n',
};

export const pythonCases: RefactorCase[] = [
  {
    name: 'rename-function-with-all-and-relative-import',
    files: shop,
    tool: rename,
    args: { file: 'shop/prices.py', line: 6, text: 'total', new_name: 'sum_up' },
  },
  {
    name: 'rename-local-would-clash',
    files: shop,
    tool: rename,
    args: { file: 'shop/prices.py', line: 7, text: 'net', new_name: 'items' },
  },
  {
    name: 'rename-would-capture-global',
    files: { 'a.py': 'limit = 1\n\n\ndef f(n):\n    return n + limit\n\n\nprint(f(2))\n' },
    tool: rename,
    args: { file: 'a.py', line: 4, text: '(n', new_name: 'limit' },
  },
  {
    name: 'rename-in-comprehension-scope',
    files: { 'a.py': 'x = [1]\ny = [x for x in x]\nprint(x, y)\n' },
    tool: rename,
    args: { file: 'a.py', line: 1, text: 'x', new_name: 'items' },
  },
  {
    name: 'rename-global-statement',
    files: { 'a.py': 'count = 0\n\n\ndef up():\n    global count\n    count += 1\n\n\nup()\nprint(count)\n' },
    tool: rename,
    args: { file: 'a.py', line: 1, text: 'count', new_name: 'total' },
  },
  {
    name: 'rename-nonlocal',
    files: {
      'a.py':
        'def outer():\n    n = 0\n\n    def inner():\n        nonlocal n\n        n += 1\n        return n\n\n    return inner\n\n\nprint(outer()())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'n', new_name: 'count' },
  },
  {
    name: 'rename-property-and-dataclass-field',
    files: {
      'a.py':
        'from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    size: int\n\n    @property\n    def twice(self):\n        return self.size * 2\n\n\np = P(size=1)\nprint(p.size, p.twice)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'size', new_name: 'length' },
  },
  {
    name: 'rename-method-in-hierarchy',
    files: {
      'a.py':
        'class A:\n    def go(self):\n        return 1\n\n\nclass B(A):\n    def go(self):\n        return super().go() + 1\n\n\nprint(A().go(), B().go())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'go', new_name: 'run' },
  },
  {
    name: 'rename-method-of-unknown-object',
    files: {
      'a.py':
        'class A:\n    def go(self):\n        return 1\n\n\ndef f(thing):\n    return thing.go()\n\n\nprint(f(A()))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'go', new_name: 'run' },
  },
  {
    name: 'rename-to-keyword',
    files: shop,
    tool: rename,
    args: { file: 'shop/prices.py', line: 6, text: 'total', new_name: 'class' },
  },
  { name: 'rename-module', files: shop, tool: rename, args: { file: 'shop/prices.py', new_name: 'costs.py' } },
  {
    name: 'extract-function',
    files: shop,
    tool: extractMethod,
    args: { file: 'shop/prices.py', start_line: 7, end_line: 8, new_name: 'with_tax' },
  },
  {
    name: 'extract-method-with-self',
    files: {
      'a.py':
        'class A:\n    def __init__(self):\n        self.n = 1\n\n    def f(self, xs):\n        s = 0\n        for x in xs:\n            s += x * self.n\n        return s\n\n\nprint(A().f([1]))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 6, end_line: 8, new_name: 'sum_up' },
  },
  {
    name: 'extract-await',
    files: {
      'a.py':
        'import asyncio\n\n\nasync def get():\n    return 1\n\n\nasync def f():\n    n = await get()\n    m = n * 2\n    return m\n\n\nprint(asyncio.run(f()))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 9, end_line: 10, new_name: 'load' },
  },
  {
    name: 'extract-yield',
    files: { 'a.py': 'def g(xs):\n    for x in xs:\n        yield x\n\n\nprint(list(g([1])))\n' },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, end_line: 3, new_name: 'each' },
  },
  {
    name: 'extract-variable',
    files: shop,
    tool: extractVariable,
    args: { file: 'shop/prices.py', start_line: 8, text: '1 + RATE', new_name: 'factor' },
  },
  {
    name: 'extract-name-in-use',
    files: shop,
    tool: extractVariable,
    args: { file: 'shop/prices.py', start_line: 8, text: '1 + RATE', new_name: 'net' },
  },
  {
    name: 'inline-variable-with-parentheses',
    files: { 'a.py': 'def f(a):\n    x = a + 1\n    return x * 2\n\n\nprint(f(1))\n' },
    tool: inline,
    args: { file: 'a.py', line: 2, text: 'x' },
  },
  {
    name: 'inline-call-used-twice',
    files: { 'a.py': 'def f(g):\n    x = g()\n    return x + x\n\n\nprint(f(int))\n' },
    tool: inline,
    args: { file: 'a.py', line: 2, text: 'x' },
  },
  {
    name: 'inline-variable-assigned-in-between',
    files: { 'a.py': 'def f(a):\n    x = a\n    a = 3\n    return x + a\n\n\nprint(f(1))\n' },
    tool: inline,
    args: { file: 'a.py', line: 2, text: 'x' },
  },
  {
    name: 'inline-function',
    files: { 'a.py': 'def square(n):\n    return n * n\n\n\na = 3\nprint(square(a))\n' },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'square' },
  },
  {
    name: 'inline-function-needing-parentheses',
    files: { 'a.py': 'def plus(n):\n    return n + 1\n\n\nprint(plus(1) * 2)\n' },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'plus' },
  },
  {
    name: 'inline-function-with-name-clash',
    files: {
      'a.py':
        'def show(n):\n    text = str(n)\n    print(text)\n\n\ndef f():\n    text = "x"\n    show(1)\n    return text\n\n\nf()\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'show' },
  },
  { name: 'delete-unused', files: shop, tool: safeDelete, args: { file: 'shop/prices.py', line: 12, text: 'unused' } },
  { name: 'delete-used', files: shop, tool: safeDelete, args: { file: 'shop/prices.py', line: 6, text: 'total' } },
  {
    name: 'move-function-to-module',
    files: {
      'a.py': 'def helper():\n    return 1\n\n\ndef f():\n    return helper()\n\n\nprint(f())\n',
      'b.py': '',
      'c.py': 'from a import helper\n\nprint(helper())\n',
    },
    tool: move,
    args: { file: 'a.py', line: 1, text: 'helper', target_file: 'b.py' },
  },
  {
    name: 'move-that-breaks-a-reexport',
    files: { ...shop, 'shop/sums.py': '' },
    tool: move,
    args: { file: 'shop/prices.py', line: 6, text: 'total', target_file: 'shop/sums.py' },
  },
  {
    name: 'move-module-into-package',
    files: {
      'util.py': 'def u():\n    return 1\n',
      'pkg/__init__.py': '',
      'main.py': 'import util\n\nprint(util.u())\n',
    },
    tool: move,
    args: { file: 'util.py', target_directory: 'pkg' },
  },
];
