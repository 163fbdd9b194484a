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
    name: 'move-of-a-reexported-function',
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
  {
    name: 'rename-class-in-string-annotations-and-type-checking-imports',
    files: {
      'shop/__init__.py': 'from .prices import Price, VAT\n\n__all__ = ["Price", "VAT"]\n',
      'shop/prices.py':
        'from __future__ import annotations\n\nVAT = 0.2\n\n\nclass Price:\n    def __init__(self, net):\n        self.net = net\n\n    @property\n    def gross(self):\n        return self.net * (1 + VAT)\n\n    def plus(self, other: "Price") -> Price:\n        return Price(self.net + other.net)\n',
      'shop/report.py':
        'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .prices import Price\n\n\ndef show(price: "Price", unit="EUR"):\n    return f"{price.gross:.2f} {unit}"\n',
      'main.py':
        'from shop import Price\nfrom shop.report import show\n\nprint(show(Price(1).plus(Price(2)), unit="CHF"))\n',
    },
    tool: rename,
    args: { file: 'shop/prices.py', line: 6, text: 'class Price', new_name: 'Money' },
  },
  {
    name: 'rename-property-used-in-an-f-string',
    files: {
      'shop/__init__.py': 'from .prices import Price, VAT\n\n__all__ = ["Price", "VAT"]\n',
      'shop/prices.py':
        'from __future__ import annotations\n\nVAT = 0.2\n\n\nclass Price:\n    def __init__(self, net):\n        self.net = net\n\n    @property\n    def gross(self):\n        return self.net * (1 + VAT)\n\n    def plus(self, other: "Price") -> Price:\n        return Price(self.net + other.net)\n',
      'shop/report.py':
        'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .prices import Price\n\n\ndef show(price: "Price", unit="EUR"):\n    return f"{price.gross:.2f} {unit}"\n',
      'main.py':
        'from shop import Price\nfrom shop.report import show\n\nprint(show(Price(1).plus(Price(2)), unit="CHF"))\n',
    },
    tool: rename,
    args: { file: 'shop/prices.py', line: 11, text: 'gross', new_name: 'with_tax' },
  },
  {
    name: 'rename-parameter-with-keyword-argument-in-another-file',
    files: {
      'shop/__init__.py': 'from .prices import Price, VAT\n\n__all__ = ["Price", "VAT"]\n',
      'shop/prices.py':
        'from __future__ import annotations\n\nVAT = 0.2\n\n\nclass Price:\n    def __init__(self, net):\n        self.net = net\n\n    @property\n    def gross(self):\n        return self.net * (1 + VAT)\n\n    def plus(self, other: "Price") -> Price:\n        return Price(self.net + other.net)\n',
      'shop/report.py':
        'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .prices import Price\n\n\ndef show(price: "Price", unit="EUR"):\n    return f"{price.gross:.2f} {unit}"\n',
      'main.py':
        'from shop import Price\nfrom shop.report import show\n\nprint(show(Price(1).plus(Price(2)), unit="CHF"))\n',
    },
    tool: rename,
    args: { file: 'shop/report.py', line: 7, text: 'unit', new_name: 'currency' },
  },
  {
    name: 'rename-attribute-set-in-init',
    files: {
      'shop/__init__.py': 'from .prices import Price, VAT\n\n__all__ = ["Price", "VAT"]\n',
      'shop/prices.py':
        'from __future__ import annotations\n\nVAT = 0.2\n\n\nclass Price:\n    def __init__(self, net):\n        self.net = net\n\n    @property\n    def gross(self):\n        return self.net * (1 + VAT)\n\n    def plus(self, other: "Price") -> Price:\n        return Price(self.net + other.net)\n',
      'shop/report.py':
        'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .prices import Price\n\n\ndef show(price: "Price", unit="EUR"):\n    return f"{price.gross:.2f} {unit}"\n',
      'main.py':
        'from shop import Price\nfrom shop.report import show\n\nprint(show(Price(1).plus(Price(2)), unit="CHF"))\n',
    },
    tool: rename,
    args: { file: 'shop/prices.py', line: 8, text: 'self.net', new_name: 'amount' },
  },
  {
    name: 'rename-package',
    files: {
      'shop/__init__.py': 'from .prices import Price, VAT\n\n__all__ = ["Price", "VAT"]\n',
      'shop/prices.py':
        'from __future__ import annotations\n\nVAT = 0.2\n\n\nclass Price:\n    def __init__(self, net):\n        self.net = net\n\n    @property\n    def gross(self):\n        return self.net * (1 + VAT)\n\n    def plus(self, other: "Price") -> Price:\n        return Price(self.net + other.net)\n',
      'shop/report.py':
        'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .prices import Price\n\n\ndef show(price: "Price", unit="EUR"):\n    return f"{price.gross:.2f} {unit}"\n',
      'main.py':
        'from shop import Price\nfrom shop.report import show\n\nprint(show(Price(1).plus(Price(2)), unit="CHF"))\n',
    },
    tool: rename,
    args: { file: 'shop', new_name: 'store' },
  },
  {
    name: 'rename-with-star-import',
    files: {
      'a.py': 'def size():\n    return 1\n',
      'b.py': 'from a import *\n\nprint(size())\n',
      'main.py': 'import b\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 1, text: 'size', new_name: 'length' },
  },
  {
    name: 'rename-in-comments-on-request',
    files: {
      'a.py': '# total is what counts\ntotal = 1\nprint(type("total"), total)  # total\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'total', new_name: 'amount', comments: true },
  },
  {
    name: 'rename-name-that-is-a-keyword-elsewhere',
    files: {
      'a.py': 'for var in range(3):\n    print(var)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 1, column: 5, new_name: 'index' },
  },
  {
    name: 'rename-method-through-typed-parameter',
    files: {
      'a.py':
        'class A:\n    def go(self):\n        return 1\n\n\nclass B:\n    def go(self):\n        return 2\n\n\ndef f(a: A, b: B):\n    return a.go() + b.go()\n\n\nprint(f(A(), B()))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'go', new_name: 'run' },
  },
  {
    name: 'rename-conditional-import',
    files: {
      'fast.py': 'def load():\n    return 1\n',
      'main.py': 'try:\n    from fast import load\nexcept ImportError:\n    load = None\n\nprint(load is None)\n',
    },
    tool: rename,
    args: { file: 'fast.py', line: 1, text: 'load', new_name: 'read' },
  },
  {
    name: 'extract-variable-everywhere',
    files: {
      'a.py': 'def f(a, b):\n    x = (a + b) * 2\n    y = (a + b) * 3\n    return x + y\n\n\nprint(f(1, 2))\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'a + b', new_name: 'both', all: true },
  },
  {
    name: 'extract-variable-everywhere-but-changed-in-between',
    files: {
      'a.py':
        'def f(a, b):\n    x = (a + b) * 2\n    a = 5\n    y = (a + b) * 3\n    return x + y\n\n\nprint(f(1, 2))\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'a + b', new_name: 'both', all: true },
  },
  {
    name: 'extract-variable-from-loop-condition',
    files: {
      'a.py': 'n = 0\nwhile n + 1 < 3:\n    n += 1\nprint(n)\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'n + 1', new_name: 'following' },
  },
  {
    name: 'extract-variable-from-half-an-expression',
    files: {
      'a.py': 'a = 1\nb = a + 2 * 3\nprint(b)\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'a + 2', new_name: 'part' },
  },
  {
    name: 'extract-variable-guarded-by-and',
    files: {
      'a.py': 'class P:\n    name = "x"\n\n\ndef f(p):\n    return p and p.name\n\n\nprint(f(None), f(P()))\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 6, text: 'p.name', new_name: 'name' },
  },
  {
    name: 'extract-comprehension',
    files: {
      'a.py': 'def f(xs):\n    ys = [x * 2 for x in xs if x]\n    return sum(ys)\n\n\nprint(f([0, 1, 2]))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, end_line: 2, new_name: 'doubled' },
  },
  {
    name: 'extract-with-global',
    files: {
      'a.py':
        'count = 0\n\n\ndef up(n):\n    global count\n    count += n\n    count += 1\n    return n\n\n\nup(2)\nprint(count)\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 6, end_line: 7, new_name: 'add' },
  },
  {
    name: 'extract-in-loop-with-carried-variable',
    files: {
      'a.py':
        'def f(xs):\n    last = 0\n    out = []\n    for x in xs:\n        out.append(x - last)\n        last = x\n    return out\n\n\nprint(f([1, 3, 6]))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 6, end_line: 6, new_name: 'remember' },
  },
  {
    name: 'extract-closure',
    files: {
      'a.py':
        'def outer(k):\n    def inner(x):\n        y = x * k\n        return y + 1\n\n    return inner\n\n\nprint(outer(3)(2))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 3, end_line: 3, new_name: 'scaled' },
  },
  {
    name: 'extract-async-for',
    files: {
      'a.py':
        'import asyncio\n\n\nasync def numbers():\n    yield 1\n    yield 2\n\n\nasync def total():\n    s = 0\n    async for n in numbers():\n        s += n\n    return s\n\n\nprint(asyncio.run(total()))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 11, end_line: 12, new_name: 'add_up' },
  },
  {
    name: 'inline-function-with-decorator',
    files: {
      'a.py': 'import functools\n\n\n@functools.lru_cache\ndef f(n):\n    return n + 1\n\n\nprint(f(1))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 5, text: 'f' },
  },
  {
    name: 'inline-static-method',
    files: {
      'a.py':
        'class A:\n    @staticmethod\n    def twice(n):\n        return n * 2\n\n    def go(self):\n        return 1\n\n\nprint(A.twice(4))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 3, text: 'twice' },
  },
  {
    name: 'inline-function-with-expression-argument',
    files: {
      'a.py': 'def half(n):\n    return n / 2\n\n\na = 3\nprint(half(a + 1))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'half' },
  },
  {
    name: 'inline-function-with-call-argument-used-twice',
    files: {
      'a.py': 'def square(n):\n    return n * n\n\n\nprint(square(int("3")))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'square' },
  },
  {
    name: 'inline-constant-into-other-files',
    files: {
      'conf.py': 'LIMIT = 10\n',
      'main.py': 'from conf import LIMIT\n\nprint(LIMIT + 1)\n',
    },
    tool: inline,
    args: { file: 'conf.py', line: 1, text: 'LIMIT' },
  },
  {
    name: 'inline-into-f-string',
    files: {
      'a.py': 'name = 3\nprint(f"{name} left")\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 2, column: 10 },
  },
  {
    name: 'inline-one-use',
    files: {
      'a.py': 'def f(a):\n    x = a + 1\n    print(x)\n    return x * 2\n\n\nprint(f(1))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 4, text: 'return x', all: false },
  },
  {
    name: 'inline-object-into-closure',
    files: {
      'a.py':
        'def f():\n    seen = []\n\n    def g(x):\n        seen.append(x)\n        return len(seen)\n\n    return g\n\n\ng = f()\nprint(g(1), g(2))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 2, text: 'seen' },
  },
  {
    name: 'inline-default-argument',
    files: {
      'a.py': 'size = 3\n\n\ndef f(n=size):\n    return n\n\n\nprint(f())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'size' },
  },
  {
    name: 'delete-with-decorator-comment-and-import',
    files: {
      'a.py':
        'import functools\nimport math\n\n\n# Not needed any more.\n@functools.lru_cache\ndef old(n):\n    """Says something."""\n    return n\n\n\nprint(math.pi)\n',
    },
    tool: safeDelete,
    args: { file: 'a.py', line: 7, text: 'old' },
  },
  {
    name: 'delete-last-member-keeps-the-larger-gap',
    files: {
      'a.py':
        'class Account:\n    balance = 0\n\n    def add(self, n):\n        self.balance += n\n\n    @property\n    def is_empty(self):\n        return self.balance == 0\n\n\ndef main():\n    Account().add(1)\n\n\nmain()\n',
    },
    tool: safeDelete,
    args: { file: 'a.py', line: 8, text: 'is_empty' },
  },
  {
    name: 'delete-reexported',
    files: {
      'lib/__init__.py': 'from .core import run, stop\n\n__all__ = ["run", "stop"]\n',
      'lib/core.py': 'def run():\n    return 1\n\n\ndef stop():\n    return 2\n',
      'main.py': 'import lib\n\nprint(lib.run())\n',
    },
    tool: safeDelete,
    args: { file: 'lib/core.py', line: 5, text: 'stop' },
  },
  {
    name: 'delete-reexported-with-cascade',
    files: {
      'lib/__init__.py': 'from .core import run, stop\n\n__all__ = ["run", "stop"]\n',
      'lib/core.py': 'def run():\n    return 1\n\n\ndef stop():\n    return 2\n',
      'main.py': 'import lib\n\nprint(lib.run())\n',
    },
    tool: safeDelete,
    args: { file: 'lib/core.py', line: 5, text: 'stop', cascade: true },
  },
  {
    name: 'delete-used-with-cascade',
    files: {
      'lib/__init__.py': 'from .core import run, stop\n\n__all__ = ["run", "stop"]\n',
      'lib/core.py': 'def run():\n    return 1\n\n\ndef stop():\n    return 2\n',
      'main.py': 'import lib\n\nprint(lib.run())\n',
    },
    tool: safeDelete,
    args: { file: 'lib/core.py', line: 1, text: 'run', cascade: true },
  },
  {
    name: 'move-class-to-new-file',
    files: {
      'a.py': 'import math\n\n\nclass Circle:\n    def area(self):\n        return math.pi\n',
      'main.py': 'from a import Circle\n\nprint(Circle().area())\n',
    },
    tool: move,
    args: { file: 'a.py', line: 4, text: 'Circle', target_file: 'shapes.py' },
  },
  {
    name: 'move-function-to-new-package',
    files: {
      'app/__init__.py': '',
      'app/tools.py': 'def greet():\n    return "hi"\n',
      'main.py': 'from app.tools import greet\n\nprint(greet())\n',
    },
    tool: move,
    args: { file: 'app/tools.py', line: 1, text: 'greet', target_file: 'app/text/words.py' },
  },
  {
    name: 'move-that-would-make-modules-import-each-other',
    files: {
      'a.py': 'BASE = 1\n\n\ndef up():\n    return BASE + 1\n\n\nVALUE = up()\n',
      'b.py': '',
      'main.py': 'import a\n\nprint(a.VALUE)\n',
    },
    tool: move,
    args: { file: 'a.py', line: 4, text: 'up', target_file: 'b.py' },
  },
  {
    name: 'move-with-import-for-type-checkers',
    files: {
      'a.py': 'class Thing:\n    pass\n',
      'b.py': '',
      'main.py':
        'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from a import Thing\n\n\ndef f(x: "Thing"):\n    return x\n\n\nprint(f(1))\n',
    },
    tool: move,
    args: { file: 'a.py', line: 1, text: 'Thing', target_file: 'b.py' },
  },
  {
    name: 'move-onto-a-name-in-use',
    files: {
      'a.py': 'def f():\n    return 1\n',
      'b.py': 'def f():\n    return 2\n',
      'main.py': 'import a, b\n\nprint(a.f(), b.f())\n',
    },
    tool: move,
    args: { file: 'a.py', line: 1, text: 'f', target_file: 'b.py' },
  },
  {
    name: 'move-module-to-new-folder',
    files: {
      'app/__init__.py': '',
      'app/words.py': 'def greet():\n    return "hi"\n',
      'app/cli.py': 'from .words import greet\n\nprint(greet())\n',
      'main.py': 'import app.cli\n',
    },
    tool: move,
    args: { file: 'app/words.py', target_directory: 'app/text' },
  },
  {
    name: 'rename-folder-that-is-no-declared-package',
    files: {
      'shop/__init__.py': '',
      'shop/sizes.py': 'SMALL = 1\n',
      'shop/plain/base.py': 'from ..sizes import SMALL\n\nBASE = SMALL + 1\n',
      'shop/plain/app.py': 'from .base import BASE\nfrom ..plain.base import BASE as SAME\n\nBOTH = BASE + SAME\n',
      'shop/cli.py': 'from .plain.app import BOTH\nfrom .plain import base\n\nTOTAL = BOTH + base.BASE\n',
      'main.py': 'import shop.plain.app\nfrom shop.cli import TOTAL\n\nprint(TOTAL, shop.plain.app.BOTH)\n',
    },
    tool: rename,
    args: { file: 'shop/plain', new_name: 'core' },
  },
  {
    name: 'move-module-under-another-name',
    files: {
      'app/__init__.py': '',
      'app/words.py': 'def greet():\n    return "hi"\n',
      'app/text/__init__.py': '',
      'app/cli.py': 'from . import words\nfrom .words import greet\n\nprint(words.greet(), greet())\n',
      'main.py': 'import app.cli\nimport app.words\n\nprint(app.words.greet())\n',
    },
    tool: move,
    args: { file: 'app/words.py', target_file: 'app/text/phrases.py' },
  },
  {
    name: 'rename-attribute-overridden-below-a-base-that-an-object-has',
    files: {
      'a.py':
        'class Signer:\n    default_way = "plain"\n\n    def way(self):\n        return self.default_way\n\n\ndef other_way(holder):\n    class Other(holder.signer):\n        default_way = "other"\n\n    return Other().way()\n\n\nclass Holder:\n    signer = Signer\n\n\nprint(Signer().way(), other_way(Holder()))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'default_way', new_name: 'usual_way' },
  },
  {
    name: 'move-package',
    files: {
      'app/__init__.py': '',
      'tools/__init__.py': 'from .words import greet\n',
      'tools/words.py': 'def greet():\n    return "hi"\n',
      'main.py': 'from tools import greet\n\nprint(greet())\n',
    },
    tool: move,
    args: { file: 'tools', target_directory: 'app' },
  },
  {
    name: 'rename-method-known-by-types-only',
    files: {
      'cart.py':
        'from __future__ import annotations\n\nfrom dataclasses import dataclass, field\n\n\n@dataclass\nclass Line:\n    qty: int\n    price: int\n\n\n@dataclass\nclass Cart:\n    lines: list[Line] = field(default_factory=list)\n\n    def add(self, qty: int, price: int) -> Cart:\n        self.lines.append(Line(qty, price))\n        return self\n\n    def total(self, extra: int) -> int:\n        result = extra\n        for line in self.lines:\n            amount = line.qty * line.price\n            result += amount\n        return result\n',
      'main.py':
        'from cart import Cart\n\n\ndef show(cart: Cart):\n    return cart.total(1)\n\n\ncart = Cart().add(1, 2).add(3, 4)\nprint(show(cart), cart.total(3))\n',
    },
    tool: rename,
    args: { symbol: 'Cart/total', new_name: 'sum_up' },
  },
  {
    name: 'delete-method-known-by-types-only',
    files: {
      'cart.py':
        'from __future__ import annotations\n\nfrom dataclasses import dataclass, field\n\n\n@dataclass\nclass Line:\n    qty: int\n    price: int\n\n\n@dataclass\nclass Cart:\n    lines: list[Line] = field(default_factory=list)\n\n    def add(self, qty: int, price: int) -> Cart:\n        self.lines.append(Line(qty, price))\n        return self\n\n    def total(self, extra: int) -> int:\n        result = extra\n        for line in self.lines:\n            amount = line.qty * line.price\n            result += amount\n        return result\n',
      'main.py':
        'from cart import Cart\n\n\ndef show(cart: Cart):\n    return cart.total(1)\n\n\ncart = Cart().add(1, 2).add(3, 4)\nprint(show(cart), cart.total(3))\n',
    },
    tool: safeDelete,
    args: { symbol: 'Cart/total' },
  },
  {
    name: 'inline-as-a-whole-right-hand-side',
    files: {
      'cart.py':
        'from __future__ import annotations\n\nfrom dataclasses import dataclass, field\n\n\n@dataclass\nclass Line:\n    qty: int\n    price: int\n\n\n@dataclass\nclass Cart:\n    lines: list[Line] = field(default_factory=list)\n\n    def add(self, qty: int, price: int) -> Cart:\n        self.lines.append(Line(qty, price))\n        return self\n\n    def total(self, extra: int) -> int:\n        result = extra\n        for line in self.lines:\n            amount = line.qty * line.price\n            result += amount\n        return result\n',
      'main.py':
        'from cart import Cart\n\n\ndef show(cart: Cart):\n    return cart.total(1)\n\n\ncart = Cart().add(1, 2).add(3, 4)\nprint(show(cart), cart.total(3))\n',
    },
    tool: inline,
    args: { file: 'cart.py', line: 23, text: 'amount' },
  },
  {
    name: 'rename-method-reached-by-getattr',
    files: {
      'a.py': 'class A:\n    def go(self):\n        return 1\n\n\nprint(getattr(A(), "go")())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'go', new_name: 'run' },
  },
  {
    name: 'rename-member-of-an-enumeration-reached-by-name',
    files: {
      'a.py':
        'from enum import Enum\n\n\nclass Color(Enum):\n    RED = 1\n\n\nprint(Color.RED.value, Color["RED"].value)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, text: 'RED', new_name: 'GREEN' },
  },
  {
    name: 'move-between-modules-with-all',
    files: {
      'a.py': '__all__ = ["f", "g"]\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n',
      'b.py': '__all__ = ["h"]\n\n\ndef h():\n    return 3\n',
      'main.py': 'from a import *\nfrom b import *\n\nprint(f(), g(), h())\n',
    },
    tool: move,
    args: { file: 'a.py', line: 4, text: 'f', target_file: 'b.py' },
  },
  {
    name: 'rename-method-overridden-below-a-base-with-type-arguments',
    files: {
      'base.py':
        'from typing import Generic, TypeVar\n\nT = TypeVar("T")\n\n\nclass Store(Generic[T]):\n    def load(self, key: str) -> str:\n        return key\n\n    def twice(self, key: str) -> str:\n        return self.load(key) * 2\n',
      'main.py':
        'from base import Store\n\n\nclass Loud(Store[int]):\n    def load(self, key: str) -> str:\n        return key.upper()\n\n\ndef show(store: Store[int]):\n    return store.load(key="a") + store.twice("b")\n\n\nprint(show(Loud()))\n',
    },
    tool: rename,
    args: { file: 'base.py', line: 7, text: 'load', new_name: 'read' },
  },
  {
    name: 'rename-parameter-in-overrides-and-overloads',
    files: {
      'a.py':
        'from typing import overload\n\n\nclass A:\n    @overload\n    def get(self, key: int) -> int: ...\n    @overload\n    def get(self, key: str) -> str: ...\n    def get(self, key):\n        return key\n\n\nclass B(A):\n    def get(self, key):\n        return super().get(key=key)\n\n\nprint(A().get(key=1), B().get(key="x"))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 9, text: 'key', new_name: 'name' },
  },
  {
    name: 'rename-attribute-that-is-also-a-keyword',
    files: {
      'a.py':
        'class A:\n    def __init__(self, size):\n        self.size = size\n\n\ndef make(factory):\n    return factory(size=3)\n\n\nprint(make(A).size)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 3, text: 'self.size', new_name: 'length' },
  },
  {
    name: 'rename-override-of-a-class-outside-the-project',
    files: {
      'a.py':
        'import threading\n\n\nclass Job(threading.Thread):\n    def run(self):\n        print("ran")\n\n\njob = Job()\njob.start()\njob.join()\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, text: 'run', new_name: 'work' },
  },
  {
    name: 'rename-with-a-stub-beside-the-module',
    files: {
      'lib.py':
        'def total(items):\n    return sum(items)\n\n\nclass Cart:\n    def add(self, item):\n        return item\n',
      'lib.pyi': 'def total(items: list[int]) -> int: ...\n\nclass Cart:\n    def add(self, item: int) -> int: ...\n',
      'main.py': 'from lib import Cart, total\n\nprint(total([1, 2]), Cart().add(3))\n',
    },
    tool: rename,
    args: { file: 'lib.py', line: 1, text: 'total', new_name: 'sum_up' },
  },
  {
    name: 'rename-member-with-a-stub-beside-the-module',
    files: {
      'lib.py': 'class Cart:\n    def add(self, item):\n        return item\n',
      'lib.pyi': 'class Cart:\n    def add(self, item: int) -> int: ...\n',
      'main.py': 'from lib import Cart\n\nprint(Cart().add(3))\n',
    },
    tool: rename,
    args: { file: 'main.py', line: 3, text: 'add', new_name: 'put' },
  },
  {
    name: 'extract-from-a-class-body',
    files: {
      'a.py': 'class A:\n    base = 3\n    limit = base * 2 + 1\n\n\nprint(A.limit)\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 3, text: 'base * 2 + 1', new_name: 'compute' },
  },
  {
    name: 'extract-part-of-a-comprehension',
    files: {
      'a.py': 'def f(xs, k):\n    return [x * k + 1 for x in xs]\n\n\nprint(f([1, 2], 3))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, text: 'x * k + 1', new_name: 'scaled' },
  },
  {
    name: 'extract-generator-argument',
    files: {
      'a.py': 'def f(xs):\n    return sum(x * 2 for x in xs)\n\n\nprint(f([1, 2]))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, text: 'x * 2 for x in xs', new_name: 'doubled' },
  },
  {
    name: 'extract-try-that-may-assign',
    files: {
      'a.py':
        'def f(text):\n    number: int | None = None\n    try:\n        number = int(text)\n    except ValueError as error:\n        print(error)\n    return number\n\n\nprint(f("1"), f("x"))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 3, end_line: 6, new_name: 'parse' },
  },
  {
    name: 'extract-what-is-assigned-on-one-way-only',
    files: {
      'a.py': 'def f(n):\n    if n > 0:\n        sign = "+"\n    if n > 0:\n        print(sign)\n\n\nf(1)\nf(-1)\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, end_line: 3, new_name: 'pick' },
  },
  {
    name: 'extract-match-statement',
    files: {
      'a.py':
        'def f(value):\n    match value:\n        case [first, *rest]:\n            shown = f"{first} and {len(rest)}"\n        case {"name": name}:\n            shown = name\n        case _:\n            shown = "?"\n    return shown\n\n\nprint(f([1, 2]), f({"name": "x"}), f(0))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, end_line: 8, new_name: 'describe' },
  },
  {
    name: 'rename-name-bound-by-match',
    files: {
      'a.py':
        'def f(value):\n    match value:\n        case [first, *rest]:\n            return first, rest\n        case {"k": first, **others}:\n            return first, others\n        case int() as number:\n            return number, 0\n\n\nprint(f([1, 2]), f({"k": 1, "z": 2}), f(5))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 3, text: 'first', new_name: 'head' },
  },
  {
    name: 'extract-variable-from-a-default-value',
    files: {
      'a.py': 'def f(n=60 * 60):\n    return n\n\n\nprint(f())\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 1, text: '60 * 60', new_name: 'HOUR' },
  },
  {
    name: 'inline-method-known-by-types-only',
    files: {
      'cart.py':
        'class Cart:\n    def __init__(self, n: int):\n        self.n = n\n\n    def size(self, k: int) -> int:\n        return self.n + k\n',
      'main.py':
        'from cart import Cart\n\n\ndef carts() -> list[Cart]:\n    return [Cart(1), Cart(2)]\n\n\nfor cart in carts():\n    print(cart.size(3) * 2)\n',
    },
    tool: inline,
    args: { file: 'cart.py', line: 5, text: 'size' },
  },
  {
    name: 'inline-overridden-method',
    files: {
      'a.py':
        'class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return self.f() + 1\n\n\nclass B(A):\n    def f(self):\n        return 2\n\n\nprint(A().g(), B().g())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 2, text: 'f' },
  },
  {
    name: 'inline-attribute-that-is-a-constant',
    files: {
      'a.py':
        'class A:\n    def __init__(self):\n        self.limit = 3\n        self.rest = 4\n\n    def go(self):\n        return self.limit + self.rest\n\n\nprint(A().go())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 3, text: 'limit' },
  },
  {
    name: 'inline-function-without-a-value-where-the-value-is-used',
    files: {
      'a.py': 'def say(n):\n    print(n)\n\n\nresult = say(1)\nprint(result)\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'say' },
  },
  {
    name: 'inline-function-called-behind-other-code-of-the-line',
    files: {
      'a.py': 'def say(n):\n    print(n)\n\n\nif len("x") > 1: say(1)\nprint(2)\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'say' },
  },
  {
    name: 'inline-function-called-twice-and-inside-itself',
    files: {
      'a.py': 'def inc(n, by=1):\n    return n + by\n\n\nprint(inc(inc(1)) * 2, inc(3, by=4) * inc(2))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'inc' },
  },
  {
    name: 'inline-function-that-returns-early',
    files: {
      'a.py':
        'def sign(n):\n    if n > 0:\n        return "+"\n    elif n < 0:\n        return "-"\n    return "0"\n\n\nvalue = 3\nprint(sign(value) + "1", sign(-value))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'sign' },
  },
  {
    name: 'inline-function-whose-argument-a-lambda-keeps',
    files: {
      'a.py': 'def later(n):\n    return lambda: n\n\n\nfs = [later(i) for i in range(3)]\nprint([f() for f in fs])\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'later' },
  },
  {
    name: 'inline-method-of-what-a-call-returns',
    files: {
      'a.py':
        'class A:\n    n = 2\n\n    def twice(self):\n        return self.n + self.n\n\n\ndef make():\n    print("made")\n    return A()\n\n\nprint(make().twice())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 4, text: 'twice' },
  },
  {
    name: 'inline-function-with-arguments-in-another-order',
    files: {
      'a.py': 'def minus(a, b):\n    return b - a\n\n\nitems = [1, 2]\nprint(minus(items.pop(), items.pop()))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'minus' },
  },
  {
    name: 'inline-function-that-reads-a-hidden-global',
    files: {
      'a.py':
        'rate = 3\n\n\ndef scaled(n):\n    return n * rate\n\n\ndef show():\n    rate = 10\n    return scaled(1) + rate\n\n\nprint(show())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 4, text: 'scaled' },
  },
  {
    name: 'inline-sum-into-another-file',
    files: {
      'conf.py': 'LIMIT = 5 + 3\n',
      'main.py': 'import conf\n\nprint(conf.LIMIT * 2)\n',
    },
    tool: inline,
    args: { file: 'conf.py', line: 1, text: 'LIMIT' },
  },
  {
    name: 'rename-to-what-a-base-class-has',
    files: {
      'a.py':
        'class A:\n    def f(self):\n        return 1\n\n\nclass B(A):\n    def g(self):\n        return 2\n\n\nprint(B().f(), B().g())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 7, text: 'g', new_name: 'f' },
  },
  {
    name: 'rename-private-member-named-from-outside',
    files: {
      'a.py': 'class A:\n    def __init__(self):\n        self.__x = 1\n\n\nprint(A()._A__x)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 3, text: '__x', new_name: '__y' },
  },
  {
    name: 'rename-class-in-type-comments',
    files: {
      'a.py': 'class Price:\n    pass\n\n\ndef f(a):\n    # type: (Price) -> Price\n    return a\n\n\nprint(f(1))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 1, text: 'Price', new_name: 'Money' },
  },
  {
    name: 'rename-parameter-of-a-lambda',
    files: {
      'a.py': 'add = lambda a, b=1: a + b\nprint(add(1, b=2))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 1, text: 'lambda a', new_name: 'first' },
  },
  {
    name: 'extract-with-a-byte-order-mark',
    files: {
      'a.py': '\ufeffdef f(x):\n    y = x + 1\n    z = y * 2\n    return z\n\n\nprint(f(1))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, end_line: 3, new_name: 'grow' },
  },
  {
    name: 'extract-variable-in-a-line-with-tabs',
    files: {
      'a.py': 'def f(x):\n\tif x:\n\t\treturn x * 2 + 1\n\n\nprint(f(1))\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 3, text: 'x * 2', new_name: 'twice' },
  },
  {
    name: 'extract-variable-from-an-elif',
    files: {
      'a.py':
        'def f(x):\n    if x == 1:\n        return "a"\n    elif x * 2 == 4:\n        return "b"\n\n\nprint(f(2))\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 4, text: 'x * 2', new_name: 'twice' },
  },
  {
    name: 'extract-variable-behind-another-call',
    files: {
      'a.py': 'items = [1, 2]\nprint(items.pop(), items.pop() + 1)\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'items.pop() + 1', new_name: 'last' },
  },
  {
    name: 'extract-async-comprehension',
    files: {
      'a.py':
        'import asyncio\n\n\nasync def numbers():\n    yield 1\n\n\nasync def f():\n    found = [n async for n in numbers()]\n    return found\n\n\nprint(asyncio.run(f()))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 9, end_line: 9, new_name: 'collect' },
  },
  {
    name: 'move-with-import-from-the-future',
    files: {
      'lib.py': 'from __future__ import annotations\n\n\ndef go(x: int | None = None) -> str:\n    return str(x)\n',
      'other.py': '"""Other things."""\nimport sys\n\nLIMIT = sys.maxsize\n',
      'main.py': 'import lib\n\nprint(lib.go())\n',
    },
    tool: move,
    args: { file: 'lib.py', line: 4, text: 'go', target_file: 'other.py' },
  },
  {
    name: 'move-to-a-new-module-with-groups-of-imports',
    files: {
      'shop/__init__.py': '',
      'shop/sizes.py': 'SMALL = 1\n',
      'shop/lib.py':
        'from __future__ import annotations\n\nimport os\nfrom typing import Any\n\nfrom .sizes import SMALL\n\n\ndef go(x: Any | None = None) -> str:\n    return os.sep + str(x) + str(SMALL)\n\n\ndef stay() -> str:\n    return go()\n',
      'main.py': 'from shop.lib import stay\n\nprint(stay())\n',
    },
    tool: move,
    args: { file: 'shop/lib.py', symbol: 'go', target_file: 'shop/going.py' },
  },
  {
    name: 'inline-function-into-another-file',
    files: {
      'lib.py': 'LIMIT = 3\n\n\ndef padded(text, width=None):\n    return text + " " * (width or 2)\n',
      'main.py':
        'import lib\nfrom lib import LIMIT, padded\n\nwidth = 4\nprint(padded("a", width=width) + "|", lib.padded("b"), LIMIT)\n',
    },
    tool: inline,
    args: { file: 'lib.py', line: 4, text: 'padded' },
  },
  {
    name: 'rename-parameter-passed-by-keyword-to-what-is-not-typed',
    files: {
      'a.py':
        'from functools import partial\n\n\nclass Store:\n    def __init__(self, size):\n        self.size = size\n\n    def get(self, key, default=None):\n        return default\n\n\ndef other(size):\n    return size\n\n\ndef use(store):\n    return store.get("k", default=2)\n\n\nmake = partial(Store, size=3)\nprint(use(make()), other(size=4), make().size)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, text: 'size', new_name: 'limit' },
  },
  {
    name: 'extract-with-private-parameters',
    files: {
      'a.py':
        'class A:\n    def call(self, __callback, *args):\n        value = __callback(*args)\n        return value\n\n\nprint(A().call(len, "ab"))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 3, end_line: 3, new_name: 'invoke' },
  },
  {
    name: 'rename-parameter-passed-to-what-only-looks-like-another-function',
    files: {
      'a.py':
        'class Store:\n    def __init__(self, size):\n        self.size = size\n\n\ndef factory():\n    return Store\n\n\ndef other(size):\n    return size\n\n\ndef use(factory):\n    return factory(size=3).size\n\n\nprint(use(factory()), other(1))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'size', new_name: 'limit' },
  },
  {
    name: 'move-module-of-a-package-below-src',
    files: {
      'src/box/__init__.py':
        'from . import keys\n\n\ndef size(items):\n    count = len(items)\n    total = count * keys.FACTOR\n    return total\n',
      'src/box/keys.py': 'FACTOR = 2\n',
      'tests/__init__.py': '',
      'tests/check.py': 'from box.keys import FACTOR\n\nprint(FACTOR)\n',
      'main.py': 'import sys\n\nsys.path.insert(0, "src")\nimport box\nimport tests.check\n\nprint(box.size([1]))\n',
    },
    tool: move,
    args: { file: 'src/box/keys.py', target_directory: 'src/box/inner' },
  },
  {
    name: 'extract-in-a-package-below-src',
    files: {
      'src/box/__init__.py':
        'from . import keys\n\n\ndef size(items):\n    count = len(items)\n    total = count * keys.FACTOR\n    return total\n',
      'src/box/keys.py': 'FACTOR = 2\n',
      'tests/__init__.py': '',
      'tests/check.py': 'from box.keys import FACTOR\n\nprint(FACTOR)\n',
      'main.py': 'import sys\n\nsys.path.insert(0, "src")\nimport box\nimport tests.check\n\nprint(box.size([1]))\n',
    },
    tool: extractMethod,
    args: { file: 'src/box/__init__.py', start_line: 5, end_line: 6, new_name: 'scaled' },
  },
  {
    name: 'rename-parameter-that-holds-what-others-hold-too',
    files: {
      'a.py':
        'class Base:\n    def __getitem__(self, key):\n        return key\n\n\nclass One(Base):\n    def __getitem__(self, key, base_get=Base.__getitem__):\n        return base_get(self, key)\n\n\nclass Two(Base):\n    def __getitem__(self, key, base_get=Base.__getitem__):\n        return base_get(self, key) + 1\n\n\nprint(One()[1], Two()[1])\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 8, text: 'base_get', new_name: 'inherited' },
  },
  {
    name: 'rename-what-a-base-uses-of-its-heirs',
    files: {
      'a.py':
        'class Timed:\n    def size(self):\n        self.expire()\n        return 1\n\n\nclass One(Timed):\n    def expire(self):\n        print("one")\n\n\nclass Two(Timed):\n    def expire(self):\n        print("two")\n\n\nprint(One().size(), Two().size())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 8, text: 'expire', new_name: 'drop' },
  },
  {
    name: 'inline-function-with-names-of-its-module-into-other-files',
    files: {
      'text.py':
        'import re\n\n_space = re.compile(" +")\n\n\ndef squeeze(value):\n    return _space.sub(" ", value)\n\n\ndef first(value):\n    return re.split(",", value)[0]\n',
      'one.py': 'from text import first, squeeze as tight\n\n\ndef show(value):\n    return tight(value)\n',
      'two.py': 'import text\n\n\ndef show(value):\n    return text.squeeze(value) + text.first(value)\n',
      'main.py': 'import one\nimport two\n\nprint(one.show("a   b"), two.show("a,  b"), one.first("x,y"))\n',
    },
    tool: inline,
    args: { file: 'text.py', line: 6, text: 'squeeze' },
  },
  {
    name: 'inline-function-inside-an-f-string',
    files: {
      'a.py':
        'def joined(name):\n    return "-".join(name.split()).lower()\n\n\ntitle = "A B"\nprint(f"~/.{joined(title)}", joined(title))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'joined' },
  },
  {
    name: 'inline-method-whose-name-others-have-too',
    files: {
      'a.py':
        'import io\n\n\nclass Pages:\n    def __init__(self):\n        self.parts = ["a", "b"]\n\n    def getvalue(self):\n        return "".join(self.parts)\n\n\ndef both(pages: Pages, stream: io.StringIO):\n    return pages.getvalue() + stream.getvalue()\n\n\nprint(both(Pages(), io.StringIO("c")))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 8, text: 'getvalue' },
  },
  {
    name: 'inline-method-into-a-file-that-has-the-name-already',
    files: {
      'parser.py':
        'class Item:\n    def __init__(self, name):\n        self.name = name\n\n\nclass Parser:\n    def __init__(self):\n        self.items = []\n\n    def add(self, name):\n        self.items.append(Item(name))\n',
      'main.py':
        'from parser import Parser\n\n\nclass Item:\n    pass\n\n\ndef build(parser: Parser):\n    parser.add("x")\n    return parser.items[0].name\n\n\nprint(build(Parser()), Item.__name__)\n',
    },
    tool: inline,
    args: { file: 'parser.py', line: 10, text: 'add' },
  },
  {
    name: 'move-keeps-how-each-file-imports',
    files: {
      'shop/__init__.py': 'from .prices import net\n',
      'shop/prices.py':
        'from .rates import RATE\n\n\ndef net(value):\n    return value\n\n\ndef gross(value):\n    """With tax."""\n    return net(value) * (1 + RATE)\n\n\nTOTAL = 3\n',
      'shop/rates.py': 'RATE = 0.5\n',
      'by_name.py': 'from shop.prices import TOTAL, gross as with_tax\n\nshown = with_tax(TOTAL)\n',
      'by_module.py':
        'import shop.prices\nfrom shop import prices as p\n\nshown = shop.prices.gross(1) + p.gross(2) + p.TOTAL\n',
      'inside.py': 'def late():\n    from shop.prices import gross\n\n    return gross(4)\n',
      'main.py':
        'import by_module\nimport by_name\nimport inside\n\nprint(by_name.shown, by_module.shown, inside.late())\n',
    },
    tool: move,
    args: { file: 'shop/prices.py', line: 8, text: 'gross', target_file: 'shop/taxes.py' },
  },
  {
    name: 'move-what-its-module-still-uses',
    files: {
      'shop/__init__.py': '',
      'shop/base.py':
        'import typing as t\nfrom dataclasses import dataclass\n\nif t.TYPE_CHECKING:\n    from .rates import Rate\n\n\n@dataclass\nclass Order:\n    size: int\n\n    def cost(self, rate: "Rate") -> int:\n        return priced(self, rate)\n\n\n# What an order costs.\ndef priced(order: "Order", rate: "Rate") -> int:\n    return order.size * rate.value\n',
      'shop/rates.py': 'class Rate:\n    value = 2\n',
      'main.py': 'from shop.base import Order\nfrom shop.rates import Rate\n\nprint(Order(3).cost(Rate()))\n',
    },
    tool: move,
    args: { file: 'shop/base.py', line: 17, text: 'priced', target_file: 'shop/pricing.py' },
  },
  {
    name: 'move-enum-behind-star-import',
    files: {
      'colors.py':
        'from enum import Enum\n\n\nclass Color(Enum):\n    __slots__ = ()\n    RED = 1\n    BLUE = 2\n\n\nDEFAULT = "red"\n',
      'palette.py': '"""Shades."""\n\nSHADES = 3\n',
      'users.py': 'from colors import *\n\nchosen = Color["RED"]\n',
      'main.py': 'import users\nfrom users import DEFAULT\n\nprint(users.chosen.value, DEFAULT)\n',
    },
    tool: move,
    args: { file: 'colors.py', line: 4, text: 'Color', target_file: 'palette.py' },
  },
  {
    name: 'inline-function-of-several-statements',
    files: {
      'log.py':
        'import sys\n\nLINES = []\n\n\ndef note(text, level=1):\n    """Keeps a line."""\n    shown = f"{level} {text}"\n    LINES.append(shown)  # kept\n    print("""a\n  b""", file=sys.stdout)\n    return len(LINES)\n',
      'main.py':
        'import log\n\n\ndef go(name):\n    count = log.note(name.upper(), level=2)\n    return count\n\n\nlog.note("x")  # first\nprint(go("y"), log.LINES)\n',
    },
    tool: inline,
    args: { file: 'log.py', line: 6, text: 'note' },
  },
  {
    name: 'rename-attribute-that-a-base-outside-assigns',
    files: {
      'a.py':
        'import textwrap\n\n\nclass Wrapper(textwrap.TextWrapper):\n    def deeper(self):\n        self.subsequent_indent += "  "\n        return self\n\n\nprint(Wrapper(width=9).deeper().fill("aaa bbb ccc"))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'subsequent_indent', new_name: 'hanging' },
  },
  {
    name: 'rename-function-that-others-have-as-a-keyword',
    files: {
      'a.py':
        'def complete(text):\n    return text + "!"\n\n\nclass Option:\n    def __init__(self, **attributes):\n        self.attributes = attributes\n\n\noptions = [Option(complete=str.upper)]\nprint(complete("a"), options[0].attributes["complete"]("b"))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 1, text: 'complete', new_name: 'finished' },
  },
  {
    name: 'inline-method-that-stays-for-unknown-uses',
    files: {
      'a.py':
        'import io\n\n\nclass Page:\n    def __init__(self):\n        self.parts = ["a", "b"]\n\n    def getvalue(self):\n        return "".join(self.parts)\n\n\ndef read(stream):\n    return stream.getvalue()\n\n\npage = Page()\nprint(page.getvalue(), read(io.StringIO("c")), read(page))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 8, text: 'getvalue' },
  },
  {
    name: 'inline-method-with-unknown-uses-only',
    files: {
      'a.py':
        'import io\n\n\nclass Page:\n    def getvalue(self):\n        return "a"\n\n\ndef read(stream):\n    return stream.getvalue()\n\n\nprint(read(io.StringIO("c")), read(Page()))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 5, text: 'getvalue' },
  },
  {
    name: 'extract-method-from-the-line-below-a-decorator',
    files: {
      'a.py':
        'def loud(function):\n    return lambda: function() + "!"\n\n\ndef go(word):\n    @loud\n    def say():\n        return word\n\n    other = word * 2\n    return say() + other\n\n\nprint(go("a"))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 7, end_line: 10, new_name: 'prepared' },
  },
  {
    name: 'rename-module-with-relative-imports-everywhere',
    files: {
      'app/__init__.py': '',
      'app/words.py':
        'from .base import mark\n\n\ndef greet():\n    from . import base\n\n    return base.mark("hi") + mark("")\n',
      'app/base.py': 'def mark(text):\n    return text + "!"\n',
      'app/deep/__init__.py': '',
      'app/deep/use.py':
        'def hello(loud):\n    if loud:\n        from ..words import greet as f\n\n        return f().upper()\n\n    from .. import words\n    from ..words import greet\n\n    return greet() + words.greet()\n',
      'main.py': 'from app.deep.use import hello\n\nprint(hello(True), hello(False))\n',
    },
    tool: rename,
    args: { file: 'app/words.py', new_name: 'phrases.py' },
  },
  {
    name: 'move-module-about-which-the-checker-complains-already',
    files: {
      'src/box/__init__.py': '',
      'src/box/keys.py': 'import sys\n\nif sys.platform == "win32":\n    import msvcrt\n\nFACTOR = 2\n',
      'main.py':
        'import sys\n\nsys.path.insert(0, "src")\nimport box.keys\n\n\ndef wait():\n    return box.keys.msvcrt.getch()\n\n\nprint(box.keys.FACTOR)\n',
    },
    tool: move,
    args: { file: 'src/box/keys.py', target_directory: 'src/box/inner' },
  },
  {
    name: 'move-class-that-reads-what-type-checkers-see-differently',
    files: {
      'shapes.py':
        'import typing as t\n\nif t.TYPE_CHECKING:\n    Item = t.TypeVar("Item", bound=str)\nelse:\n    Item = t.TypeVar("Item")\n\n\nclass Box(t.Generic[Item]):\n    def __init__(self, item: Item) -> None:\n        self.item = item\n',
      'main.py': 'from shapes import Box\n\nprint(Box("a").item)\n',
    },
    tool: move,
    args: { file: 'shapes.py', line: 9, text: 'Box', target_file: 'boxes.py' },
  },
  {
    name: 'extract-method-after-a-loop-that-only-a-break-leaves',
    files: {
      'a.py':
        'def first_free(taken):\n    while True:\n        name = f"n{len(taken)}"\n        try:\n            taken.remove(name)\n        except ValueError:\n            found = name.upper()\n            break\n\n    shown = f"{name} {found}"\n    return shown + "!"\n\n\nprint(first_free(["n1"]))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 10, end_line: 10, new_name: 'describe' },
  },
];
