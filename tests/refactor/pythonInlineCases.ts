import type { RefactorCase } from './typescriptCases.ts';

const inline = 'ide_refactor_inline';

/** What an inlined variable or function brings along: its comments, its lines, what it calls, and what it is given. */
export const pythonInlineCases: RefactorCase[] = [
  {
    name: 'inline-variable-keeps-the-comment-behind-it',
    files: {
      'a.py':
        'def area(w, h):\n    both = w * h  # in metres\n    half = both / 2  # noqa: E501\n    return [both, half]\n\n\nprint(area(2, 3))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 4, column: 13 },
  },
  {
    name: 'inline-value-of-several-lines-further-in',
    files: {
      'a.py':
        'def shown(*parts):\n    return parts\n\n\ndef go(n):\n    parts = {\n        "one": n,  # first\n        "two": """a\n  b""",\n    }\n    if n:\n        return shown(parts)\n\n\nprint(go(1))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 12, column: 22 },
  },
  {
    name: 'inline-function-into-the-module-that-it-imports',
    files: {
      'tools.py': 'import main\n\n\ndef show():\n    print(main.NAME)\n',
      'main.py': 'import tools\n\nNAME = "x"\nif __name__ == "__main__":\n    tools.show()\n',
    },
    tool: inline,
    args: { file: 'tools.py', line: 4, column: 5 },
  },
  {
    name: 'inline-function-that-calls-others-of-its-name',
    files: {
      'a.py':
        'import io\n\n\nclass Source:\n    def __init__(self, text):\n        self.file = io.StringIO(text)\n\n    def read(self):\n        return self.file.read() + "."\n\n\ndef read(text):\n    with io.StringIO(text) as file:\n        return file.read()\n\n\nsource = Source("a")\nprint(source.read())\ntext = read("b")\nprint(text)\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 19, column: 8 },
  },
  {
    name: 'inline-method-that-calls-itself-on-another-object',
    files: {
      'a.py':
        'class Tree:\n    def __init__(self, inner=None):\n        self.inner = inner\n\n    def depth(self):\n        return 1 + (self.inner.depth() if self.inner else 0)\n\n\ntree = Tree(Tree())\nprint(tree.depth())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 10, column: 12 },
  },
  {
    name: 'inline-function-that-formats-what-it-is-given',
    files: {
      'a.py':
        'def named(name, kind="file"):\n    return f"<{kind}: {name!r:>5}>"\n\n\ndef go(d):\n    return named("a"), named(d["k"], kind="dir")\n\n\nprint(go({"k": "v"}))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 6, column: 12 },
  },
  {
    name: 'inline-function-with-defaults-that-never-change',
    files: {
      'a.py':
        'STEP = 2\n\n\ndef moved(n, by=STEP, least=-1, pair=(1, 2)):\n    return max(n + by, least), pair\n\n\ndef go():\n    return moved(1), moved(2, by=3)\n\n\nprint(go())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 9, column: 12 },
  },
  {
    name: 'inline-function-with-its-comments',
    files: {
      'a.py':
        'def summed(items):\n    """Adds."""\n    # Starts with nothing.\n    # Then adds.\n    total = 0\n    for item in items:\n        total += item\n    # That is all.\n    return total\n\n\ndef go(items):\n    count = summed(items)  # now\n    return count\n\n\nprint(go([1, 2]))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 13, column: 13 },
  },
  {
    name: 'inline-function-where-its-value-is-added',
    files: {
      'a.py':
        'def price(n):\n    each = 3\n    return n * each\n\n\ndef go(n):\n    total = 1\n    total += price(n)\n    return total\n\n\nprint(go(2))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 8, column: 14 },
  },
  {
    name: 'inline-one-value-of-a-variable-assigned-twice',
    files: {
      'a.py':
        'def go(n):\n    text = str(n)\n    print(text)\n    text = text + "!"\n    return [text]\n\n\nprint(go(1))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 4, column: 5 },
  },
  {
    name: 'inline-value-of-one-branch',
    files: {
      'a.py':
        'def go(n):\n    if n:\n        parts = {"one": n}\n        print(parts)\n    else:\n        parts = {"none": n}\n        print(parts)\n\n\ngo(0)\ngo(1)\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 7, column: 15 },
  },
  {
    name: 'inline-value-that-another-may-replace',
    files: {
      'a.py': 'def go(n):\n    count = 1\n    if n:\n        count = 2\n    return count\n\n\nprint(go(0), go(1))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 2, column: 5 },
  },
  {
    name: 'inline-value-that-is-read-after-an-error',
    files: {
      'a.py':
        'def go(text):\n    state = "new"\n    try:\n        state = "read"\n        print(state)\n        number = int(text)\n        state = "done"\n    except ValueError:\n        number = 0\n    return state, number\n\n\nprint(go("1"), go("a"))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 4, column: 9 },
  },
  {
    name: 'inline-async-function-where-it-is-awaited',
    files: {
      'a.py':
        'import asyncio\n\n\nasync def fetched(n):\n    await asyncio.sleep(0)\n    return await doubled(n)\n\n\nasync def doubled(n):\n    return str(n * 2)\n\n\nasync def go():\n    one = await fetched(1)\n    both = [await doubled(n) for n in (1, 2)]\n    return one, both, (await doubled(3)).upper()\n\n\nprint(asyncio.run(go()))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 15, column: 19 },
  },
  {
    name: 'inline-async-function-that-is-handed-on',
    files: {
      'a.py':
        'import asyncio\n\n\nasync def doubled(n):\n    return n * 2\n\n\nasync def go():\n    return await asyncio.gather(doubled(1), doubled(2))\n\n\nprint(asyncio.run(go()))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 9, column: 33 },
  },
  {
    name: 'inline-function-with-global-variables',
    files: {
      'a.py':
        'count = 0\n\n\ndef counted(by=1):\n    global count\n    count += by\n    return count\n\n\ndef go():\n    """Counts."""\n    print(count)\n    first = counted()\n    counted(3)\n    return first\n\n\nprint(go(), count)\ncounted()\nprint(count)\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 13, column: 13 },
  },
  {
    name: 'inline-function-whose-argument-must-be-computed-first',
    files: {
      'a.py':
        'def asked(n):\n    print("asked", n)\n    return n\n\n\ndef doubled(n):\n    return n + n\n\n\ndef first(one, other):\n    return one\n\n\ndef go():\n    a = doubled(asked(2))\n    b = first(1, asked(3))\n    return a, b, doubled([1])\n\n\nprint(doubled(asked(1)))\nprint(go())\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 20, column: 7 },
  },
  {
    name: 'inline-function-in-a-class',
    files: {
      'a.py':
        'def counted(n):\n    both = n + 1\n    return both * 2\n\n\nclass Sizes:\n    size = counted(2)\n\n\nprint(Sizes.size)\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 7, column: 12 },
  },
  {
    name: 'inline-function-that-a-statement-calls-several-times',
    files: {
      'a.py':
        'def scaled(n):\n    print("scaled", n)\n    more = n + 1\n    return more * 2\n\n\ndef go(n, more):\n    return [scaled(n) - more, scaled(scaled(more))]\n\n\nprint(go(1, 2))\nprint(scaled(3) < scaled(4))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 8, column: 31 },
  },
  {
    name: 'inline-function-that-changes-what-its-value-reads',
    files: {
      'a.py':
        'LOG = []\n\n\ndef logged(n):\n    lines = LOG\n    lines.append(n)\n    return lines + [n]\n\n\nprint(logged(1), logged(2))\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 10, column: 7 },
  },
  {
    name: 'inline-function-before-with-assert-and-raise',
    files: {
      'a.py':
        'import io\n\n\ndef made(text):\n    """Makes a file."""\n\n    # The whole text.\n\n    whole = text + "!"\n\n    return io.StringIO(whole)\n\n\ndef go(text):\n    assert made(text), "none"\n    with made(text) as one, io.StringIO("b") as other:\n        print(one.read(), other.read())\n    raise ValueError(made(text))\n\n\ntry:\n    go("a")\nexcept ValueError as error:\n    print("error")\n',
    },
    tool: inline,
    args: { file: 'a.py', line: 18, column: 22 },
  },
];
