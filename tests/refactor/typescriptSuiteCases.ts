import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';
const inline = 'ide_refactor_inline';

const elements =
  'declare namespace JSX {\n  interface IntrinsicElements {\n    div: { id?: string };\n    b: {};\n  }\n}\n';

/** Cases of the kinds that public suites of refactorings ask about. */
export const typescriptSuiteCases: RefactorCase[] = [
  {
    name: 'rename-variable-of-a-script-that-the-host-has-too',
    files: {
      'host.d.ts': 'declare var status: string;\n',
      'a.ts':
        "const status = 1;\nfunction show({ level = status }: { level?: number }) {\n  return { status, level };\n}\nfunction other(status: string) {\n  return status;\n}\nconsole.log(status + 1, show({}), other('x'));\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'status', new_name: 'current' },
  },
  {
    name: 'rename-parameter-that-is-documented-above-an-assignment',
    files: {
      'a.ts':
        '/**\n * @param rate how much, in percent\n * @param rate.base of what\n * @returns the rate\n */\nexport const apply = (rate: { base: number }) => rate.base;\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 6, text: 'rate', new_name: 'share' },
  },
  {
    name: 'inline-variable-of-a-script-that-the-host-has-too',
    files: { 'host.d.ts': 'declare var status: string;\n', 'a.ts': 'const status = 1;\nconsole.log(status + 1);\n' },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'status' },
  },
  {
    name: 'inline-literal-into-templates',
    files: {
      'a.ts':
        'const who = \'a `b` ${c} "d" \\n\';\nexport const plain = `to ${who}!`;\nexport const raw = String.raw`to ${who}!`;\nexport const twice = `${who}${ /* twice */ who}`;\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 1, text: 'who' },
  },
  {
    name: 'inline-element-into-another',
    files: {
      'jsx.d.ts': elements,
      'a.tsx': 'const head = (\n  <b>Title</b>\n);\nexport const page = <div>{head}</div>;\n',
    },
    tool: inline,
    args: { file: 'a.tsx', line: 1, text: 'head' },
  },
  {
    name: 'inline-first-of-several-array-elements',
    files: {
      'a.ts':
        'export function f(pair: readonly [number, number, ...number[]]) {\n  const [first, second, ...others] = pair;\n  return first + second + others.length;\n}\n',
    },
    tool: inline,
    args: { file: 'a.ts', line: 2, text: 'first' },
  },
];
