import type { RefactorCase } from './typescriptCases.ts';

const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';

/** What is selected, and how it is laid out where it goes. */
export const pythonExtractCases: RefactorCase[] = [
  {
    name: 'extract-method-of-a-value-of-several-lines',
    files: {
      'a.py':
        'def shown(*parts):\n    return parts\n\n\ndef go(n):\n    if n:\n        return shown(\n            {\n                "one": n,  # first\n                "two": """a\n  b""",\n            },\n            2,\n        )\n\n\nprint(go(1))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 8, start_column: 13, end_line: 12, end_column: 14, new_name: 'made' },
  },
  {
    name: 'extract-variable-of-a-value-of-several-lines',
    files: {
      'a.py':
        'def shown(*parts):\n    return parts\n\n\ndef go(n):\n    if n:\n        return shown(\n            1,\n            [\n                n,  # first\n                2,\n            ],\n        )\n\n\nprint(go(1))\n',
    },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 9, start_column: 13, end_line: 12, end_column: 14, new_name: 'parts' },
  },
  {
    name: 'extract-variable-broken-by-a-backslash',
    files: { 'a.py': 'def go(text):\n    return text.strip()\\\n        .lower().split()\n\n\nprint(go(" A B "))\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, start_column: 12, end_line: 3, end_column: 17, new_name: 'low' },
  },
  {
    name: 'extract-method-from-a-class-with-a-string-of-several-lines',
    files: {
      'a.py':
        'class Letter:\n    text = """Dear\n  friend\nof ours"""\n    size = len(text)\n\n\nprint(Letter.text, Letter.size)\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, start_column: 5, end_line: 5, end_column: 21, new_name: 'described' },
  },
  {
    name: 'extract-method-of-a-lambda-that-keeps-each-value',
    files: {
      'a.py':
        'def makers(items):\n    found = []\n    for item in items:\n        found.append(lambda item=item: item)\n    return [each() for each in found]\n\n\nprint(makers([1, 2]))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 4, start_column: 9, end_line: 4, end_column: 45, new_name: 'added' },
  },
  {
    name: 'extract-method-of-a-part-of-a-condition',
    files: {
      'a.py':
        'def sold(kind, price, open_at):\n    return kind == "a" and price > 2 and open_at < 9 and True\n\n\nprint(sold("a", 3, 8), sold("a", 3, 10), sold("b", 3, 8))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, start_column: 28, end_line: 2, end_column: 53, new_name: 'is_open' },
  },
  {
    name: 'extract-variable-of-a-part-of-a-text',
    files: { 'a.py': 'def shown(name):\n    return "<" + "." + "/>" + name\n\n\nprint(shown("a"))\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, start_column: 18, end_line: 2, end_column: 28, new_name: 'end' },
  },
  {
    name: 'extract-variable-of-a-part-of-a-sum',
    files: { 'a.py': 'def total(a, b, c):\n    return a + b + c\n\n\nprint(total(0.1, 0.2, 0.3))\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 2, start_column: 16, end_line: 2, end_column: 21, new_name: 'rest' },
  },
  {
    name: 'extract-variable-with-the-comment-behind-it',
    files: { 'a.py': 'def listed(n):\n    return [\n        n + 1  # the next\n    ]\n\n\nprint(listed(1))\n' },
    tool: extractVariable,
    args: { file: 'a.py', start_line: 3, start_column: 9, end_line: 3, end_column: 26, new_name: 'after' },
  },
  {
    name: 'extract-method-that-begins-and-ends-inside-comments',
    files: {
      'a.py':
        'def go(n):\n    # Counts.\n    m = n + 1\n    print(m)  # up\n    # And goes on.\n    return m\n\n\nprint(go(1))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 2, start_column: 9, end_line: 5, end_column: 12, new_name: 'counted' },
  },
  {
    name: 'extract-method-everywhere-with-what-is-given',
    files: {
      'a.py':
        'class Point:\n    def __init__(self, x):\n        self.x = x\n\n\ndef one(text):\n    return str(text).rjust(3)\n\n\ndef other(point, n):\n    return str(point.x).rjust(3) + str(n + 1).rjust(3)\n\n\nprint(one(1), other(Point(2), 3))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 7, start_column: 12, end_line: 7, end_column: 30, new_name: 'padded', all: true },
  },
  {
    name: 'extract-method-everywhere-also-under-a-condition',
    files: {
      'a.py':
        'def go(n):\n    if n:\n        print("end", n)\n        return n + 1\n    print("end", n)\n    return n + 1\n\n\nprint(go(0), go(1))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 3, start_column: 9, end_line: 4, end_column: 21, new_name: 'ended', all: true },
  },
  {
    name: 'extract-method-everywhere-from-function-and-class',
    files: {
      'a.py':
        'def plain(a):\n    return a * 10\n\n\nclass Scale:\n    def up(self, b):\n        return b * 10  # ten\n\n    def down(self, b, a=2):\n        return [b * 10 for b in range(a)]\n\n\nprint(plain(1), Scale().up(2), Scale().down(1))\n',
    },
    tool: extractMethod,
    args: {
      file: 'a.py',
      start_line: 2,
      start_column: 12,
      end_line: 2,
      end_column: 18,
      new_name: 'tenfold',
      all: true,
    },
  },
  {
    name: 'extract-method-everywhere-in-methods-of-a-class',
    files: {
      'a.py':
        'class Sums:\n    def __init__(self, start):\n        self.start = start\n\n    def one(self, items):\n        total = self.start\n        for item in items:\n            total += item\n        return total\n\n    def two(me, parts, other):\n        # From the start.\n        count = me.start  # or later\n        for part in parts:\n            count += part\n        far = other.start\n        for part in parts:\n            far += part\n        return count, far\n\n\nprint(Sums(1).one([1]), Sums(2).two([2], Sums(5)))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 6, start_column: 9, end_line: 8, end_column: 26, new_name: 'summed', all: true },
  },
  {
    name: 'extract-method-everywhere-but-not-what-means-something-else',
    files: {
      'a.py':
        'FACTOR = 3\n\n\ndef go(items, n):\n    a = [item * FACTOR + n for item in items]\n    b = [item * FACTOR + item for item in items]\n    return a, b\n\n\ndef other(items, n, FACTOR):\n    return [item * FACTOR + n for item in items]\n\n\nprint(go([1], 2), other([1], 2, 4))\n',
    },
    tool: extractMethod,
    args: { file: 'a.py', start_line: 5, start_column: 9, end_line: 5, end_column: 46, new_name: 'scaled', all: true },
  },
  {
    name: 'extract-method-everywhere-before-it-is-defined',
    files: {
      'a.py':
        'def early(b):\n    return b * 10\n\n\nprint(early(1))\n\n\ndef late(a):\n    return a * 10\n\n\nprint(late(2))\n',
    },
    tool: extractMethod,
    args: {
      file: 'a.py',
      start_line: 9,
      start_column: 12,
      end_line: 9,
      end_column: 18,
      new_name: 'tenfold',
      all: true,
    },
  },
];
