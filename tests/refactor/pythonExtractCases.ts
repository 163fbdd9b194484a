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
];
