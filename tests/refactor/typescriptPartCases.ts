import type { RefactorCase } from './typescriptCases.ts';

const extractMethod = 'ide_refactor_extract_method';
const extractVariable = 'ide_refactor_extract_variable';
const move = 'ide_refactor_move';

const elements =
  'declare namespace JSX {\n  interface IntrinsicElements {\n    div: { title?: string };\n    b: {};\n    ul: {};\n    li: {};\n  }\n}\n';

/** Selections that are part of something, and statements that are left early. */
export const partCases: RefactorCase[] = [
  {
    name: 'extract-part-of-a-string',
    files: {
      'a.ts': "export function greet() {\n  return { text: 'it\\'s \"big\" ${x} `c`' };\n}\nconsole.log(greet());\n",
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: '"big"', new_name: 'size' },
  },
  {
    name: 'extract-part-of-a-template',
    files: {
      'a.ts':
        "const unit = 'kg';\nexport const have = (count: number) => `have ${count} ${unit} of it`;\nconsole.log(have(2));\n",
    },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 2, text: '${count} ${unit}', new_name: 'amount' },
  },
  {
    name: 'extract-function-of-part-of-a-string',
    files: { 'a.ts': "export const greet = (): string => 'hello big world';\nconsole.log(greet());\n" },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 1, text: 'big', new_name: 'size' },
  },
  {
    name: 'extract-part-of-an-escape',
    files: { 'a.ts': "export const text = 'a\\nb';\n" },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: 'nb', new_name: 'rest' },
  },
  {
    name: 'extract-part-of-the-name-of-a-module',
    files: { 'a.ts': "import { b } from './b.js';\nconsole.log(b);\n", 'b.ts': 'export const b = 1;\n' },
    tool: extractVariable,
    args: { file: 'a.ts', start_line: 1, text: './b', new_name: 'rest' },
  },
  {
    name: 'extract-attribute-with-entities',
    files: { 'jsx.d.ts': elements, 'a.tsx': 'export const view = () => <div title="salt &amp; \\ pepper" />;\n' },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 1, text: '"salt &amp; \\ pepper"', new_name: 'title' },
  },
  {
    name: 'extract-part-of-an-attribute',
    files: { 'jsx.d.ts': elements, 'a.tsx': 'export function View() {\n  return <div title="John Doe" />;\n}\n' },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 2, text: 'John', new_name: 'first' },
  },
  {
    name: 'extract-child-of-an-element-in-an-arrow-function',
    files: {
      'jsx.d.ts': elements,
      'a.tsx':
        'export function View({ items }: { items: string[] }) {\n  return <ul>{items.map((one) => <li><b>{one}</b></li>)}</ul>;\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 2, text: '<b>{one}</b>', new_name: 'bold' },
  },
  {
    name: 'extract-several-children-of-an-element',
    files: {
      'jsx.d.ts': elements,
      'a.tsx':
        'export function View({ name }: { name: string }) {\n  return (\n    <div>\n      <b>{name}</b>\n      <b>two</b>\n    </div>\n  );\n}\n',
    },
    tool: extractMethod,
    args: { file: 'a.tsx', start_line: 4, end_line: 5, new_name: 'content' },
  },
  {
    name: 'extract-children-in-braces',
    files: {
      'jsx.d.ts': elements,
      'a.tsx':
        'export function View({ items }: { items: string[] }) {\n  return (\n    <ul>\n      {items.map((one) => <li>{one}</li>)}\n    </ul>\n  );\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 4, end_line: 4, new_name: 'rows' },
  },
  {
    name: 'extract-text-of-an-element',
    files: {
      'jsx.d.ts': elements,
      'a.tsx': 'export function View() {\n  return <div>hello there</div>;\n}\n',
    },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 2, text: 'hello', new_name: 'greeting' },
  },
  {
    name: 'extract-text-of-an-element-over-lines',
    files: {
      'jsx.d.ts': elements,
      'a.tsx': 'export const view = (\n  <div>\n    hello\n    there\n  </div>\n);\n',
    },
    tool: extractVariable,
    args: { file: 'a.tsx', start_line: 3, text: 'hello', new_name: 'greeting' },
  },
  {
    name: 'extract-statements-that-return-early-to-the-end',
    files: {
      'a.ts':
        "const out: string[] = [];\nfunction work(x: number) {\n  out.push('start');\n  if (x > 2) {\n    out.push('big');\n    return;\n  }\n  if (x < 0) return;\n  out.push('small');\n}\nwork(3);\nwork(1);\nwork(-1);\nconsole.log(out);\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 4, end_line: 9, new_name: 'classify' },
  },
  {
    name: 'extract-statements-that-return-early-before-others',
    files: {
      'a.ts':
        "const out: string[] = [];\nfunction work(x: number) {\n  if (x > 0) {\n    if (x > 2) return;\n    out.push('small');\n  }\n  out.push('end');\n}\nwork(3);\nwork(1);\nconsole.log(out);\n",
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 4, end_line: 5, new_name: 'classify' },
  },
  {
    name: 'extract-statements-that-go-on-with-the-loop',
    files: {
      'a.ts':
        'let sum = 0;\nlet rounds = 0;\nfunction add(list: number[]) {\n  let kept = 0;\n  for (const x of list) {\n    kept++;\n    if (x === 2) continue;\n    for (const y of [1, 2]) {\n      if (y === 2) continue;\n      sum += x * y;\n    }\n    rounds++;\n  }\n  return kept;\n}\nconsole.log(add([1, 2, 3]), sum, rounds);\n',
    },
    tool: extractMethod,
    args: { file: 'a.ts', start_line: 6, end_line: 12, new_name: 'round' },
  },
  {
    name: 'move-class-that-a-decorator-registers',
    files: {
      'registry.ts':
        'export const registry: string[] = [];\nexport function register(_: unknown, { name }: { name?: string }): void {\n  registry.push(String(name));\n}\n',
      'a.ts':
        "import { register } from './registry.js';\n\n@register\nexport class First {}\n\nexport const used = 1;\n",
      'main.ts':
        "import { registry } from './registry.js';\nimport { used } from './a.js';\n\nconsole.log(registry, used);\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 4, text: 'First', target_file: 'b.ts' },
  },
  {
    name: 'move-class-whose-decorator-does-nothing',
    files: {
      'a.ts':
        'const plain = (_: unknown, __: unknown): void => {};\n\n@plain\nclass First {}\n\nexport const used = 1;\n',
    },
    tool: move,
    args: { file: 'a.ts', line: 4, text: 'First', target_file: 'b.ts' },
  },
  {
    name: 'move-class-whose-decorator-changes-its-file',
    files: {
      'a.ts':
        'export const registry: string[] = [];\nfunction register(_: unknown, { name }: { name?: string }): void {\n  registry.push(String(name));\n}\n\n@register\nexport class First {}\n\n@register\nexport class Second {}\n',
      'b.ts': 'export const b = 1;\n',
      'main.ts': "import { registry } from './a.js';\n\nconsole.log(registry);\n",
    },
    tool: move,
    args: { file: 'a.ts', line: 7, text: 'First', target_file: 'b.ts' },
  },
];
