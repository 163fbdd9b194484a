import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';
const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';
const inline = 'ide_refactor_inline';
const move = 'ide_refactor_move';
const safeDelete = 'ide_refactor_safe_delete';

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
    name: 'extract-variable-that-starts-and-ends-with-brackets',
    files: {
      'a.py': 'def padded(row, width):\n    return row + ("",) * (width - len(row))\n\n\nprint(padded(("a",), 3))\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, end_line: 2, text: '("",) * (width - len(row))', new_name: 'missing' },
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
  {
    name: 'move-module-imported-under-conditions',
    files: {
      'tools/__init__.py': 'from . import paths\n',
      'tools/paths.py':
        'from . import names\nfrom .names import JOIN\n\n\ndef whole(*parts):\n    return JOIN.join(parts) + names.END\n',
      'tools/names.py': "JOIN = '-'\nEND = '.'\n",
      'tools/deep/__init__.py': '',
      'main.py':
        'import tools\n\ntry:\n    import tools.paths as paths\nexcept ImportError:\n    paths = None\n\n\ndef other():\n    from tools import names, paths as again\n    return again.whole("b", names.END)\n\n\ndef given(tools):\n    return tools.paths\n\n\nprint(paths.whole("a"), other(), tools.paths.whole("c"))\n',
    },
    tool: move,
    args: { file: 'tools/paths.py', target_directory: 'tools/deep' },
  },
  {
    name: 'move-folder-that-is-no-declared-package',
    files: {
      'space/inner/a.py': 'from .b import VALUE\nfrom ..near import NEAR\n\nBOTH = VALUE + NEAR\n',
      'space/inner/b.py': 'VALUE = 1\n',
      'space/near.py': 'NEAR = 2\n',
      'main.py': 'import space.inner.a\nfrom space.inner import b\n\nprint(space.inner.a.BOTH, b.VALUE)\n',
    },
    tool: move,
    args: { file: 'space/inner', target_directory: '.' },
  },
  {
    name: 'move-function-that-a-tuple-exports',
    files: {
      'a.py':
        "from words import *\n\n__all__ = ('shout', 'whisper')\n\n\ndef shout(text):\n    return loud(text)\n\n\ndef whisper(text):\n    return text.lower()\n\n\nprint(whisper('A'))\n",
      'words.py': 'def loud(text):\n    return text.upper()\n',
      'b.py': '',
    },
    tool: move,
    args: { file: 'a.py', line: 6, text: 'shout', target_file: 'b.py' },
  },
  {
    name: 'inline-function-whose-variables-are-taken',
    files: {
      'a.py':
        "__all__ = ['scaled', 'report']\n\n\ndef scaled(n, *, by=None):\n    if by is None:\n        by = 2\n    total = n * by\n    print('scaled', total)\n    return total\n\n\ndef report(total):\n    n = scaled(total + 1)\n    return n, total\n\n\nprint(report(4))\n",
    },
    tool: inline,
    args: { file: 'a.py', line: 4, text: 'scaled' },
  },
  {
    name: 'inline-function-with-several-ways-out',
    files: {
      'a.py':
        "def kind(n):\n    print('kind of', n)\n    if n > 9:\n        return 'big'\n    else:\n        size = n * 2\n        return size\n\n\ndef found(n):\n    label = kind(n)\n    return label\n\n\ndef direct(n):\n    return kind(n)\n\n\ndef asked(n):\n    if kind(n) == 'big':\n        return True\n    return False\n\n\nprint(found(3), direct(12), asked(4))\n",
    },
    tool: inline,
    args: { file: 'a.py', line: 16, text: 'kind', all: false },
  },
  {
    name: 'inline-function-that-returns-from-the-middle',
    files: {
      'a.py':
        "def first(xs):\n    for x in xs:\n        if x:\n            return x\n    return None\n\n\ndef shown(xs):\n    one = first(xs)\n    return f'<{one}>'\n\n\nprint(shown([0, 3]), shown([]))\n",
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'first' },
  },
  {
    name: 'inline-function-into-a-condition',
    files: {
      'a.py':
        "def ready(n):\n    m = n % 3\n    print('left', m)\n    return m == 0\n\n\ndef go(n):\n    if not ready(n):\n        return 'no'\n    return 'yes'\n\n\nprint(go(3), go(4))\n",
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'ready' },
  },
  {
    name: 'inline-function-that-makes-closures-in-a-loop',
    files: {
      'a.py':
        'def later(n):\n    twice = n * 2\n    return lambda: twice\n\n\nmade = []\nfor i in range(3):\n    one = later(i)\n    made.append(one)\nprint([each() for each in made])\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 1, text: 'later' },
  },
  {
    name: 'rename-parameter-with-its-description',
    files: {
      'a.py':
        'class Box:\n    """A box.\n\n    :param int size: how large; size matters\n    :type size: int\n    """\n\n    def __init__(self, size):\n        """\n        Args:\n            size (int): in litres\n        """\n        self.volume = size\n\n    def fill(self, size, *parts):\n        """Fills it.\n\n        Parameters\n        ----------\n        size, weight : int\n            The size.\n        """\n        return size, parts\n\n\nprint(Box(size=1).volume)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 8, text: 'size', new_name: 'litres' },
  },
  {
    name: 'rename-typed-dictionary-field',
    files: {
      'a.py':
        'from typing import TypedDict\n\n\nclass Point(TypedDict):\n    x: int\n    y: int\n\n\ndef total(point: Point) -> int:\n    return point["x"] + point["y"]\n\n\nprint(total(Point(x=1, y=2)))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, text: 'x', new_name: 'left' },
  },
  {
    name: 'rename-name-bound-by-a-pattern',
    files: {
      'a.py':
        'def kind(command):\n    match command.split():\n        case ["get", *rest]:\n            return rest\n        case ["set", ("a" | "b") as rest]:\n            return [rest]\n    try:\n        raise ValueError(command)\n    except ValueError as rest:\n        return rest.args\n\n\nprint(kind("get x y"), kind("set a"), kind("go"))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 4, text: 'rest', new_name: 'others' },
  },
  {
    name: 'rename-what-a-file-calls-a-module',
    files: {
      'tools.py': 'def go():\n    return 1\n',
      'main.py': 'import tools as t\n\n\ndef f(t):\n    return t\n\n\nprint(t.go(), f(2))\n',
    },
    tool: rename,
    args: { file: 'main.py', line: 8, column: 7, new_name: 'kit' },
  },
  {
    name: 'rename-at-the-end-of-a-string',
    files: { 'a.py': 'a: "None | int" = 1\nprint(a)\n' },
    tool: rename,
    args: { file: 'a.py', line: 1, column: 15, new_name: 'total' },
  },
  {
    name: 'rename-variable-that-only-functions-assign',
    files: {
      'a.py':
        'def start():\n    global state\n    state = [1]\n\n\ndef more(n):\n    global state\n    state = state + [n]\n\n\ndef shown(state=None):\n    return state\n\n\nstart()\nmore(2)\nprint(state, shown())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 8, text: 'state + ', new_name: 'known' },
  },
  {
    name: 'inline-variable-that-reads-an-unknown-name',
    files: {
      'a.py': 'def f(a):\n    total = missing + a\n    return total * 2, total\n\n\nprint(callable(f))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 2, text: 'total' },
  },
  {
    name: 'extract-variable-everywhere-though-it-changes',
    files: { 'a.py': 'def f(a):\n    x = len(a)\n    a.append(1)\n    return x, len(a)\n\n\nprint(f([1]))\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'len(a)', new_name: 'size', all: true },
  },
  {
    name: 'extract-variable-that-does-something-each-time',
    files: { 'a.py': 'def f(a):\n    x = a.pop()\n    y = a.pop()\n    return x, y\n\n\nprint(f([1, 2]))\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: 'a.pop()', new_name: 'last', all: true },
  },
  {
    name: 'extract-variable-at-the-end-of-a-comparison',
    files: { 'a.py': 'def f(a):\n    return 0 < a < 10 // a\n\n\nprint(f(0), f(2))\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, text: '10 // a', new_name: 'limit' },
  },
  {
    name: 'extract-variable-that-its-statement-prepares',
    files: { 'a.py': 'n = 5\n\n\ndef f(a):\n    return (n := a + 1) + n * 2\n\n\nprint(f(1))\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 5, text: 'n * 2', new_name: 'double' },
  },
  {
    name: 'extract-method-that-an-error-may-interrupt',
    files: {
      'a.py':
        'def f(a):\n    step = 0\n    try:\n        step = 1\n        rate = 1 / a\n    except ZeroDivisionError:\n        return step\n    return rate\n\n\nprint(f(0), f(1))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 4, end_line: 5, new_name: 'divided' },
  },
  {
    name: 'extract-method-with-a-function-that-sees-later-values',
    files: {
      'a.py':
        'def f():\n    n = 1\n\n    def g():\n        return n\n\n    first = g()\n    n = 5\n    return first, g()\n\n\nprint(f())\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 4, end_line: 7, new_name: 'made' },
  },
  {
    name: 'extract-method-everywhere-though-another-needs-more',
    files: {
      'a.py':
        'def f(a):\n    x = a + 1\n    print(x)\n\n\ndef g(b):\n    y = 0\n    y = b + 1\n    print(y)\n    return y\n\n\nf(1)\nprint(g(2))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, end_line: 3, new_name: 'shown', all: true },
  },
  {
    name: 'inline-variable-of-a-global-that-a-call-changes',
    files: {
      'a.py':
        'n = 1\n\n\ndef up():\n    global n\n    n += 1\n\n\ndef f():\n    before = n\n    up()\n    return before\n\n\nprint(f())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 10, text: 'before' },
  },
  {
    name: 'rename-attribute-with-its-slot',
    files: {
      'a.py':
        "class Point:\n    __slots__ = {'x': 'x', 'y': 'x'}\n    __match_args__ = ('x',)\n\n    def __init__(self):\n        self.x = 1\n\n\nclass Other:\n    __slots__ = ('x',)\n\n\nmatch Point():\n    case Point(1):\n        print(Point().x)\n",
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'x', new_name: 'left' },
  },
  {
    name: 'safe-delete-method-named-by-a-string',
    files: {
      'a.py': "class A:\n    def go(self):\n        return 1\n\n\nprint(getattr(A(), 'go')())\n",
    },
    tool: safeDelete,
    args: { file: 'a.py', line: 2, text: 'go' },
  },
  {
    name: 'move-module-that-a-function-takes-from-a-package-below',
    files: {
      'box/__init__.py': '',
      'box/a.py': 'def go():\n    from .deep import c, d\n\n    return c.VALUE + d.VALUE\n',
      'box/deep/__init__.py': 'from . import c\n',
      'box/deep/c.py': 'VALUE = 1\n',
      'box/deep/d.py': 'VALUE = 2\n',
      'plain/note.txt': 'no package\n',
      'main.py':
        'import box.deep.c\nfrom box.a import go\nfrom box.deep import c\n\nprint(go(), box.deep.c.VALUE, c.VALUE)\n',
    },
    tool: move,
    args: { file: 'box/deep/c.py', target_directory: 'plain' },
  },
];
