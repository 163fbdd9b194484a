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
];
