/** Small programs with one bug each, as people write them, and what one look at the failure must show. */
export interface Bug {
  name: string;
  files: Record<string, string>;
  run: { test: string } | { program: string };
  /** Where it fails: file, line and function. */
  at: string;
  /** It does not end by itself. */
  hangs?: boolean;
  /** Texts that a reader needs: the wrong value, the locals of the failing frame. */
  shows: readonly string[];
}

export const bugs: readonly Bug[] = [
  {
    name: 'off by one (pytest)',
    files: {
      'window.py': 'def last(items, count):\n    start = len(items) - count - 1\n    return items[start:]\n',
      'test_window.py':
        'from window import last\n\n\ndef test_last_two():\n    items = [1, 2, 3, 4]\n    result = last(items, 2)\n    assert result == [3, 4]\n',
    },
    run: { test: 'test_window.py' },
    at: 'test_window.py:7 in test_last_two',
    shows: ['[2, 3, 4] == [3, 4]', 'result = [2, 3, 4]', 'items = [1, 2, 3, 4]'],
  },
  {
    name: 'missing key deep in the code under test (pytest)',
    files: {
      'src/shop/__init__.py': '',
      'src/shop/prices.py':
        'def price(item, rates):\n    rate = rates[item["curency"]]\n    return item["price"] * rate\n\n\ndef total(items, rates):\n    return sum(price(item, rates) for item in items)\n',
      'tests/test_prices.py':
        'import sys, os\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "src"))\nfrom shop.prices import total\n\n\ndef test_total():\n    items = [{"price": 2, "currency": "EUR"}]\n    assert total(items, {"EUR": 2}) == 4\n',
    },
    run: { test: 'tests/test_prices.py::test_total' },
    at: 'src/shop/prices.py:2 in price',
    shows: ["KeyError: 'curency'", "item = {'price': 2, 'currency': 'EUR'}", 'test_total tests/test_prices.py:8'],
  },
  {
    name: 'mutable default argument (unittest)',
    files: {
      'bag.py':
        'class Bag:\n    def __init__(self, items=[]):\n        self.items = items\n\n    def add(self, item):\n        self.items.append(item)\n        return self\n',
      'test_bag.py':
        'import unittest\nfrom bag import Bag\n\n\nclass BagTest(unittest.TestCase):\n    def test_bags_are_apart(self):\n        Bag().add(1)\n        second = Bag().add(2)\n        self.assertEqual(second.items, [2])\n\n\nif __name__ == "__main__":\n    unittest.main()\n',
    },
    run: { test: 'test_bag.py' },
    at: 'test_bag.py:9 in BagTest.test_bags_are_apart',
    shows: ['Lists differ: [1, 2] != [2]', 'second = Bag(items=[1, 2])'],
  },
  {
    name: 'wrong type at run time (script)',
    files: {
      'report.py':
        'def line(name, count):\n    return name.ljust(10) + count\n\n\nrows = [("a", "1"), ("b", 2)]\nfor name, count in rows:\n    print(line(name, count))\n',
    },
    run: { program: 'report.py' },
    at: 'report.py:2 in line',
    shows: ['TypeError: can only concatenate str (not "int") to str', "name = 'b'", 'count = 2'],
  },
  {
    name: 'a plain assertion without words (script)',
    files: {
      'check.py':
        'def median(numbers):\n    ordered = numbers\n    return ordered[len(ordered) // 2]\n\n\nvalues = [9, 1, 5]\nassert median(values) == 5\nfound = median(values)\nassert found < 5, found\n',
    },
    run: { program: 'check.py' },
    at: 'check.py:7 in <module>',
    shows: ['AssertionError', 'values = [9, 1, 5]', '>>> 7 | assert median(values) == 5'],
  },
  {
    name: 'a float comparison (pytest, class and fixture)',
    files: {
      'test_money.py':
        'import pytest\n\n\n@pytest.fixture\ndef prices():\n    return [0.1, 0.2]\n\n\nclass TestMoney:\n    def test_sum(self, prices):\n        total = sum(prices)\n        assert total == 0.3\n',
    },
    run: { test: 'test_money.py::TestMoney::test_sum' },
    at: 'test_money.py:12 in TestMoney.test_sum',
    shows: ['0.30000000000000004 == 0.3', 'total = 0.30000000000000004', 'prices = [0.1, 0.2]'],
  },
  {
    name: 'a parametrised test that fails for one case (pytest)',
    files: {
      'leap.py': 'def is_leap(year):\n    return year % 4 == 0 and year % 100 != 0\n',
      'test_leap.py':
        'import pytest\nfrom leap import is_leap\n\n\n@pytest.mark.parametrize("year,expected", [(2024, True), (1900, False), (2000, True)])\ndef test_leap(year, expected):\n    assert is_leap(year) is expected\n',
    },
    run: { test: 'test_leap.py' },
    at: 'test_leap.py:7 in test_leap',
    shows: ['year = 2000', 'expected = True'],
  },
  {
    name: 'an exception that was expected but does not come (pytest.raises)',
    files: {
      'parse.py': 'def port(text):\n    try:\n        return int(text)\n    except ValueError:\n        return None\n',
      'test_parse.py':
        'import pytest\nfrom parse import port\n\n\ndef test_bad_port():\n    text = "abc"\n    with pytest.raises(ValueError):\n        port(text)\n',
    },
    run: { test: 'test_parse.py' },
    at: 'test_parse.py:7 in test_bad_port',
    shows: ['DID NOT RAISE', "text = 'abc'"],
  },
  {
    name: 'endless recursion (pytest)',
    files: {
      'tree.py': 'def depth(node):\n    return 1 + max(depth(child) for child in node["children"] or [node])\n',
      'test_tree.py':
        'from tree import depth\n\n\ndef test_leaf():\n    leaf = {"children": []}\n    assert depth(leaf) == 1\n',
    },
    run: { test: 'test_tree.py' },
    at: 'tree.py:2 in depth',
    shows: ['RecursionError: maximum recursion depth exceeded'],
  },
  {
    name: 'a library call with bad data (unittest, setUp)',
    files: {
      'test_config.py':
        'import json\nimport unittest\n\n\nclass ConfigTest(unittest.TestCase):\n    def setUp(self):\n        text = "{\'a\': 1}"\n        self.config = json.loads(text)\n\n    def test_a(self):\n        self.assertEqual(self.config["a"], 1)\n',
    },
    run: { test: 'test_config.py' },
    at: 'test_config.py:8 in ConfigTest.setUp',
    shows: ['JSONDecodeError: Expecting property name', `text = "{'a': 1}"`],
  },
  {
    name: 'an async function (script)',
    files: {
      'jobs.py':
        'import asyncio\n\n\nasync def fetch(n):\n    await asyncio.sleep(0)\n    return 10 / n\n\n\nasync def main():\n    counts = [2, 1, 0]\n    return [await fetch(n) for n in counts]\n\n\nprint(asyncio.run(main()))\n',
    },
    run: { program: 'jobs.py' },
    at: 'jobs.py:6 in fetch',
    shows: ['ZeroDivisionError: division by zero', 'n = 0', 'main jobs.py:11'],
  },
  {
    name: 'a test that never ends',
    files: {
      'loop.py':
        'def collatz(n):\n    steps = 0\n    while n != 1:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n        steps = steps\n    return steps\n\n\ndef wait(n):\n    while n > 0:\n        n = n + 1\n    return n\n',
      'test_loop.py': 'from loop import wait\n\n\ndef test_wait():\n    assert wait(3) == 0\n',
    },
    run: { test: 'test_loop.py' },
    at: 'at wait loop.py:1',
    hangs: true,
    shows: ['and was ended', 'test_wait test_loop.py:5'],
  },
  {
    name: 'an import that fails while tests are collected (pytest)',
    files: {
      'shop.py': 'from nowhere import price\n',
      'test_shop.py': 'import shop\n\n\ndef test_x():\n    assert shop.price\n',
    },
    run: { test: 'test_shop.py' },
    at: 'shop.py:1 in <module>',
    shows: ["ModuleNotFoundError: No module named 'nowhere'", 'test_shop.py:1'],
  },
  {
    name: 'a syntax error in a module (script)',
    files: { 'app.py': 'import util\n', 'util.py': 'def f(:\n    pass\n' },
    run: { program: 'app.py' },
    at: 'app.py:1 in <module>',
    shows: ['SyntaxError', 'util.py, line 1'],
  },
  {
    name: 'a syntax error in the program itself',
    files: { 'app.py': 'x = 1\nif x\n    print(x)\n' },
    run: { program: 'app.py' },
    at: 'Program ended with exit code 1',
    shows: ["SyntaxError: expected ':'", 'line 2'],
  },
  {
    name: 'a large comparison (pytest)',
    files: {
      'test_big.py':
        'def test_big():\n    got = [{"id": n, "name": "item %d" % n} for n in range(300)]\n    expected = [dict(each) for each in got]\n    got[250]["name"] = "wrong"\n    assert got == expected\n',
    },
    run: { test: 'test_big.py' },
    at: 'test_big.py:5 in test_big',
    shows: ["differs at [250]['name']: 'wrong' != 'item 250'", '(300)'],
  },
  {
    name: 'an environment that is put back after the test (pytest)',
    files: {
      'test_env.py':
        'import os\nfrom unittest import mock\n\n\n@mock.patch.dict(os.environ, {"a": "b"}, clear=True)\ndef test_env():\n    os.environ["d"] = "c"\n    assert os.environ == {"a": "b", "d": "b"}\n',
    },
    run: { test: 'test_env.py' },
    at: 'test_env.py:8 in test_env',
    shows: ["left = _Environ{'a': 'b', 'd': 'c'}"],
  },
  {
    name: 'a test whose processes end well, which no debugger is loaded for (pytest)',
    files: {
      'test_well.py':
        'import subprocess\nimport sys\n\n\ndef test_well():\n    code = "import os, sys; print(\'pydevd\' in sys.modules, \'SIGHTLINE_LATE_CHILD\' in os.environ)"\n    assert subprocess.check_output([sys.executable, "-c", code]) == b"False False\\n"\n',
    },
    run: { test: 'test_well.py' },
    at: 'Program ended with exit code 0',
    shows: ['1 passed'],
  },
  {
    name: 'a process of a test that fails (pytest)',
    files: {
      'price.py': 'def price(x):\n    return 10 / x\n\n\nprint(price(0))\n',
      'test_price.py':
        'import subprocess\nimport sys\n\n\ndef test_price():\n    assert subprocess.run([sys.executable, "price.py"], stdout=-1).stdout == b"1\\n"\n',
    },
    run: { test: 'test_price.py' },
    at: 'price.py:2 in price',
    shows: ['ZeroDivisionError', 'x = 0'],
  },
  {
    name: 'a deadlock',
    files: {
      'bank.py':
        'import threading\n\nlock = threading.Lock()\n\n\ndef transfer(amount):\n    with lock:\n        return log(amount)\n\n\ndef log(amount):\n    with lock:\n        print(amount)\n',
      'test_bank.py': 'from bank import transfer\n\n\ndef test_transfer():\n    transfer(5)\n',
    },
    run: { test: 'test_bank.py' },
    at: 'It was in a deadlock: it waits for a lock that it holds itself.\nat log bank.py:12: with lock:',
    hangs: true,
    shows: ['was still running', 'amount = 5', 'transfer bank.py:8'],
  },
  {
    name: 'a crash in native code',
    files: { 'app.py': 'import ctypes\n\n\ndef read(address):\n    return ctypes.string_at(address)\n\n\nread(0)\n' },
    run: { program: 'app.py' },
    at: 'Program ended by signal SIGSEGV',
    shows: ['Segmentation fault', 'app.py", line 5 in read'],
  },
  {
    name: 'an error in setUpClass (unittest)',
    files: {
      'test_db.py':
        'import unittest\n\n\nclass DbTest(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        settings = {"host": "x"}\n        cls.port = settings["port"]\n\n    def test_port(self):\n        self.assertTrue(self.port)\n',
    },
    run: { test: 'test_db.py' },
    at: 'test_db.py:8 in DbTest.setUpClass',
    shows: ["KeyError: 'port'", "settings = {'host': 'x'}"],
  },
  {
    name: 'an exit with a message',
    files: { 'app.py': 'import sys\n\nvalue = None\nif value is None:\n    sys.exit("no value given")\n' },
    run: { program: 'app.py' },
    at: 'Program ended with exit code 1',
    shows: ['no value given'],
  },
  {
    name: 'an exception in a thread pool (script)',
    files: {
      'pool.py':
        'from concurrent.futures import ThreadPoolExecutor\n\n\ndef parse(text):\n    return int(text)\n\n\nwith ThreadPoolExecutor() as pool:\n    print(list(pool.map(parse, ["1", "2", "x"])))\n',
    },
    run: { program: 'pool.py' },
    at: 'pool.py:5 in parse',
    shows: ["invalid literal for int() with base 10: 'x'", "text = 'x'"],
  },
  {
    name: 'what the members of a group and a cause carry',
    files: {
      'group.py':
        'class Refused(Exception):\n    def __init__(self, message, status):\n        super().__init__(message)\n        self.status = status\n\nfound = [Refused("refused", 404), Refused("refused", 500)]\nraise ExceptionGroup("all", found) from Refused("first", 1)\n',
    },
    run: { program: 'group.py' },
    at: 'group.py:7',
    shows: [
      'caused by Refused: first (status = 1)',
      'contains Refused: refused (status = 404)',
      'contains Refused: refused (status = 500)',
    ],
  },
];
