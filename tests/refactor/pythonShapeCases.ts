import type { RefactorCase } from './typescriptCases.ts';

const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';

/** What an extraction, an inlining or a move must keep beyond the text: types that a test has narrowed, what a module offers. */
export const pythonShapeCases: RefactorCase[] = [
  {
    name: 'extract-method-gives-back-what-it-has-tested',
    files: {
      'a.py':
        'def age(born: int | None, now: int) -> int:\n    if born is None:\n        raise ValueError("not born")\n    print("born in", born)\n    return later(born, now)\n\n\ndef later(one: int, two: int) -> int:\n    return two - one\n\n\nprint(age(1990, 2020))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, end_line: 4, new_name: 'checked' },
  },
  {
    name: 'extract-method-keeps-the-type-variables-of-a-function-inside',
    files: {
      'a.py':
        'from typing import Callable, ParamSpec, TypeVar\n\nP = ParamSpec("P")\nR = TypeVar("R")\n\n\ndef loud(f: Callable[P, R], times: int) -> Callable[P, R]:\n    def inner(*args: P.args, **kwargs: P.kwargs) -> R:\n        print("!" * times)\n        return f(*args, **kwargs)\n\n    return inner\n\n\nprint(loud(len, 2)("abc"))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 8, end_line: 12, new_name: 'wrapped' },
  },
  {
    name: 'extract-variable-of-a-condition-that-narrows-a-type',
    files: {
      'a.py':
        'class Editor:\n    def __init__(self, env: dict[str, str] | None) -> None:\n        self.env = env\n\n    def environ(self) -> dict[str, str]:\n        found = {"LANG": "C"}\n        if self.env:\n            found.update(self.env)\n        return found\n\n\nprint(Editor(None).environ(), Editor({"A": "1"}).environ())\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 7, start_column: 12, end_line: 7, end_column: 20, new_name: 'env' },
  },
  {
    name: 'extract-method-of-what-a-module-offers',
    files: {
      'a.py': 'import sys\n\nprint(sys.byteorder)\n\n\nclass Offered:\n    pass\n\n\nprint("end")\n',
      'test_a.py':
        'import unittest\n\nimport a\n\n\nclass Test(unittest.TestCase):\n    def test(self):\n        self.assertTrue(hasattr(a, "Off" + "ered"))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 6, end_line: 7, new_name: 'made' },
  },
  {
    name: 'extract-method-around-a-known-error',
    files: {
      'a.py':
        'def counted(f):\n    calls = []\n\n    def inner():\n        calls.append(1)\n        return f()\n\n    inner.calls = calls\n    return inner\n\n\nprint(counted(int)(), len(counted(int).calls))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 4, end_line: 6, new_name: 'made' },
  },
];
