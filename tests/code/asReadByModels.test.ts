import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const files = {
  'package.json': '{"name":"legacy"}',
  'lib/view.js': [
    "'use strict';",
    "var path = require('node:path');",
    '',
    'module.exports = View;',
    '',
    '/** A view. */',
    'function View(name) {',
    '  this.name = name;',
    '  this.file = this.lookup(name);',
    '}',
    '',
    '/**',
    ' * Finds the file of a view.',
    ' */',
    '',
    'View.prototype.lookup = function lookup(name) {',
    '  return path.join(this.name, name);',
    '};',
    '',
  ].join('\n'),
  'lib/utils.js': [
    "'use strict';",
    '',
    '/**',
    ' * Makes a tag.',
    ' */',
    '',
    'exports.makeTag = function (value) {',
    '  return plain(value);',
    '};',
    '',
    'function plain(value) {',
    '  return String(value);',
    '}',
    '',
  ].join('\n'),
  'lib/app.js': [
    "var makeTag = require('./utils').makeTag;",
    "var View = require('./view');",
    '',
    'class Shop {',
    '  open(name) {',
    '    return makeTag(new View(name));',
    '  }',
    '}',
    '',
    'function visit(shop) {',
    '  return shop.open(1);',
    '}',
    'exports.Shop = Shop;',
    'visit(new Shop());',
    '',
  ].join('\n'),
  'src/safe.ts': [
    'export class Safe {',
    '  size = 0;',
    '  put(what: string) { this.size++; }',
    '}',
    'export class Other { put() {} }',
    '',
  ].join('\n'),
  'src/loose.ts': [
    'import { Other, Safe } from "./safe";',
    'export function sure(safe: Safe) { safe.put("a"); }',
    'export function any(x: any, o: Other) { x.put(1); x?.put(2); o.put(); return x.size; }',
    'export function parsed(text: string) { const v = JSON.parse(text); return v.inner.put; }',
    '// x.put(3)',
    '',
  ].join('\n'),
  'src/loose.js': 'export function old(thing) { return thing.put(); }\n',
  'src/shapes.ts': [
    'export class Shape {',
    '  #secret = 1;',
    '  get secret() { return this.#secret; }',
    '}',
    '/**',
    ' * Doubles.',
    ' */',
    'export function twice(a: string): string;',
    'export function twice(a: number): number;',
    '/** The body. */',
    'export function twice(a: any): any { return a + a; }',
    'twice(1);',
    'export interface Size { width: number }',
    'export interface Size { height: number }',
    'type Getters<T> = { [K in keyof T as `get${Capitalize<string & K>}`]: () => T[K] };',
    'export const area = (size: Getters<Size>) => size.getWidth();',
    '',
  ].join('\n'),
  'src/parts.ts': Array.from({ length: 5 }, (_unused, index) => `export interface Part { p${index}: number }\n`).join(
    '',
  ),
  'src/lost.ts': "import { gone } from './gone';\ngone();\n",
  'src/types.ts': [
    'export type Handler = (value: string) => void;',
    'export interface Store { get(key: string): string; }',
    'export enum Level { Low, Middle, High }',
    'export class Memory implements Store { get(key: string) { return key; } }',
    'export function withCache(handler: Handler) { return [1].map((x) => cached(x)); }',
    'export function cached(x: number) { return x; }',
    '',
  ].join('\n'),
};

