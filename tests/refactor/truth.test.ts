import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { treeOf } from '../edits/workbench.ts';
import { ensureEngine } from '../support/engines.ts';
import { pythonSetting, RefactorBench, strictConfig, typescriptSetting } from './scenario.ts';

/*
 * Refactorings know of the same uses as references do, and what they cannot prove harmless they refuse with the reason.
 */
let bench: RefactorBench;
beforeAll(async () => {
  await ensureEngine('python');
  await ensureEngine('rope');
  await ensureEngine('ty');
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const plain = { 'package.json': '{"type":"module"}\n' };

/** What a refactoring that is refused says; the files are as before. */
async function refused(
  tool: string,
  files: Readonly<Record<string, string>>,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  await bench.layOut(files);
  const before = await treeOf(bench.ide.root);
  const answer = await bench.agent.call(tool, args);
  expect(answer.error, answer.text).toBeDefined();
  expect(await treeOf(bench.ide.root)).toEqual(before);
  return answer.text;
}

async function done(
  tool: string,
  files: Readonly<Record<string, string>>,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  await bench.layOut(files);
  const answer = await bench.agent.call(tool, args);
  expect(answer.error, answer.text).toBeUndefined();
  return answer.text;
}

const locale = {
  ...plain,
  'locale.js': lines(
    'export class Locale {',
    '  weekdays() {',
    "    return ['Mo'];",
    '  }',
    '  months() {',
    "    return ['Jan'];",
    '  }',
    '}',
  ),
  'info.js': lines('export function weekdays(locale) {', '  return locale.weekdays();', '}'),
};

describe('what may still be used stays', () => {
  it('a member of a class that plain JavaScript uses on an unknown object is not deleted, unless forced', async () => {
    const args = { symbol: 'locale.js#Locale/weekdays' };
    const text = await refused('ide_refactor_safe_delete', locale, args);
    expect(text).toContain('(info.js:2)');
    expect(text).toContain('cannot tell what is meant');
    await done('ide_refactor_safe_delete', locale, { symbol: 'locale.js#Locale/months' });
    expect(await bench.read('locale.js')).not.toContain('months');
    await done('ide_refactor_safe_delete', locale, { ...args, force: true });
    expect(await bench.read('locale.js')).not.toContain('weekdays');
  });

  it('nor is it inlined away', async () => {
    const files = {
      ...typescriptSetting,
      'box.ts': lines(
        'export class Box {',
        '  private size(): number {',
        '    return 1;',
        '  }',
        '  twice(): number {',
        '    return this.size() * 2;',
        '  }',
        '}',
        'export function measure(box: any): number {',
        '  return box.size();',
        '}',
      ),
    };
    const text = await refused('ide_refactor_inline', files, { symbol: 'Box/size' });
    expect(text).toContain('(box.ts:10)');
  });

  it('a Python method that is called on an object of unknown type is not deleted', async () => {
    const files = {
      ...pythonSetting,
      'context.py': lines(
        'class Context:',
        '    def undo(self) -> None:',
        '        pass',
        '',
        '',
        'class Server:',
        '    context = None  # type: Context',
        '',
        '    def finish(self):',
        '        self.context.undo()',
      ),
    };
    const text = await refused('ide_refactor_safe_delete', files, { symbol: 'Context/undo' });
    expect(text).toContain('context.py:10');
  });

  it('types that the compiler reads by themselves are not unused', async () => {
    const files = {
      ...typescriptSetting,
      'tsconfig.json': strictConfig.replace('"preserve"', '"preserve","jsxFactory":"h"'),
      'jsx.d.ts': lines(
        'declare namespace JSX {',
        '  type ElementType = string;',
        '  interface Element {',
        '    tag: string;',
        '  }',
        '  interface IntrinsicElements {',
        '    [name: string]: object;',
        '  }',
        '}',
        'declare function h(tag: string, props: object | null): JSX.Element;',
      ),
      'page.tsx': 'export const page = <p></p>;\n',
    };
    const text = await refused('ide_refactor_safe_delete', files, { symbol: 'JSX/IntrinsicElements' });
    expect(text).toContain('the compiler itself asks the JSX namespace for');
  });

  it('errors are looked for where the name does not stand: a conditional type that decides otherwise', async () => {
    const files = {
      ...typescriptSetting,
      'model.ts': lines('export interface Model {', '  id: number;', '  flag?: true;', '}'),
      'choice.ts': lines(
        "import type { Model } from './model';",
        'export type Choice = { [K in keyof Model]: K }[keyof Model];',
      ),
      'far.ts': lines(
        "import type { Choice } from './choice';",
        "export const all: Record<Exclude<Choice, 'id' | undefined>, number> extends Record<string, never> ? never : string = 'x';",
      ),
    };
    const text = await refused('ide_refactor_safe_delete', files, { symbol: 'Model/flag' });
    expect(text).toContain('far.ts:2');
  });
});

describe('moves', () => {
  const circle = {
    ...plain,
    'base.js': lines('export default class Base {}'),
    'heir.js': lines("import Base from './base.js';", 'export default class Heir extends Base {}'),
    'util.js': lines("import Heir from './heir.js';", 'export const made = () => new Heir();'),
    'time.js': lines(
      "import { made } from './util.js';",
      'export function now() {',
      '  return made();',
      '}',
      'export function later() {',
      '  return 1;',
      '}',
    ),
  };

  it('into a file from which an import leads back, through others, to a class that needs it are refused', async () => {
    const args = { symbol: 'time.js#now', target_file: 'base.js' };
    const text = await refused('ide_refactor_move', circle, args);
    expect(text).toContain('import each other in a circle');
    expect(text).toContain('of base.js before that has run');
  });

  it('are made where the circle harms nobody', async () => {
    await done('ide_refactor_move', circle, { symbol: 'time.js#later', target_file: 'base.js' });
    expect(await bench.read('base.js')).toContain('later');
  });
});

describe('renames', () => {
  it('are not refused because a library in the package’s folder has the name', async () => {
    const files = {
      ...typescriptSetting,
      'package.json': '{"name":"kit","type":"module"}\n',
      'node_modules/@types/other/index.d.ts': 'export declare function chunk(size: number): number;\n',
      'node_modules/@types/other/package.json': '{"name":"@types/other","version":"1.0.0","types":"index.d.ts"}\n',
      'src/chunk.ts': 'export function chunk(size: number): number {\n  return size;\n}\n',
      'docs/package.json': '{"name":"docs"}\n',
      'docs/compare.ts': lines(
        "import { chunk } from 'other';",
        "import { chunk as own } from '../src/chunk';",
        "export const which = 'kit';",
        'export const both = chunk(1) + own(2);',
      ),
    };
    await done('ide_refactor_rename', files, { symbol: 'src/chunk.ts#chunk', new_name: 'pieces' });
    expect(await bench.read('docs/compare.ts')).toContain("import { pieces as own } from '../src/chunk'");
    expect(await bench.read('docs/compare.ts')).toContain("import { chunk } from 'other'");
  });
});

describe('Python leaves no import behind that nothing uses', () => {
  it('when a function moves', async () => {
    const files = {
      ...pythonSetting,
      'a.py': lines(
        'import json',
        'import os',
        'from collections import OrderedDict',
        '',
        '',
        'def dump(value):',
        '    return json.dumps(OrderedDict(value))',
        '',
        '',
        'def here():',
        '    return os.getcwd()',
      ),
      'b.py': lines('import sys', '', '', 'def other():', '    return sys.argv'),
      'use.py': lines('from a import dump', '', 'print(dump({}))'),
    };
    await done('ide_refactor_move', files, { symbol: 'a.py#dump', target_file: 'b.py' });
    expect(await bench.read('a.py')).not.toMatch(/json|OrderedDict/);
    expect(await bench.read('a.py')).toContain('import os');
    expect(await bench.read('b.py')).toContain('import json');
    expect(await bench.read('use.py')).toBe(lines('from b import dump', '', 'print(dump({}))'));
  });

  it('when a function is inlined into another file', async () => {
    const files = {
      ...pythonSetting,
      'a.py': lines(
        'import json',
        'import os',
        '',
        '',
        'def dump(value):',
        '    return json.dumps(value)',
        '',
        '',
        'def here():',
        '    return os.getcwd()',
      ),
      'use.py': lines('from a import dump', '', '', 'def show(value):', '    return dump(value)'),
    };
    await done('ide_refactor_inline', files, { symbol: 'a.py#dump' });
    expect(await bench.read('a.py')).not.toMatch(/json/);
    const use = await bench.read('use.py');
    expect(use).toContain('json.dumps(value)');
    expect(use).not.toContain('from a import');
    expect(use).toContain('import json');
  });
});
