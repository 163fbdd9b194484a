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
];
