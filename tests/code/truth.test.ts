import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

interface Told {
  usages: { file: string; line: number; type: string }[];
  totalCount: number;
  possible?: string[];
  possibleCount?: number;
  index: { state: string };
}

const lines = (...all: string[]) => `${all.join('\n')}\n`;

/** `file:line` of what is told as possible. */
const places = (told: Told) => (told.possible ?? []).flatMap((one) => /^\S+:\d+/.exec(one)?.[0] ?? []);
const at = (told: Told) => told.usages.map(({ file, line }) => `${file}:${line}`);

describe('what the index says of JavaScript and TypeScript is so', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({
      project: {
        'package.json': '{"name":"truth"}',
        'tsconfig.json':
          '{"compilerOptions":{"strict":true,"target":"es2022","lib":["es2022"],"module":"nodenext","noEmit":true,"types":[]},"include":["**/*.ts"]}',
        'server.d.ts': lines(
          'export interface ServerOptions {',
          '  routerOptions?: { slash: boolean };',
          '}',
          'export declare function build(options: ServerOptions): void;',
        ),
        'server.js': lines(
          'function build(given) {',
          '  const options = Object.assign({}, given);',
          '  options.routerOptions = { slash: true };',
          '  return route(options);',
          '}',
          'function route(options) {',
          '  return options.routerOptions.slash;',
          '}',
          'module.exports.build = build;',
          'module.exports.defaults = { routerOptions: { slash: false } };',
        ),
        'use.ts': "import { build } from './server.js';\nbuild({ routerOptions: { slash: true } });\n",
        'nodes.ts': lines(
          'export class TextNode extends String {',
          '  override toString(): string {',
          "    return 'text';",
          '  }',
          '}',
          'export const shown = new TextNode().toString();',
          'export const pattern = /a/.toString();',
          'export const word = String(1).toString();',
          'export const twice = (any: any): string => any.toString();',
        ),
        'zone.js': lines(
          '/** A place on earth. */',
          'class Zone {',
          '  offset() { return 0; }',
          '}',
          'class Fixed extends Zone {}',
          'class Local extends Zone {}',
          'module.exports = { Zone, Fixed, Local };',
        ),
        'more.js': lines(
          "const { Zone } = require('./zone');",
          'class Named extends Zone {}',
          '/** @param {Zone} zone */',
          'function name(zone) { return zone.offset(); }',
          'module.exports = { Named, name };',
        ),
        'far.js': lines("const zones = require('./zone');", 'class Odd extends zones.Zone {}', 'exports.Odd = Odd;'),
        'config.js': lines('module.exports.defaults2 = {', '  depth: 3,', '};'),
        'reads.js': "const config = require('./config');\nconsole.log(config.defaults2.depth);\n",
        'shapes.ts': lines(
          'export interface Painter {',
          '  paint(): void;',
          '}',
          'export class Brush implements Painter {',
          '  paint(): void {}',
          '}',
          'export function makePainter(): Painter {',
          '  return { paint() {} };',
          '}',
          'export class Studio implements Painter {',
          '  #painters: Painter[] = [];',
          '  paint = (() => {}) as Painter["paint"];',
          '}',
        ),
      },
    });
    agent = await ide.connect({ face: 'index' });
  }, 120_000);
  afterAll(() => ide.dispose());

  const references = async (address: Record<string, unknown>) =>
    (await agent.data('ide_find_references', address)) as unknown as Told;

  it('uses of a typed option in plain JavaScript are possible, counted and explained', async () => {
    const told = await references({ symbol: 'ServerOptions/routerOptions' });
    expect(at(told)).toEqual(['server.d.ts:2', 'use.ts:2']);
    expect(places(told).sort()).toEqual(['server.js:10', 'server.js:3', 'server.js:7']);
    expect(told.possibleCount).toBe(3);
    expect(told.possible?.[0]).toMatch(/^\d not resolved by the engine.*; \d on an object/);
    const reader = await ide.connect({ face: 'default' });
    const { text } = await reader.call('ide_find_references', { symbol: 'ServerOptions/routerOptions' });
    expect(text).toMatch(/^2 references to property routerOptions in 2 files, and 3 possible/);
  });

  it('a member that stands in for one of a library is not used where the library’s is', async () => {
    const told = await references({ symbol: 'TextNode/toString' });
    expect(at(told)).toEqual(['nodes.ts:2', 'nodes.ts:6']);
    expect(places(told)).toContain('nodes.ts:9');
    const { calls } = (await agent.data('ide_call_hierarchy', { symbol: 'TextNode/toString', depth: 1 })) as {
      calls: { callLines: number[] }[];
    };
    expect(calls.flatMap(({ callLines }) => callLines)).toEqual([6]);
  });

  it('names in JSDoc types and classes behind require are references', async () => {
    const told = await references({ symbol: 'zone.js#Zone' });
    expect(told.possibleCount).toBeUndefined();
    expect(new Set(at(told))).toEqual(
      new Set(['zone.js:2', 'zone.js:5', 'zone.js:6', 'zone.js:7', 'more.js:1', 'more.js:2', 'more.js:3', 'far.js:2']),
    );
  });

  it('a CommonJS class has its subclasses in other files too', async () => {
    const told = await agent.data('ide_type_hierarchy', { symbol: 'zone.js#Zone', direction: 'subtypes' });
    const names = (told['subtypes'] as { name: string }[]).map(({ name }) => name).sort();
    expect(names).toEqual(['Fixed', 'Local', 'Named', 'Odd']);
    const found = await agent.data('ide_find_implementations', { symbol: 'zone.js#Zone' });
    expect((found['implementations'] as { name: string }[]).map(({ name }) => name).sort()).toEqual(names);
  });

  it('a function that makes one is no implementation of an interface', async () => {
    const found = await agent.data('ide_find_implementations', { symbol: 'shapes.ts#Painter' });
    const told = (found['implementations'] as { name: string; kind?: string; line: number }[]).map(
      ({ name, line }) => `${name}:${line}`,
    );
    expect(told).toEqual(['Brush:4', 'makePainter:8', 'Studio:10']);
  });

  it('what module.exports.name is given is its definition', async () => {
    const found = await agent.data('ide_find_definition', { file: 'reads.js', line: 2, text: 'config.defaults2' });
    expect(JSON.stringify(found)).toContain('"config.js"');
  });
});

