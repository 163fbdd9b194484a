import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';
const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';
const inline = 'ide_refactor_inline';

/** What the forms of the language ask of a refactoring: strings of several lines, comments, generators, ways out of a function. */
export const pythonFormCases: RefactorCase[] = [
  {
    name: 'extract-method-with-a-string-of-several-lines',
    files: {
      'a.py':
        'class Letter:\n    def write(self, name):\n        if name:\n            head = """Dear\n  friend\nof ours,\n"""\n            print(head, name)\n        # signed\n\n\nLetter().write("Ann")\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 4, end_line: 8, new_name: 'greet' },
  },
  {
    name: 'extract-variable-of-a-string-and-a-comment',
    files: {
      'a.py':
        'def shown(*parts):\n    return parts\n\n\nprint(shown("""one\n  two""", [\n    1,  # first\n    2,\n]))\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 5, start_column: 13, end_line: 6, end_column: 9, new_name: 'words' },
  },
  {
    name: 'extract-method-where-every-way-returns',
    files: {
      'a.py':
        'def sign(n):\n    print("sign of", n)\n    if n < 0:\n        return -1\n    elif n > 0:\n        return 1\n    return 0\n\n\nprint(sign(-4), sign(0), sign(7))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 3, end_line: 7, new_name: 'decided' },
  },
  {
    name: 'extract-method-that-returns-on-one-way',
    files: {
      'a.py':
        'def first(xs):\n    if not xs:\n        return None\n    x = xs[0]\n    return x\n\n\nprint(first([]), first([3]))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, end_line: 3, new_name: 'checked' },
  },
  {
    name: 'extract-method-of-a-generator',
    files: {
      'a.py':
        'def numbers(limit):\n    last = None\n    for n in range(limit):\n        yield n\n        last = n\n    print("last", last)\n\n\nprint(list(numbers(3)))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 3, end_line: 5, new_name: 'counted' },
  },
  {
    name: 'extract-method-from-classmethod-that-uses-its-class',
    files: {
      'a.py':
        'class Shape:\n    sides = 0\n\n    @classmethod\n    def described(kind, name):\n        text = f"{name}: {kind.sides}"\n        return text\n\n\nclass Square(Shape):\n    sides = 4\n\n\nprint(Square.described("square"))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 6, text: 'f"{name}: {kind.sides}"', new_name: 'line' },
  },
  {
    name: 'extract-method-called-as-one-of-a-base',
    files: {
      'base.py': 'class Base:\n    def close(self):\n        print("closed")\n',
      'main.py':
        'from base import Base\n\n\nclass File(Base):\n    def save(self):\n        print("saved")\n        self.close()\n\n\nFile().save()\n',
    },
    tool: extractMethod,
    args: { file: 'main.py', start_line: 6, end_line: 6, new_name: 'close' },
  },
  {
    name: 'extract-method-keeps-what-the-module-assigned',
    files: {
      'a.py': 'total = 2\nrate = 3\ntotal = total + rate\nshown = total * 2\nprint(shown)\nprint(globals()["total"])\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 3, end_line: 4, new_name: 'summed' },
  },
  {
    name: 'extract-variable-after-other-statements-of-its-line',
    files: { 'a.py': 'b = 1\nb = 5; c = b * 2 + 1\nprint(b, c)\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'b * 2', new_name: 'double' },
  },
  {
    name: 'extract-variable-that-reads-what-a-comprehension-binds',
    files: { 'a.py': 'x = 7\nprint([x * 2 for x in [1, 2]], x)\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'x * 2', new_name: 'double' },
  },
  {
    name: 'extract-method-indented-by-tabs-without-a-last-newline',
    files: {
      'a.py': 'class A:\n\tdef f(self, n):\n\t\tm = n + 1\n\t\tprint(m)\n\t\tprint(n)\n\n\nclass B:\n\tgo = A().f(3)',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 4, end_line: 5, new_name: 'show' },
  },
  {
    name: 'inline-variable-with-only-the-parentheses-it-needs',
    files: {
      'a.py':
        'def f(a, b):\n    total = a + b\n    return [total + 1, 1 - total, total * 2, -total, total < 3, not total, total if total else 0, {total: total}]\n\n\nprint(f(1, 2))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 2, text: 'total' },
  },
  {
    name: 'rename-parameter-beside-a-keyword-of-the-language',
    files: {
      'a.py':
        'from collections import OrderedDict\n\n\ndef shown(size):\n    return dict(size=size), OrderedDict(size=size)\n\n\nprint(shown(size=1))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 4, text: 'size', new_name: 'width' },
  },
];