describe('answers about old JavaScript and types, as a model reads them', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  const text = async (tool: string, args: Record<string, unknown>) => (await agent.call(tool, args)).text;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    agent = await ide.connect({ face: 'default' });
  });
  afterAll(() => ide.dispose());

  it('a function assigned to exports is found where its name is, with its comment, and used in other files', async () => {
    expect(await text('ide_find_references', { symbol: 'makeTag' })).toBe(
      [
        '3 references to function makeTag in 2 files',
        'lib/utils.js',
        ' 7: exports.makeTag = function (value) {',
        'lib/app.js',
        " 1: var makeTag = require('./utils').makeTag;",
        ' 6: return makeTag(new View(name));',
      ].join('\n'),
    );
    expect(await text('get_documentation', { symbol: 'makeTag' })).toContain('Makes a tag.');
    expect(await text('ide_call_hierarchy', { symbol: 'makeTag' })).toContain('Shop/open lib/app.js:5 calls at 6');
    expect(await text('ide_call_hierarchy', { symbol: 'plain' })).toContain('makeTag lib/utils.js:7 calls at 8');
  });

  it('what the server does not resolve is looked for by name, and the answer says so', async () => {
    expect(await text('ide_find_definition', { file: 'lib/view.js', line: 9, text: 'this.lookup' })).toMatch(
      /^INCOMPLETE \(index partial: the language server does not resolve this name.*\nlib\/view\.js:16:16 method lookup\n/,
    );
    const { index, totalCount } = await agentData('ide_find_references', { symbol: 'View/lookup' });
    expect({ index, totalCount }).toMatchObject({ index: { state: 'partial' }, totalCount: 3 });
    // A place in a comment is still no symbol.
    const comment = await agent.call('ide_find_references', { file: 'lib/view.js', line: 13, text: 'Finds' });
    expect(comment.error?.name).toBe('symbol_not_found');
  });

  it('a call of an overload leads to its signature and to the body; private members and Class#member are addresses', async () => {
    expect(await text('ide_find_definition', { file: 'src/shapes.ts', line: 12, text: 'twice' })).toBe(
      [
        'src/shapes.ts:9:17 function twice',
        '9 export function twice(a: number): number;',
        'implementation src/shapes.ts:11:17',
        '10 /** The body. */',
        '11 export function twice(a: any): any { return a + a; }',
      ].join('\n'),
    );
    expect(await text('ide_find_references', { symbol: 'Shape/#secret' })).toBe(
      '2 references to property #secret in 1 file\nsrc/shapes.ts\n 2: #secret = 1;\n 3: get secret() { return this.#secret; }',
    );
    expect(await text('ide_find_references', { symbol: 'src/shapes.ts#Shape/#secret' })).toContain('2 references');
    expect(await text('ide_find_references', { symbol: 'Shape#secret' })).toContain('property secret');
  });

  it('of many declarations some are shown and the others named', async () => {
    const lines = (await text('ide_find_definition', { symbol: 'Part' })).split('\n');
    expect(lines.filter((line) => line.startsWith('also'))).toHaveLength(2);
    expect(lines.at(-1)).toMatch(/^and src\/parts\.ts:\d, \d$/);
  });

  it('a name whose import leads nowhere is said to be unresolved', async () => {
    expect(await text('ide_find_definition', { file: 'src/lost.ts', line: 2, text: 'gone' })).toBe(
      "src/lost.ts:1:10 unresolved import gone\n1 import { gone } from './gone';",
    );
  });

  it('what has several declarations, and what has none', async () => {
    expect(await text('ide_inspect_symbol', { symbol: 'Size' })).toBe(
      'export interface Size\ninterface Size\ndeclared at src/shapes.ts:13; 1 use in 1 file\nproperty: width 13, height 14',
    );
    expect(await text('ide_find_definition', { file: 'src/shapes.ts', line: 16, text: 'size.getWidth' })).toContain(
      '"getWidth" is declared nowhere; it is: (property) getWidth: () => number',
    );
    const at = { file: 'src/shapes.ts', line: 12, column: 3 };
    expect(await text('ide_code_completions', { ...at, insert_text: '.' })).toMatch(
      /^0 completions: nothing fits at \| in: tw\.\|ice\(1\);$/,
    );
  });

  it('uses of a member on any in TypeScript are possible uses, told apart from the sure ones', async () => {
    const found = await text('ide_find_references', { symbol: 'src/safe.ts#Safe/put' });
    expect(found).toBe(
      [
        '2 references to method put in 2 files, and 4 possible (below)',
        'src/safe.ts',
        ' 3: put(what: string) { this.size++; }',
        'src/loose.ts',
        ' 2: export function sure(safe: Safe) { safe.put("a"); }',
        'possible, by name only:',
        ' 4 not resolved by the engine (receiver of unknown or other type):',
        ' src/loose.js:1 export function old(thing) { return thing.put(); }',
        ' src/loose.ts:3 export function any(x: any, o: Other) { x.put(1); x?…',
        ' src/loose.ts:4 … { const v = JSON.parse(text); return v.inner.put; }',
      ].join('\n'),
    );
    const calls = await text('ide_call_hierarchy', { symbol: 'src/safe.ts#Safe/put' });
    expect(calls).toContain(' sure src/loose.ts:2 calls at 2\npossible, by name');
    expect(calls).toContain(' src/loose.ts:3 export function any');
    // It is read there, not called.
    expect(calls).not.toContain('loose.ts:4');
    expect(await text('ide_inspect_symbol', { symbol: 'src/safe.ts#Safe/put' })).toContain(
      '1 use in 1 file, 4 more possible',
    );
    expect(await text('ide_find_references', { symbol: 'src/safe.ts#Safe/size' })).toContain(' src/loose.ts:3 ');
    expect(await text('ide_find_references', { symbol: 'src/loose.ts#sure' })).not.toContain('possible');
  });

  it('uses of a method on an untyped parameter are possible uses', async () => {
    expect(await text('ide_find_references', { symbol: 'Shop/open' })).toContain(
      'possible, by name only:\n 1 not resolved by the engine (receiver of unknown or other type):\n lib/app.js:11 return shop.open(1);',
    );
  });

  it('the outline has members of prototypes and no requires; types are types', async () => {
    expect(await text('ide_file_structure', { file: 'lib/view.js' })).toBe(
      [
        'lib/view.js (19 lines)',
        '7-10 function View(name)',
        '16-18 View.prototype.lookup = function lookup(name)',
      ].join('\n'),
    );
    expect(await text('ide_file_structure', { file: 'src/types.ts' })).toContain(
      '1 export type Handler = (value: string) => void',
    );
    expect(await text('search_symbols', { query: 'Handler' })).toBe('src/types.ts:1:13 type Handler');
    expect(await text('search_symbols', { query: 'Handler', type: 'type' })).toBe('src/types.ts:1:13 type Handler');
    expect(await text('ide_inspect_symbol', { symbol: 'Handler' })).toMatch(/^export type Handler\n/);
    expect(await text('ide_inspect_symbol', { symbol: 'Level' })).toContain('enum member: Low 3, Middle 3, High 3');
  });

  it('a wrong name is answered with the nearest ones; made-up names of callbacks are never candidates', async () => {
    expect(await text('ide_find_definition', { symbol: 'withCahce' })).toContain(
      'Near it: withCache (src/types.ts:5:17)',
    );
    expect(await text('ide_find_definition', { symbol: 'src/types.ts#Memry' })).toContain('Memory (src/types.ts:4:14)');
    expect(await text('ide_find_definition', { symbol: 'Level.Hgih' })).toContain('Near it: Level/High');
    expect(await text('ide_find_definition', { symbol: 'zzzzzzz' })).toContain('search_symbols');
    expect(await text('ide_find_definition', { symbol: 'src/types.ts#cached' })).toContain(
      'src/types.ts:6:17 function',
    );
  });

  const agentData = async (tool: string, args: Record<string, unknown>) =>
    (await ide.connect({ face: 'index' })).data(tool, args);
});