describe('what the index says of Python is so', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('ty');
    ide = await startSightline({
      project: {
        'schema.py': lines(
          '__all__ = ["Options", "Schema"]',
          '',
          '',
          'class Options:',
          '    def __init__(self, meta):',
          '        self.exclude = getattr(meta, "exclude", ())',
          '',
          '',
          'class Schema:',
          '    opts = None  # type: Options',
          '',
          '    def run(self):',
          '        self.opts.exclude = ()',
          '        return f"{self.opts.exclude}"',
        ),
        'animals.py': lines(
          'class Animal:',
          '    def speak(self) -> str:',
          '        return ""',
          '',
          '',
          'class Dog(Animal):',
          '    def speak(self) -> str:',
          '        return "wau"',
          '',
          '',
          'def talk(animal: Animal) -> str:',
          '    return animal.speak()',
        ),
        'package/__init__.py': 'from schema import Options\n\n__all__ = ["Options"]\n',
      },
      env: { SIGHTLINE_CACHE: testCacheDir },
    });
    agent = await ide.connect({ face: 'index' });
  }, 180_000);
  afterAll(() => ide.dispose());

  const references = async (address: Record<string, unknown>) =>
    (await agent.data('ide_find_references', address)) as unknown as Told;

  it('members of what is None to the engine and has its type in a comment are possible', async () => {
    const told = await references({ symbol: 'Options/exclude' });
    expect(at(told)).toEqual(['schema.py:6']);
    expect(places(told)).toEqual(['schema.py:13', 'schema.py:14']);
  });

  it('what __all__ lists and type comments name are references of their kind', async () => {
    const told = await references({ symbol: 'schema.py#Options' });
    const kinds = told.usages.map(({ file, line, type }) => `${file}:${line} ${type}`);
    expect(new Set(kinds)).toEqual(
      new Set([
        'schema.py:1 IMPORT',
        'schema.py:4 DECLARATION',
        'schema.py:10 TYPE_USE',
        'package/__init__.py:1 IMPORT',
        'package/__init__.py:3 IMPORT',
      ]),
    );
  });

  it('a call through a base class may be one of the method that overrides it', async () => {
    const told = await references({ symbol: 'Dog/speak' });
    expect(at(told)).toEqual(['animals.py:7']);
    expect(places(told)).toContain('animals.py:12');
  });
});
