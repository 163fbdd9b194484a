import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';
const move = 'ide_refactor_move';

/** Names that a program looks up in strings or hands over by the name of a parameter. */
export const pythonNameCases: RefactorCase[] = [
  {
    name: 'rename-module-with-strings-that-name-it',
    files: {
      'pyproject.toml': '[project]\nname = "shop"\n\n[project.scripts]\nshop = "shop.prices:main"\n',
      'setup.cfg': '[options.entry_points]\nconsole_scripts =\n    shop = shop.prices:main\n',
      'shop/__init__.py': 'import importlib\n\nlate = importlib.import_module(".prices", __name__)\n',
      'shop/prices.py': 'def rate():\n    return 3\n\n\ndef main():\n    return rate() * 2\n',
      'main.py':
        'import importlib\n\nsettings = {"handlers": ["shop.prices.main"], "text": "see shop.prices"}\nprint(importlib.import_module("shop.prices").main(), importlib.import_module("shop").late.rate())\nname, _, attribute = settings["handlers"][0].rpartition(".")\nprint(getattr(importlib.import_module(name), attribute)())\n',
      'test_shop.py':
        'import unittest\nfrom unittest import mock\n\nfrom shop.prices import main\n\n\nclass PriceTest(unittest.TestCase):\n    @mock.patch("shop.prices.rate", return_value=5)\n    def test_main(self, rate):\n        self.assertEqual(main(), 10)\n',
    },
    tool: rename,
    args: { file: 'shop/prices.py', new_name: 'costs.py' },
  },
  {
    name: 'rename-parameter-that-others-hand-on',
    files: {
      'jobs.py':
        'def run(task, quiet=False):\n    return task, quiet\n\n\ndef start(task, **options):\n    return run(task, **options)\n\n\ndef later(task, **options):\n    return start(task, **options)\n',
      'main.py':
        'from jobs import later, run\n\nsettings = dict(quiet=True)\nprint(later("a", quiet=True), run("b", quiet=False), run("c", **settings))\n',
    },
    tool: rename,
    args: { file: 'jobs.py', line: 1, text: 'quiet', new_name: 'silent' },
  },
  {
    name: 'rename-function-with-strings-that-name-it',
    files: {
      'setup.py': 'entry_points = {"console_scripts": ["rate = shop.prices:rate"]}\n',
      'shop/__init__.py': 'from .prices import rate\n',
      'shop/prices.py': 'def rate():\n    return 3\n',
      'shop/use.py': 'from shop.prices import rate\n\n\ndef total():\n    return rate() * 2\n',
      'main.py': 'from shop.use import total\n\nprint(total(), "shop.rate")\n',
      'test_shop.py':
        'import unittest\nfrom unittest import mock\n\nimport shop.use\nfrom shop import prices, use\n\n\nclass UseTest(unittest.TestCase):\n    def test_total(self):\n        with mock.patch("shop.use.rate", return_value=5):\n            self.assertEqual(use.total(), 10)\n        with mock.patch("shop.rate"), mock.patch.object(prices, "rate"), mock.patch.object(shop.use, "rate", return_value=1):\n            self.assertEqual(use.total(), 2)\n',
    },
    tool: rename,
    args: { file: 'shop/prices.py', line: 1, text: 'rate', new_name: 'factor' },
  },
  {
    name: 'rename-method-with-strings-that-name-it',
    files: {
      'shop.py':
        'class Shop:\n    def rate(self):\n        return 3\n\n    def total(self):\n        return self.rate() * 2\n',
      'main.py': 'from shop import Shop\n\nprint(Shop().total())\n',
      'test_shop.py':
        'import unittest\nfrom unittest import mock\n\nfrom shop import Shop\n\n\nclass ShopTest(unittest.TestCase):\n    def test_total(self):\n        with mock.patch("shop.Shop.rate", return_value=5):\n            self.assertEqual(Shop().total(), 10)\n        with mock.patch.object(Shop, "rate", return_value=6):\n            self.assertEqual(Shop().total(), 12)\n',
    },
    tool: rename,
    args: { file: 'shop.py', line: 2, text: 'rate', new_name: 'cost' },
  },
  {
    name: 'rename-fixture',
    files: {
      'conftest.py':
        'import pytest  # type: ignore\n\n\n@pytest.fixture\ndef db():\n    return 1\n\n\n@pytest.fixture\ndef user(db):\n    return db\n',
      'sub/conftest.py': 'import pytest  # type: ignore\n\n\n@pytest.fixture\ndef db(db):\n    return db + 1\n',
      'sub/test_sub.py': 'def test_sub(db):\n    assert db == 2\n',
      'main.py': 'print("no test")\n',
      'it_test.py':
        'import pytest  # type: ignore\n\n\n@pytest.mark.usefixtures("db")\ndef test_one(user, request):\n    assert request.getfixturevalue("db") == user\n\n\n@pytest.mark.parametrize("db, n", [(0, 1)], indirect=["db"])\ndef test_two(db, n):\n    assert db == n\n\n\ndef helper(db):\n    return db\n',
    },
    tool: rename,
    args: { file: 'conftest.py', line: 5, text: 'db', new_name: 'database' },
  },
  {
    name: 'rename-parameter-that-a-test-is-handed',
    files: {
      'main.py': 'print("no test")\n',
      'it_test.py':
        'import pytest  # type: ignore\n\n\n@pytest.mark.parametrize("n, m", [(1, 1), (2, 2)])\ndef test_it(n, m):\n    assert n == m\n\n\n@pytest.mark.parametrize(["n"], [(1,)])\ndef test_other(n):\n    assert n\n',
    },
    tool: rename,
    args: { file: 'it_test.py', line: 5, text: 'n', new_name: 'value' },
  },
  {
    name: 'rename-private-method-used-outside',
    files: {
      'a.py':
        'class Car:\n    def __go(self):\n        return 1\n\n    def twice(self):\n        return self.__go() * 2\n\n\nprint(Car().twice(), Car()._Car__go())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: '__go', new_name: '__run' },
  },
  {
    name: 'rename-parameter-specification-named-by-keyword',
    files: {
      'a.py':
        'from typing import Callable, ParamSpec\n\nP = ParamSpec(name="P")\n\n\ndef call(function: Callable[P, int]) -> Callable[P, int]:\n    return function\n\n\nprint(call(lambda: 1)())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'P', new_name: 'Params' },
  },
  {
    name: 'rename-module-that-a-star-import-hides',
    files: {
      'pkg/__init__.py': 'from .helpers import *\n',
      'pkg/helpers.py': 'def helpers():\n    return 1\n\n\ndef other():\n    return 2\n',
      'main.py':
        'import pkg\nimport pkg.helpers\nfrom pkg import helpers\nfrom pkg.helpers import other\n\nprint(helpers(), pkg.helpers(), other())\n',
    },
    tool: rename,
    args: { file: 'pkg/helpers.py', new_name: 'parts.py' },
  },
  {
    name: 'rename-module-to-what-the-package-calls-something-else',
    files: {
      'pkg/__init__.py': 'from .helpers import other\n',
      'pkg/helpers.py': 'def other():\n    return 2\n',
      'main.py': 'from pkg import helpers, other\n\nprint(other(), helpers.other())\n',
    },
    tool: rename,
    args: { file: 'pkg/helpers.py', new_name: 'other.py' },
  },
  {
    name: 'rename-hidden-module-imported-by-another-name',
    files: {
      'pkg/__init__.py': 'from .helpers import *\n',
      'pkg/helpers.py': 'def helpers():\n    return 1\n',
      'main.py': 'import pkg.helpers as h\n\nprint(h())\n',
    },
    tool: rename,
    args: { file: 'pkg/helpers.py', new_name: 'parts.py' },
  },
  {
    name: 'rename-key-of-typed-dictionary',
    files: {
      'a.py':
        'from typing import TypedDict\n\n\nclass Movie(TypedDict):\n    name: str\n    year: int\n\n\nfirst: Movie = {"name": "x", "year": 1}\nsecond = Movie(name="y", year=2)\n\n\ndef shown(movie: Movie) -> str:\n    return movie["name"]\n\n\nprint(shown(first), shown(second))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, text: 'name', new_name: 'title' },
  },
  {
    name: 'rename-key-that-is-asked-for-by-get',
    files: {
      'a.py':
        'from typing import TypedDict\n\n\nclass Movie(TypedDict):\n    name: str\n\n\ndef shown(movie: Movie) -> str:\n    return movie.get("name", "")\n\n\nfirst: Movie = {"name": "x"}\nprint(shown(first))\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, text: 'name', new_name: 'title' },
  },
  {
    name: 'rename-field-that-a-copy-replaces',
    files: {
      'a.py':
        'import dataclasses\n\n\n@dataclasses.dataclass\nclass Movie:\n    name: str\n    year: int = 1\n\n\nfirst = Movie(name="a")\nsecond = dataclasses.replace(first, name="b")\nprint(first.name, second.name)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'name', new_name: 'title' },
  },
  {
    name: 'rename-variable-reached-by-names-of-its-module',
    files: {
      'm.py':
        '__all__ = ["other"]\n__all__.extend(["count"])\ncount = 1\nother = 2\n\n\ndef found():\n    return globals()["count"]\n',
      'main.py': 'import m\nfrom m import *\n\nprint(vars(m)["count"], m.__dict__["count"], m.found(), count, other)\n',
    },
    tool: rename,
    args: { file: 'm.py', line: 3, text: 'count', new_name: 'total' },
  },
  {
    name: 'rename-module-in-a-table-of-late-imports',
    files: {
      'pkg/__init__.py':
        'import importlib\n\n_WHERE = {"old": ".pieces", "text": "pieces"}\n\n\ndef __getattr__(name):\n    if name in _WHERE:\n        return getattr(importlib.import_module(_WHERE[name], __name__), name)\n    raise AttributeError(name)\n',
      'pkg/pieces.py': 'def old():\n    return 1\n',
      'main.py': 'import pkg\n\nprint(pkg.old())\n',
    },
    tool: rename,
    args: { file: 'pkg/pieces.py', new_name: 'parts.py' },
  },
  {
    name: 'rename-parameter-of-a-class-under-another-name',
    files: {
      'a.py':
        'from typing import Type\n\n\nclass Printer:\n    def __init__(self, width: int = 0) -> None:\n        self.columns = width\n\n\nclass Command:\n    printer_class: Type[Printer] = Printer\n\n    def shown(self) -> int:\n        return self.printer_class(width=4).columns\n\n\nprint(Command().shown())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 5, text: 'width', new_name: 'size' },
  },
  {
    name: 'rename-imported-name-with-a-stand-in',
    files: {
      'fast.py': 'def load():\n    return 1\n',
      'plain.py':
        'import sys\n\nif sys.platform == "nowhere":\n    from fast import load\nelse:\n\n    def load():\n        return 2\n\n\ndef twice():\n    return load() + load()\n',
      'main.py': 'import fast\nfrom plain import load, twice\n\nprint(load(), twice(), fast.load())\n',
    },
    tool: rename,
    args: { file: 'fast.py', line: 1, text: 'load', new_name: 'read' },
  },
  {
    name: 'rename-variable-named-like-what-it-holds-of-a-library',
    files: {
      'a.py':
        'try:\n    from ctypes import pythonapi\n\n    api = pythonapi.pythonapi\n    Count = api.Count\nexcept (ImportError, AttributeError):\n    Count = None\n\nprint(Count is None)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 9, text: 'Count', new_name: 'Total' },
  },
  {
    name: 'rename-function-that-a-decorator-makes-known',
    files: {
      'app.py':
        'views = {}\n\n\ndef view(function):\n    views[function.__name__] = function\n    return function\n\n\n@view\ndef index():\n    return "page"\n',
      'main.py': 'from app import views\n\nprint(views["index"]())\n',
    },
    tool: rename,
    args: { file: 'app.py', line: 10, text: 'index', new_name: 'home' },
  },
  {
    name: 'rename-attribute-that-an-heir-asks-super-for',
    files: {
      'a.py':
        'class Counter:\n    count = 1\n\n\nclass Heir(Counter):\n    def shown(self):\n        return super().count\n\n\nclass Other:\n    count = 2\n\n\nprint(Heir().shown(), Other.count)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 2, text: 'count', new_name: 'total' },
  },
  {
    name: 'rename-field-that-is-a-key-of-a-made-dictionary',
    files: {
      'a.py':
        'from dataclasses import asdict, dataclass\n\n\n@dataclass\nclass Movie:\n    name: str\n\n\nprint(asdict(Movie("a"))["name"])\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'name', new_name: 'title' },
  },
  {
    name: 'rename-private-field-with-its-constructor',
    files: {
      'attrs.py':
        'def define(cls):\n    def init(self, **values):\n        for name, value in values.items():\n            setattr(self, "_" + name, value)\n\n    cls.__init__ = init\n    return cls\n',
      'a.py':
        'from attrs import define\n\n\n@define\nclass Movie:\n    _name: str\n\n\nprint(Movie(name="a")._name)  # type: ignore\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: '_name', new_name: '_title' },
  },
  {
    name: 'rename-module-with-its-stub',
    files: {
      'shop/__init__.py': '',
      'shop/prices.py': 'def rate():\n    return 3\n',
      'shop/prices.pyi': 'from .kinds import Kind\n\ndef rate() -> Kind: ...\n',
      'shop/kinds.py': 'Kind = int\n',
      'shop/use.py': 'from .prices import rate\n\n\ndef total():\n    return rate()\n',
      'shop/use.pyi': 'from .kinds import Kind\nfrom .prices import rate\n\ndef total() -> Kind: ...\n',
      'main.py': 'from shop.use import total\n\nprint(total())\n',
    },
    tool: rename,
    args: { file: 'shop/prices.py', new_name: 'costs.py' },
  },
  {
    name: 'rename-variable-beside-a-member-of-another-library',
    files: {
      'a.py':
        'try:\n    from ctypes import pythonapi\nexcept ImportError:\n    print("none")\nelse:\n    Py_IncRef = pythonapi.Py_IncRef\n    print(Py_IncRef is not None, pythonapi.Py_IncRef is not None)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 6, text: 'Py_IncRef', new_name: 'add_reference' },
  },
  {
    name: 'move-file-that-does-not-parse',
    files: {
      'lib/__init__.py': 'from .broken import thing\n',
      'lib/broken.py': 'thing = = 1\n',
      'other/__init__.py': '',
      'main.py': 'print(1)\n',
    },
    tool: move,
    args: { file: 'lib/broken.py', target_directory: 'other' },
  },
  {
    name: 'rename-method-of-what-tests-replace',
    files: {
      'shop.py':
        'class Api:\n    def rate(self):\n        return 3\n\n\nclass Shop:\n    def __init__(self, api: Api):\n        self.api = api\n\n    def total(self):\n        return self.api.rate()\n\n\napi = Api()\n',
      'main.py': 'from shop import Shop, api\n\nprint(Shop(api).total())\n',
      'test_shop.py':
        'import unittest\nfrom types import SimpleNamespace\nfrom typing import Any\nfrom unittest import mock\n\nimport shop\n\n\nclass ShopTest(unittest.TestCase):\n    def test_total(self):\n        with mock.patch("shop.api.rate", return_value=9), mock.patch.object(shop.Api, "rate", return_value=8):\n            self.assertEqual(shop.api.rate(), 9)\n        with mock.patch.object(shop.api, "rate", return_value=7):\n            self.assertEqual(shop.Shop(shop.api).total(), 7)\n        stand_in: Any = SimpleNamespace(rate=lambda: 6)\n        self.assertEqual(shop.Shop(stand_in).total(), 6)\n        self.assertEqual(shop.Shop(mock.Mock(rate=lambda: 5)).total(), 5)\n',
    },
    tool: rename,
    args: { file: 'shop.py', line: 2, text: 'rate', new_name: 'factor' },
  },
  {
    name: 'rename-function-that-patch-multiple-replaces',
    files: {
      'shop.py': 'def rate():\n    return 3\n\n\ndef total():\n    return rate() * 2\n',
      'main.py':
        'from unittest.mock import patch\n\nfrom shop import total\n\nwith patch.multiple("shop", rate=lambda: 5):\n    print(total())\n',
    },
    tool: rename,
    args: { file: 'shop.py', line: 1, text: 'rate', new_name: 'factor' },
  },
  {
    name: 'rename-method-of-an-object-that-a-string-names',
    files: {
      'shop.py':
        'class Api:\n    def rate(self):\n        return 3\n\n\ndef made():\n    return Api()\n\n\napi = made()\n',
      'main.py':
        'from unittest.mock import patch\n\nimport shop\n\nwith patch("shop.api.rate", return_value=9):\n    print(shop.api.rate())\n',
    },
    tool: rename,
    args: { file: 'shop.py', line: 2, text: 'rate', new_name: 'factor' },
  },
  {
    name: 'rename-field-described-as-a-parameter',
    files: {
      'a.py':
        'from dataclasses import dataclass\n\n\n@dataclass\nclass Box:\n    """A box.\n\n    Parameters:\n        width: how wide it is\n\n    Attributes:\n        width: the same\n    """\n\n    width: int = 3\n\n\nprint(Box(width=1).width)\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 15, text: 'width', new_name: 'size' },
  },
  {
    name: 'rename-module-that-imports-a-library-named-like-a-neighbour',
    files: {
      'pkg/__init__.py': '',
      'pkg/types.py': 'one = 1\n',
      'pkg/marks.py': 'import types\n\n\ndef made() -> types.ModuleType:\n    return types.ModuleType("m")\n',
      'main.py': 'from pkg.marks import made\n\nprint(made().__name__)\n',
    },
    tool: rename,
    args: { file: 'pkg/marks.py', new_name: 'signs.py' },
  },
  {
    name: 'rename-member-of-a-protocol',
    files: {
      'a.py':
        'from typing import Protocol\n\n\nclass Runner(Protocol):\n    def run(self) -> int: ...\n\n\nclass Fast:\n    def run(self) -> int:\n        return 1\n\n\nclass Slow:\n    def run(self) -> int:\n        return 2\n\n\nclass Other:\n    def run(self) -> str:\n        return "other"\n\n\ndef use(runner: Runner) -> int:\n    return runner.run()\n\n\nslow: Runner = Slow()\nprint(use(Fast()), slow.run(), Other().run())\n',
    },
    tool: rename,
    args: { file: 'a.py', line: 9, text: 'run', new_name: 'launch' },
  },
  {
    name: 'rename-type-parameter',
    files: {
      'boxes.py':
        'class Box[T]:\n    def __init__(self, value: T) -> None:\n        self.value: T = value\n\n\ndef first[T](values: list[T]) -> T:\n    return values[0]\n',
      'a.py': 'print(1)\n',
    },
    tool: rename,
    args: { file: 'boxes.py', line: 6, column: 11, new_name: 'Item' },
  },
  {
    name: 'rename-module-from-an-import',
    files: {
      'prices.py': 'def rate():\n    return 3\n',
      'shop/__init__.py': 'from .costs import two\n\nthree = costs.two + 1  # type: ignore\n',
      'shop/costs.py': 'two = 2\n',
      'main.py':
        'import importlib\n\nimport prices\nimport prices as p\nimport shop.costs as costs\n\nprint(prices.rate(), p.rate(), importlib.import_module("shop.costs").two, costs.two)\n',
    },
    tool: rename,
    args: { file: 'main.py', line: 5, text: 'import shop.costs', new_name: 'fees.py' },
  },
];