describe('answers about Python classes', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  const text = async (tool: string, args: Record<string, unknown>) => (await agent.call(tool, args)).text;
  beforeAll(async () => {
    await ensureEngine('ty');
    ide = await startSightline({
      project: {
        'client.py': [
          'class Base:',
          '    """Speaks."""',
          '    def __init__(self, state: int) -> None:',
          '        self.state = state',
          '        self.hooks: dict[',
          '            str, int',
          '        ] = {}',
          '',
          '    @property',
          '    def is_open(self) -> bool:',
          '        return self.state == 1',
          '',
          '    def run(self) -> None:',
          '        raise NotImplementedError',
          '',
          '',
          'class Client(Base):',
          '    def run(self) -> None:',
          '        self.state = 2',
          '        print(self.state, self.hooks, self.is_open)',
          '',
        ].join('\n'),
      },
      env: { SIGHTLINE_CACHE: testCacheDir },
    });
    agent = await ide.connect({ face: 'default' });
  }, 180_000);
  afterAll(() => ide.dispose());

  it('attributes that __init__ sets are symbols of their class', async () => {
    expect(await text('ide_find_references', { symbol: 'Base/hooks' })).toBe(
      '2 references to field hooks in 1 file\nclient.py\n 5: self.hooks: dict[\n 20: print(self.state, self.hooks, self.is_open)',
    );
    expect(await text('search_symbols', { query: 'hooks' })).toBe('client.py:5:14 field Base/hooks');
    expect(await text('ide_file_structure', { file: 'client.py' })).toContain(' 4 self.state = state\n');
  });

  it('a class that sets the same attribute anew is named', async () => {
    expect(await text('ide_find_references', { symbol: 'Base/state' })).toContain(
      'not counted, classes with their own state:\n client.py:19:14 Client',
    );
  });

  it('properties and classes are told by the line that declares them; implementations are others', async () => {
    expect(await text('ide_inspect_symbol', { symbol: 'Base/is_open' })).toMatch(
      /^property Base\/is_open\ndef is_open\(self\) -> bool\n/,
    );
    expect(await text('ide_inspect_symbol', { symbol: 'Client' })).toMatch(/^class Client\nclass Client\(Base\)\n/);
    expect(await text('ide_find_implementations', { symbol: 'Base/run' })).toBe(
      '1 implementation\nclient.py:18 method Client/run',
    );
    expect(await text('ide_type_hierarchy', { symbol: 'Client' })).not.toContain('object');
  });
});
