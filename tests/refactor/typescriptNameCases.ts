import type { RefactorCase } from './typescriptCases.ts';

const rename = 'ide_refactor_rename';

/** Renames and deletions that real packages and public suites brought up, made small. */
export const typescriptNameCases: RefactorCase[] = [
  {
    name: 'rename-member-of-an-object-that-is-returned-inside-another',
    files: {
      'a.ts':
        'interface Timer {\n  start: (ms: number) => number;\n  stop: (id: number) => void;\n}\nexport const holder: { timer: Timer | undefined } = { timer: undefined };\nclass Clock {\n  make() {\n    const fake = {\n      start: (ms: number) => ms + 1,\n      stop: (id: number) => {\n        console.log(id);\n      },\n    };\n    const engine = { start: (ms: number) => ms };\n    return { fake, engine };\n  }\n  run() {\n    const made = this.make();\n    holder.timer = made.fake;\n    return made.engine.start(3);\n  }\n}\nconsole.log(new Clock().run(), holder.timer?.start(1));\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'start', new_name: 'begin' },
  },
  {
    name: 'rename-one-of-the-strings-of-a-type',
    files: {
      'shape.ts':
        "export type Kind = 'circle' | 'square';\nexport interface Shape {\n  kind: Kind;\n  size: number;\n}\n",
      'a.ts':
        "import type { Kind, Shape } from './shape';\nconst corners: Record<Kind, number> = { circle: 0, square: 4 };\nexport function area(shape: Shape, wanted?: Kind | undefined): number {\n  if (wanted === 'circle') return 0;\n  switch (shape.kind) {\n    case 'circle':\n      return 3 * shape.size;\n    default:\n      return shape.size * corners[shape.kind];\n  }\n}\nfunction only(kind: 'circle'): Kind {\n  return kind;\n}\nconst all: Shape[] = [{ kind: 'circle', size: 2 }];\nconsole.log(all.map((one) => area(one)).join(), corners.circle, corners?.circle, corners[only('circle')]);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 6, column: 12, new_name: 'round-one' },
  },
  {
    name: 'rename-one-of-the-strings-of-a-type-that-others-write-too',
    files: {
      'a.ts':
        "type Level = 'low' | 'high';\nconst level: Level = 'low';\nexport function isLow(given: string) {\n  return given === 'low';\n}\nconsole.log(isLow(level));\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, column: 16, new_name: 'little' },
  },
  {
    name: 'rename-one-of-the-strings-of-a-type-to-another-of-them',
    files: {
      'a.ts':
        "type Level = 'low' | 'high';\nconst level: Level = 'low';\nconst other: Level = 'high';\nconsole.log(level, other);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, column: 23, new_name: 'high' },
  },
  {
    name: 'rename-member-at-a-string',
    files: {
      'a.ts':
        "interface Options {\n  'max size': number;\n  ['deep']: boolean;\n}\nconst options: Options = { 'max size': 3, ['deep']: true };\nconsole.log(options['max size'], options.deep);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 6, column: 27, new_name: 'max length' },
  },
  {
    name: 'rename-member-at-a-computed-string',
    files: {
      'a.ts':
        "interface Options {\n  ['deep']: boolean;\n}\nconst options: Options = { ['deep']: true };\nconsole.log(options['deep'], options.deep);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, column: 5, new_name: 'nested' },
  },
  {
    name: 'rename-member-at-a-string-to-what-is-no-name',
    files: {
      'a.ts':
        "interface Options {\n  ['deep']: boolean;\n}\nconst options: Options = { ['deep']: true };\nconsole.log(options['deep'], options.deep);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, column: 5, new_name: 'very-deep' },
  },
];
