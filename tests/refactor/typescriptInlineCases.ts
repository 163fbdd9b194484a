import type { RefactorCase } from './typescriptCases.ts';

const tool = 'ide_refactor_inline';

/** Inlining of variables and functions whose place, layout or repetition matters. */
export const typescriptInlineCases: RefactorCase[] = [
  {
    name: 'inline-object-of-several-lines-deeper-inside',
    files: {
      'a.ts':
        'export function show(log: (value: unknown) => void, deep: boolean) {\n  const options = {\n    a: 1,\n    b: `x\n  y`,\n  };\n  if (deep) {\n    log(options);\n  }\n}\n',
    },
    tool,
    args: { file: 'a.ts', line: 2, text: 'options' },
  },
  {
    name: 'inline-pattern-that-counts-in-a-loop',
    files: {
      'a.ts':
        "export function count(text: string) {\n  const digit = /\\d/g;\n  let found = 0;\n  while (digit.exec(text) !== null) found++;\n  return found;\n}\nconsole.log(count('1a2'));\n",
    },
    tool,
    args: { file: 'a.ts', line: 2, text: 'digit' },
  },
  {
    name: 'inline-empty-object-that-remembers',
    files: {
      'a.ts':
        'const known: { [key: string]: number } = {};\nexport function sizeOf(key: string): number {\n  return (known[key] ??= key.length);\n}\n',
    },
    tool,
    args: { file: 'a.ts', line: 1, text: 'known' },
  },
  {
    name: 'inline-member-that-a-called-function-sets',
    files: {
      'a.ts':
        'const state = { n: 1 };\nfunction step() {\n  state.n++;\n}\nconst before = state.n;\nstep();\nconsole.log(before);\n',
    },
    tool,
    args: { file: 'a.ts', line: 5, text: 'before' },
  },
  {
    name: 'inline-result-of-a-plain-function-twice',
    files: {
      'a.ts':
        'function next(x: number) {\n  return Math.max(x, 0) + 1;\n}\nconst two = next(1);\nexport const sum = two + next(two);\n',
    },
    tool,
    args: { file: 'a.ts', line: 4, text: 'two' },
  },
  {
    name: 'inline-number-and-array-where-a-statement-begins',
    files: { 'a.ts': 'const list = [1.5]\nexport let last = 0\nlist.forEach((one) => { last = one })\n' },
    tool,
    args: { file: 'a.ts', line: 1, text: 'list' },
  },
  {
    name: 'inline-fraction-whose-member-is-read',
    files: { 'a.ts': 'const pi = 3.25;\nexport const shown = pi.toFixed(1);\n' },
    tool,
    args: { file: 'a.ts', line: 1, text: 'pi' },
  },
  {
    name: 'inline-import-whose-file-does-something',
    files: {
      'b.ts': "export function twice(x: number) {\n  return x * 2;\n}\nconsole.log('loaded');\n",
      'a.ts': "import { twice } from './b';\nexport const four = twice(2);\n",
    },
    tool,
    args: { file: 'b.ts', line: 1, text: 'twice' },
  },
  {
    name: 'inline-named-import-beside-a-default',
    files: {
      'b.ts': 'export default 3;\nexport function twice(x: number) {\n  return x * 2;\n}\n',
      'a.ts': "import three, { twice } from './b';\nexport const nine = twice(2) + three;\n",
    },
    tool,
    args: { file: 'b.ts', line: 2, text: 'twice' },
  },
  {
    name: 'inline-value-with-a-comment-above-it',
    files: {
      'a.ts':
        'function rate(base: number) {\n  // Half of it is kept.\n  return base / 2;\n}\nexport function price(base: number) {\n  const kept = rate(base);\n  return kept + 1;\n}\n',
    },
    tool,
    args: { file: 'a.ts', line: 1, text: 'rate' },
  },
  {
    name: 'inline-statement-with-a-comment-above-it',
    files: {
      'a.ts':
        "function say(text: string) {\n  // Loudly.\n  console.log(text.toUpperCase());\n}\n\nexport function main() {\n  say('a');\n}\n",
    },
    tool,
    args: { file: 'a.ts', line: 1, text: 'say' },
  },
  {
    name: 'inline-first-and-last-of-a-block',
    files: {
      'a.ts':
        'export function main() {\n  function one() {\n    return 1;\n  }\n\n  return one() + other();\n}\n\nfunction other() {\n  return 2;\n}\n',
    },
    tool,
    args: { file: 'a.ts', line: 2, text: 'one' },
  },
  {
    name: 'inline-last-function-of-a-file',
    files: {
      'a.ts': 'export function main() {\n  return other();\n}\n\nfunction other() {\n  return 2;\n}\n',
    },
    tool,
    args: { file: 'a.ts', line: 5, text: 'other' },
  },
  {
    name: 'inline-async-function-that-is-returned',
    files: {
      'a.ts':
        'async function load(id: number) {\n  const found = await Promise.resolve(id);\n  return found + 1;\n}\nexport async function main() {\n  return load(1);\n}\nexport const again = async () => load(2);\n',
    },
    tool,
    args: { file: 'a.ts', line: 1, text: 'load' },
  },
  {
    name: 'inline-async-function-returned-inside-of-try',
    files: {
      'a.ts':
        "async function load(id: number) {\n  if (id < 0) throw new Error('negative');\n  return id;\n}\nexport async function main() {\n  try {\n    return load(-1);\n  } catch {\n    return 0;\n  }\n}\n",
    },
    tool,
    args: { file: 'a.ts', line: 1, text: 'load' },
  },
  {
    name: 'inline-function-that-gives-nothing-as-an-arrow',
    files: {
      'a.ts': "function hello(name: string) {\n  console.log(name);\n}\nexport const greeters = [() => hello('a')];\n",
    },
    tool,
    args: { file: 'a.ts', line: 1, text: 'hello' },
  },
  {
    name: 'inline-function-with-an-empty-object-by-default',
    files: {
      'a.ts':
        "function join(first: string, options: { last?: string } = {}) {\n  return first + (options.last ?? '');\n}\nexport const both = join('a', { last: 'b' }) + join('c');\n",
    },
    tool,
    args: { file: 'a.ts', line: 1, text: 'join' },
  },
  {
    name: 'inline-function-whose-imports-join-others',
    files: {
      'c.ts': 'export const k = 3;\nexport const j = 4;\nexport interface Size {\n  n: number;\n}\n',
      'b.ts':
        "import { k } from './c';\nimport type { Size } from './c';\nexport function scaled(size: Size) {\n  const own: Size = { ...size };\n  return own.n * k;\n}\n",
      'a.ts': "import { scaled } from './b';\nimport { j } from './c';\nexport const all = scaled({ n: 2 }) + j;\n",
    },
    tool,
    args: { file: 'b.ts', line: 3, text: 'scaled' },
  },
  {
    name: 'inline-element-of-several-lines-into-another',
    files: {
      'jsx.d.ts': 'declare namespace JSX {\n  interface IntrinsicElements {\n    div: {};\n    b: {};\n  }\n}\n',
      'a.tsx':
        'export function page() {\n  const head = (\n    <b>\n      Title\n    </b>\n  );\n  return (\n    <div>\n      <div>\n        {head}\n      </div>\n    </div>\n  );\n}\n',
    },
    tool,
    args: { file: 'a.tsx', line: 2, text: 'head' },
  },
  {
    name: 'inline-arrow-that-gives-an-object',
    files: {
      'a.ts':
        'const box = (size: number) => ({ size });\nexport const { size } = box(1);\nexport const make = () => box(2);\n',
    },
    tool,
    args: { file: 'a.ts', line: 1, text: 'box' },
  },
];
