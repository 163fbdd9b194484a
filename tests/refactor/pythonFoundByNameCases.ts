import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';

/** Names that strings declare, that a program puts together, or that it collects. */
export const pythonFoundByNameCases: RefactorCase[] = [
  {
    name: 'rename-nested-function-kept-as-an-attribute',
    files: {
      'a.py':
        'def cached(function):\n    kept = {}\n\n    def wrapper(x):\n        return kept.setdefault(x, function(x))\n\n    def clear():\n        kept.clear()\n\n    wrapper.clear = clear\n    return wrapper\n\n\n@cached\ndef square(x):\n    return x * x\n\n\nprint(square(2))\nsquare.clear()\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 7, text: 'clear', new_name: 'reset' },
  },
  {
    name: 'rename-class-attribute-that-begins-as-a-global',
    files: {
      'a.py': 'x = 1\n\n\nclass A:\n    x = x\n    y = x\n\n\nprint(A.x, A.y)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, text: 'x', new_name: 'top' },
  },
  {
    name: 'rename-field-of-a-named-tuple',
    files: {
      'shapes.py':
        'from collections import namedtuple\n\nPoint = namedtuple("Point", "left top")\n\n\nclass Corner(namedtuple("Base", ["left", "size"])):\n    def wide(self):\n        return self.size\n',
      'main.py':
        'from shapes import Corner, Point\n\np = Point(left=1, top=2)\nprint(p.top, p._replace(top=5).top, Corner(left=1, size=3).wide())\n',
    },
    tool: rename,
    args: { file: 'main.py', line: 4, text: 'p.top', new_name: 'upper' },
  },
  {
    name: 'rename-member-of-an-enumeration-made-by-a-call',
    files: {
      'main.py':
        'from enum import Enum\n\nColor = Enum("Color", "RED BLUE")\nprint(Color.RED.value, Color["RED"].value, Color.BLUE.value)\n',
    },
    tool: rename,
    args: { file: 'main.py', line: 3, column: 24, new_name: 'CRIMSON' },
  },
  {
    name: 'rename-class-from-a-string-that-annotates',
    files: {
      'a.py':
        'class Parcel:\n    pass\n\n\ndef sent(parcel: "Parcel | None"):\n    """Sends it. A Parcel is sent once.\n\n    :type parcel: Parcel\n    :rtype: list[Parcel]\n    """\n    return [parcel]\n\n\ndef weighed(one):\n    """Weighs it.\n\n    Args:\n        one (Parcel): what to weigh\n\n    Returns:\n        Parcel: the same\n    """\n    return one\n\n\nprint(sent(None), weighed(1))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, column: 20, new_name: 'Packet' },
  },
  {
    name: 'rename-method-found-by-a-name-put-together',
    files: {
      'a.py':
        'class Visitor:\n    def visit_number(self):\n        return 1\n\n    def visit(self, kind):\n        method = "visit_" + kind\n        return getattr(self, method)()\n\n\nprint(Visitor().visit("number"))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'visit_number', new_name: 'visit_digit' },
  },
  {
    name: 'rename-attribute-found-by-a-list-of-names',
    files: {
      'a.py':
        'SHOWN = ("name", "age")\n\n\nclass Person:\n    def __init__(self, name, age):\n        self.name = name\n        self.age = age\n\n\ndef shown(person):\n    return [getattr(person, each) for each in SHOWN]\n\n\nprint(shown(Person("a", 3)))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'self.name', new_name: 'title' },
  },
  {
    name: 'rename-attribute-of-what-becomes-a-dictionary',
    files: {
      'a.py':
        'class Person:\n    def __init__(self):\n        self.name = "a"\n\n    def dump(self):\n        return {key: value for key, value in vars(self).items()}\n\n\nprint(Person().dump()["name"])\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 3, text: 'self.name', new_name: 'title' },
  },
  {
    name: 'rename-function-that-a-package-makes-when-asked',
    files: {
      'pkg/__init__.py':
        'import importlib\n\nLATE = {"load": ".impl"}\n\n\ndef __getattr__(name):\n    if name in LATE:\n        return getattr(importlib.import_module(LATE[name], __name__), name)\n    raise AttributeError(name)\n',
      'pkg/impl.py': 'def load():\n    return 1\n',
      'main.py': 'from pkg import load\n\nprint(load())\n',
    },
    tool: rename,
    args: { file: 'pkg/impl.py', line: 1, text: 'load', new_name: 'fetch' },
  },
  {
    name: 'rename-parameter-that-a-decorator-looks-at',
    files: {
      'a.py':
        'import functools\n\n\ndef told(function):\n    @functools.wraps(function)\n    def inner(*args, **options):\n        if options.get("size") == 4:\n            print("four")\n        return function(*args, **options)\n\n    return inner\n\n\n@told\ndef made(size=1):\n    return size\n\n\nprint(made(size=4))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 15, text: 'size', new_name: 'width' },
  },
  {
    name: 'rename-parameter-of-what-a-thread-calls',
    files: {
      'a.py':
        'import threading\n\n\ndef work(size=1):\n    print(size)\n\n\nthread = threading.Thread(target=work, kwargs={"size": 3})\nthread.start()\nthread.join()\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 4, text: 'size', new_name: 'width' },
  },
  {
    name: 'move-script-that-imports-its-neighbours',
    files: {
      'pkg/__init__.py': '',
      'pkg/tool.py': 'import helper as h\nfrom parts import one\n\nprint(h.two, one.three)\n',
      'pkg/helper.py': 'two = 2\n',
      'pkg/parts/__init__.py': '',
      'pkg/parts/one.py': 'three = 3\n',
      'main.py': 'print(1)\n',
    },
    tool: 'ide_refactor_move',
    args: { file: 'pkg/tool.py', target_directory: '.' },
  },
  {
    name: 'rename-parameter-that-an-option-names',
    files: {
      'a.py':
        'def option(name):\n    def decorated(function):\n        def called():\n            return function(**{name.lstrip("-"): 3})\n\n        return called\n\n    return decorated\n\n\n@option("--count")\ndef hello(count):\n    return count\n\n\nprint(hello())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 12, text: 'count', new_name: 'times' },
  },
  {
    name: 'rename-attribute-that-a-format-asks-for',
    files: {
      'a.py':
        'class Person:\n    def __init__(self):\n        self.name = "a"\n\n\nprint("{0.name}".format(Person()))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 3, text: 'self.name', new_name: 'title' },
  },
  {
    name: 'rename-attribute-that-the-command-line-has-too',
    files: {
      'a.py':
        'import argparse\n\n\nclass Settings:\n    def __init__(self, level):\n        self.level = level\n\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--level", default=3)\noptions = parser.parse_args([])\nprint(Settings(options.level).level)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'self.level', new_name: 'depth' },
  },
  {
    name: 'rename-module-whose-name-is-put-together',
    files: {
      'plugins/__init__.py': '',
      'plugins/alpha.py': 'value = 1\n',
      'main.py':
        'import importlib\n\n\ndef load(name):\n    return importlib.import_module(f"plugins.{name}").value\n\n\nprint(load("alpha"))\n',
    },
    tool: rename,
    args: { file: 'plugins/alpha.py', new_name: 'beta.py' },
  },
  {
    name: 'rename-module-that-others-find',
    files: {
      'shop/__init__.py': 'from shop.core import run\n\n__all__ = ["run", "core"]\n',
      'shop/core.py': 'def run():\n    return 1\n',
      'shop/words.txt': 'hi',
      'main.py':
        'import subprocess\nimport sys\n\nfrom shop import *\n\nprint(run(), core.run(), subprocess.run([sys.executable, "-m", "shop.core"]).returncode)\n',
    },
    tool: rename,
    args: { file: 'shop/core.py', new_name: 'engine.py' },
  },
  {
    name: 'rename-module-to-what-is-a-variable-there',
    files: {
      'util.py': 'x = 1\n',
      'main.py': 'import util\n\n\ndef f():\n    helper = 3\n    return helper + util.x\n\n\nprint(f())\n',
    },
    tool: rename,
    args: { file: 'util.py', new_name: 'helper.py' },
  },
  {
    name: 'move-module-that-finds-its-neighbours',
    files: {
      'pkg/__init__.py': '',
      'pkg/a.py':
        'from pathlib import Path\n\n\ndef words():\n    return (Path(__file__).parent / "words.txt").read_text()\n',
      'pkg/words.txt': 'hi',
      'pkg/sub/__init__.py': '',
      'main.py': 'from pkg.a import words\n\nprint(words())\n',
    },
    tool: 'ide_refactor_move',
    args: { file: 'pkg/a.py', target_directory: 'pkg/sub' },
  },
  {
    name: 'rename-member-that-a-function-asks-itself-for',
    files: {
      'a.py':
        'class Reader:\n    size = 1\n    depth = 2\n\n    def ask(self, name, again):\n        if again:\n            return self.ask(name, False)\n        return getattr(self, name)\n\n\nprint(Reader().ask("depth", True), Reader().size)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'size', new_name: 'length' },
  },
  {
    name: 'rename-class-whose-name-finds-a-method',
    files: {
      'a.py':
        'class Leaf:\n    pass\n\n\nclass Branch:\n    pass\n\n\nclass Visitor:\n    def visit(self, node):\n        return getattr(self, f"visit_{type(node).__name__}", self.other)(node)\n\n    def visit_Leaf(self, node):\n        return "leaf"\n\n    def other(self, node):\n        return f"{type(node).__name__}?"\n\n\nprint(Visitor().visit(Leaf()), Visitor().visit(Branch()))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 1, text: 'Leaf', new_name: 'Blade' },
  },
  {
    name: 'rename-module-of-a-package-in-a-source-folder',
    files: {
      'src/shop/__init__.py': 'from . import keys\n\nfirst = keys.first\n',
      'src/shop/keys.py': 'def first(pair):\n    return pair[0]\n',
      'tests/test_keys.py':
        'from shop import first, keys\n\n\nclass Pair:\n    def __init__(self):\n        self.keys = (1, 2)\n\n\nassert keys.first(Pair().keys) == first((1, 2))\n',
    },
    tool: rename,
    args: { file: 'src/shop/keys.py', new_name: 'sorting.py' },
  },
  {
    name: 'rename-member-beside-what-a-library-made',
    files: {
      'a.py':
        'import subprocess\n\n\nclass Result:\n    def __init__(self, stdout):\n        self.stdout = stdout\n\n\ndef run(command):\n    done = subprocess.run(command, capture_output=True)\n    return Result(done.stdout)\n\n\ndef last(results):\n    result = results[-1]\n    return result.stdout\n\n\nprint(last([Result("a")]))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'stdout', new_name: 'output' },
  },
];
