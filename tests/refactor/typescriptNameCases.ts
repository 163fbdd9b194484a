import { strictConfig } from './scenario.ts';
import type { RefactorCase } from './typescriptCases.ts';

const move = 'ide_refactor_move';
const rename = 'ide_refactor_rename';

/** Two packages of which one knows the other by its built declarations only. */
const packages = {
  '.gitignore': 'dist\n',
  'tsconfig.json': strictConfig.replace('"noEmit"', '"paths":{"@x/a":["./packages/a/dist/index.d.ts"]},"noEmit"'),
  'packages/a/package.json': '{"name":"@x/a","types":"dist/index.d.ts"}\n',
  'packages/a/src/index.ts':
    "export function greet(options: Options): string {\n  return options.loud ? 'HI' : 'hi';\n}\nexport interface Options {\n  loud: boolean;\n}\n",
  'packages/a/dist/index.d.ts':
    'export declare function greet(options: Options): string;\nexport interface Options {\n    loud: boolean;\n}\n',
  'packages/b/package.json': '{"name":"@x/b"}\n',
  'packages/b/main.ts':
    "import { greet, type Options } from '@x/a';\nexport const say = (options: Options) => greet(options) + options.loud;\n",
};

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
  {
    name: 'rename-what-another-package-knows-by-what-is-built',
    files: packages,
    tool: rename,
    args: { file: 'packages/a/src/index.ts', line: 1, text: 'greet', new_name: 'welcome' },
  },
  {
    name: 'rename-member-that-another-package-knows-by-what-is-built',
    files: packages,
    tool: rename,
    args: { file: 'packages/a/src/index.ts', line: 5, text: 'loud', new_name: 'noisy' },
  },
  {
    name: 'rename-from-a-use-of-what-is-built',
    files: packages,
    tool: rename,
    args: { file: 'packages/b/main.ts', line: 2, text: 'greet', new_name: 'welcome' },
  },
  {
    name: 'rename-what-is-declared-for-a-script',
    files: {
      'lib.js': 'export function area(r) {\n  return 3 * r;\n}\n',
      'lib.d.ts': 'export declare function area(r: number): number;\n',
      'a.ts': "import { area } from './lib.js';\nexport const two = area(2);\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'area', new_name: 'surface' },
  },
  {
    name: 'delete-what-another-package-knows-by-what-is-built',
    files: packages,
    tool: 'ide_refactor_safe_delete',
    args: { file: 'packages/a/src/index.ts', line: 1, text: 'greet' },
  },
  {
    name: 'delete-the-last-export-of-an-imported-file',
    files: {
      'util.ts': 'export const unused = 1;\n',
      'a.ts': "export * from './util';\nexport const used = 2;\n",
    },
    tool: 'ide_refactor_safe_delete',
    args: { file: 'util.ts', line: 1, text: 'unused' },
  },
  {
    name: 'delete-member-on-one-line',
    files: { 'a.ts': 'export interface Options { loud: boolean; times?: number }\n' },
    tool: 'ide_refactor_safe_delete',
    args: { file: 'a.ts', line: 1, text: 'times' },
  },
  {
    name: 'rename-export-of-a-script-that-is-handed-on-by-a-loop',
    files: {
      'package.json': '{}\n',
      'lib.js': 'exports.load = (x) => x + 1;\n',
      'index.js': "for (const [key, value] of Object.entries(require('./lib'))) exports[key] = value;\n",
      'main.js': "console.log(require('./index').load(1));\n",
    },
    tool: rename,
    args: { file: 'lib.js', line: 1, text: 'exports.load', new_name: 'take' },
  },
  {
    name: 'rename-export-of-a-script-that-is-spread',
    files: {
      'package.json': '{}\n',
      'lib.js': 'exports.load = (x) => x + 1;\n',
      'index.js': "module.exports = { ...require('./lib'), other: 1 };\n",
      'main.js': "console.log(require('./index').load(1));\n",
    },
    tool: rename,
    args: { file: 'lib.js', line: 1, text: 'exports.load', new_name: 'take' },
  },
  {
    name: 'rename-method-of-a-script-that-is-mixed-in',
    files: {
      'package.json': '{}\n',
      'app.js':
        "const app = exports = module.exports = {};\napp.listen = function listen(port) {\n  return 'on ' + port;\n};\napp.init = function () {\n  return this.listen(1);\n};\n",
      'main.js':
        "const proto = require('./app');\nfunction create() {\n  const app = function () {};\n  Object.assign(app, proto);\n  return app;\n}\nconsole.log(create().listen(3), create().init());\n",
    },
    tool: rename,
    args: { file: 'app.js', line: 2, text: 'app.listen', new_name: 'serve' },
  },
  {
    name: 'move-file-that-is-named-in-calls',
    files: {
      'package.json': '{}\n',
      'lib/part.js': "exports.isThere = require.resolve('./other').endsWith('other.js');\n",
      'lib/other.js': 'exports.other = 1;\n',
      'main.js':
        "const vi = { mock() {} };\nvi.mock('./lib/part');\nconsole.log(require('./lib/part').isThere, require.resolve('./lib/part.js').length > 1);\n",
    },
    tool: move,
    args: { file: 'lib/part.js', target_file: 'src/deep/part.js' },
  },
  {
    name: 'move-file-that-is-named-by-urls',
    files: {
      'lib/work.js': "export const text = new URL('./data.txt', import.meta.url).href.endsWith('data.txt');\n",
      'lib/data.txt': 'x',
      'main.js': "const { text } = await import(new URL('./lib/work.js', import.meta.url).href);\nconsole.log(text);\n",
    },
    tool: move,
    args: { file: 'lib/work.js', target_file: 'src/worker.js' },
  },
  {
    name: 'move-file-that-its-package-names',
    files: {
      'package.json':
        '{\n  "name": "pk",\n  "main": "lib/index.js",\n  "bin": { "pk": "./lib/index.js" },\n  "exports": { ".": { "require": "./lib/index.js" } },\n  "scripts": { "start": "node lib/index.js --fast" }\n}\n',
      'lib/index.js': 'exports.version = 1;\n',
      'main.js': "console.log(require('pk').version);\n",
    },
    tool: move,
    args: { file: 'lib/index.js', target_file: 'src/start.js' },
  },
  {
    name: 'move-file-that-finds-others-by-its-place',
    files: {
      'package.json': '{}\n',
      'lib/read.js':
        "const { join } = require('path');\nmodule.exports = () => require('fs').readFileSync(join(__dirname, 'x.txt'), 'utf8');\n",
      'lib/x.txt': 'x',
      'main.js': "console.log(require('./lib/read')());\n",
    },
    tool: move,
    args: { file: 'lib/read.js', target_file: 'src/read.js' },
  },
  {
    name: 'move-directory-that-finds-its-own-files',
    files: {
      'package.json': '{}\n',
      'lib/read.js':
        "const { join } = require('path');\nmodule.exports = () => require('fs').readFileSync(join(__dirname, 'x.txt'), 'utf8');\n",
      'lib/x.txt': 'x',
      'main.js': "console.log(require('./lib/read')());\n",
    },
    tool: move,
    args: { file: 'lib', target_file: 'src/core' },
  },
  {
    name: 'move-file-that-is-loaded-by-a-made-up-name',
    files: {
      'package.json': '{}\n',
      'plugins/one.js': 'exports.n = 1;\n',
      'main.js': "const name = 'one';\nconsole.log(require('./plugins/' + name).n);\n",
    },
    tool: move,
    args: { file: 'plugins/one.js', target_file: 'plugins/first.js' },
  },
  {
    name: 'rename-member-that-a-script-asks-for-by-strings',
    files: {
      'package.json': '{}\n',
      'main.js':
        "const sizes = { small: 1, large: 2 };\nfor (const name of ['small', 'large']) console.log(sizes[name]);\nconsole.log(sizes.small);\n",
    },
    tool: rename,
    args: { file: 'main.js', line: 1, text: 'small', new_name: 'little' },
  },
  {
    name: 'delete-what-a-decorator-registers',
    files: {
      'tsconfig.json': strictConfig.replace('"noEmit"', '"experimentalDecorators":true,"noEmit"'),
      'a.ts':
        "const known = new Map<string, unknown>();\nconst tag = (name: string) => (made: unknown) => void known.set(name, made);\n@tag('x-box')\nclass Box {}\nconsole.log([...known.keys()].join());\n",
    },
    tool: 'ide_refactor_safe_delete',
    args: { file: 'a.ts', line: 4, text: 'Box' },
  },
  {
    name: 'rename-what-is-exported-as-itself',
    files: {
      'socket.ts': 'export function open() {\n  return 1;\n}\n',
      'index.ts': "export { open as open } from './socket';\n",
      'a.ts': "import { open } from './index';\nconsole.log(open());\n",
    },
    tool: rename,
    args: { file: 'socket.ts', line: 1, text: 'open', new_name: 'connect' },
  },
  {
    name: 'rename-type-that-a-comment-declares',
    files: {
      'package.json': '{}\n',
      'a.js':
        '/** @typedef {{ size: number }} Box */\n/**\n * @param {Box} box\n */\nfunction area(box) {\n  return box.size;\n}\nconsole.log(area({ size: 2 }));\n',
    },
    tool: rename,
    args: { file: 'a.js', line: 1, column: 34, new_name: 'Crate' },
  },
  {
    name: 'rename-component-to-a-name-of-an-element',
    files: {
      'a.tsx':
        'declare global {\n  namespace JSX {\n    interface IntrinsicElements {\n      [name: string]: object;\n    }\n  }\n}\nfunction Box() {\n  return null;\n}\nexport const box = <Box />;\n',
    },
    tool: rename,
    args: { file: 'a.tsx', line: 8, text: 'Box', new_name: 'crate' },
  },
  {
    name: 'rename-member-that-is-asked-for-by-other-types',
    files: {
      'a.ts':
        "interface Part {\n  name: string;\n  size: number;\n}\nfunction show(this: Part) {\n  return this.name;\n}\nconst bolt = { name: 'bolt', size: 1 } satisfies Part;\nconst label: Pick<Part, 'name'> = bolt;\nconsole.log(bolt.name, label.name, show.call({ name: 'nut', size: 2 }));\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'name', new_name: 'title' },
  },
  {
    name: 'rename-export-of-a-script-that-is-taken-with-a-default',
    files: {
      'package.json': '{}\n',
      'lib.js': 'exports.size = 3;\n',
      'a.js':
        "const lib = require('./lib');\nconst { size = 1, other = size } = require('./lib');\nconsole.log(size, other, lib['size']);\n",
    },
    tool: rename,
    args: { file: 'lib.js', line: 1, text: 'exports.size', new_name: 'length' },
  },
  {
    name: 'rename-export-of-a-script-that-is-assigned-with-others',
    files: {
      'package.json': '{}\n',
      'lib.js': 'const open = () => 1;\nObject.assign(module.exports, { start: open, stop: 2 });\n',
      'a.js': "const { start } = require('./lib');\nconsole.log(start());\n",
    },
    tool: rename,
    args: { file: 'lib.js', line: 2, text: 'start', new_name: 'begin' },
  },
  {
    name: 'rename-optional-member-that-other-objects-are-given-for',
    files: {
      'options.ts':
        'export interface Options {\n  size?: number;\n  loud?: boolean;\n}\nexport const sizeOf = (options: Options) => options.size ?? 0;\n',
      'a.ts':
        "import { sizeOf } from './options';\nclass Big {\n  size = 9;\n  loud = true;\n}\nclass Other {\n  size = 1;\n}\nconst given = { size: 3, loud: true };\nconsole.log(sizeOf(given), sizeOf(new Big()), sizeOf({ loud: true }), new Other().size);\n",
    },
    tool: rename,
    args: { file: 'options.ts', line: 2, text: 'size', new_name: 'width' },
  },
  {
    name: 'rename-member-that-an-optional-one-asks-for',
    files: {
      'a.ts':
        'interface Options {\n  size?: number;\n  loud?: boolean;\n}\nconst sizeOf = (options: Options) => options.size ?? 0;\nconst given = { size: 3, loud: true };\nconsole.log(sizeOf(given), sizeOf({ loud: true }));\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 6, text: 'size', new_name: 'width' },
  },
  {
    name: 'rename-member-of-a-generic-type-that-optional-ones-ask-for',
    files: {
      'a.ts':
        'interface First<T> {\n  next: (value: T) => void;\n  done?: () => void;\n}\ninterface Last<T> {\n  next?: (value: T) => void;\n  done: () => void;\n}\ninterface Whole<T> {\n  next: (value: T) => void;\n  done: () => void;\n}\nconst end = <T>(one: First<T> | Last<T>) => one.done?.();\nconst feed = <T>(whole: Whole<T>) => end(whole);\nfeed<number>({ next: () => undefined, done: () => console.log(1) });\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 11, text: 'done', new_name: 'finish' },
  },
  {
    name: 'rename-member-of-an-object-whose-type-is-cast-away',
    files: {
      'a.ts':
        'interface Context {\n  shared: { issues: string[] };\n}\nconst add = (context: Context) => context.shared.issues.push("a");\nconst shared = { issues: ["b"] };\nconsole.log(add({ shared: { issues: [] } } as never), add({ shared } as unknown as Context));\n',
    },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'shared', new_name: 'common' },
  },
  {
    name: 'rename-method-that-the-language-calls',
    files: { 'a.ts': 'class Tag {\n  toJSON() {\n    return 1;\n  }\n}\nconsole.log(JSON.stringify(new Tag()));\n' },
    tool: rename,
    args: { file: 'a.ts', line: 2, text: 'toJSON', new_name: 'plain' },
  },
  {
    name: 'rename-member-that-an-assignment-takes',
    files: { 'a.ts': 'const point = { x: 1, y: 2 };\nlet x: number;\n({ x } = point);\nconsole.log(x, point.x);\n' },
    tool: rename,
    args: { file: 'a.ts', line: 1, column: 17, new_name: 'left' },
  },
  {
    name: 'rename-export-of-a-script-that-it-asks-for-itself',
    files: {
      'package.json': '{}\n',
      'lib.js':
        'const go = () => 1;\nmodule.exports = { go, twice() { return this.go() + module.exports.go(); }, other: go };\n',
      'a.js': "const lib = require('./lib');\nconsole.log(lib.go(), lib.twice(), lib.other());\n",
    },
    tool: rename,
    args: { file: 'lib.js', line: 1, text: 'go', new_name: 'proceed' },
  },
  {
    name: 'rename-member-of-an-object-that-is-asked-by-name',
    files: {
      'a.ts':
        "const handlers = { start: () => 1, stop: () => 2 };\nconst run = (name: string) => (handlers as Record<string, () => number>)[name]?.();\nconsole.log(run('start'), run('stop'));\n",
    },
    tool: rename,
    args: { file: 'a.ts', line: 1, text: 'start', new_name: 'begin' },
  },
  {
    name: 'rename-export-of-a-module-that-is-asked-by-name',
    files: {
      'lib.ts': 'export const start = () => 1;\nexport const stop = () => 2;\n',
      'a.ts':
        "import * as lib from './lib';\nfor (const name of ['start', 'stop']) console.log((lib as Record<string, () => number>)[name]?.());\n",
    },
    tool: rename,
    args: { file: 'lib.ts', line: 1, text: 'start', new_name: 'begin' },
  },
];
