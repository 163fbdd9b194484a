import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { removeDirectory, temporaryProject } from '../harness/temporary.ts';

const methods = Array.from({ length: 90 }, (_unused, index) => [
  `  /** Does ${index}. */`,
  `  method${index}(value: string): string {`,
  `    return value + ${index};`,
  '  }',
]).flat();

/** The map of `dist/index.d.ts` below: its second line is the first of the source. */
const map = JSON.stringify({
  version: 3,
  file: 'index.d.ts',
  sources: ['../src/index.ts'],
  names: [],
  mappings: 'AAAA,wBAAgB,KAAK,CAAC,CAAC,EAAE,MAAM,GAAG,MAAM,CAEvC',
});

describe('definitions in libraries', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    ide = await startSightline({
      project: {
        'package.json': '{"type":"module"}',
        'tsconfig.json':
          '{"compilerOptions":{"module":"nodenext","target":"es2022","strict":true,"types":[]},"include":["*.ts"]}',
        'node_modules/plain/package.json':
          '{"name":"plain","version":"1.0.0","type":"module","types":"index.d.ts","main":"index.js"}',
        'node_modules/plain/index.d.ts': '/** Adds. */\nexport declare function add(a: number, b: number): number;\n',
        'node_modules/plain/index.js': 'export function add(a, b) {\n  return a + b;\n}\n',
        'node_modules/old/package.json': '{"name":"old","version":"1.0.0","types":"index.d.ts","main":"lib/main.js"}',
        'node_modules/old/index.d.ts': 'export declare function greet(name: string): string;\n',
        'node_modules/old/lib/main.js':
          '"use strict";\nfunction greet(name) {\n  return "hi " + name;\n}\nexports.greet = greet;\n',
        'node_modules/mapped/package.json':
          '{"name":"mapped","version":"1.0.0","type":"module","types":"dist/index.d.ts","main":"dist/index.js"}',
        'node_modules/mapped/src/index.ts': 'export function twice(x: number): number {\n  return x * 2;\n}\n',
        'node_modules/mapped/dist/index.js': 'export function twice(x) {\n    return x * 2;\n}\n',
        'node_modules/mapped/dist/index.d.ts':
          'export declare function twice(x: number): number;\n//# sourceMappingURL=index.d.ts.map\n',
        'node_modules/mapped/dist/index.d.ts.map': map,
        'a.ts':
          "import { add } from 'plain';\nimport { greet } from 'old';\nimport { twice } from 'mapped';\nadd(1, 2);\ngreet('x');\ntwice(2);\n[].map(String);\n",
        'big.ts': ['export class Big {', ...methods, '}', ''].join('\n'),
      },
    });
    agent = await ide.connect({ face: 'index' });
    reader = await ide.connect({ face: 'default' });
  });
  afterAll(() => ide.dispose());

  it('show the types and go on to the code, in ES modules and CommonJS', async () => {
    expect(await agent.data('ide_find_definition', { file: 'a.ts', line: 4, text: 'add' })).toMatchObject({
      file: 'node_modules/plain/index.d.ts',
      library: true,
      documentation: 'Adds.',
      others: [
        {
          file: 'node_modules/plain/index.js',
          line: 1,
          implementation: true,
          preview: 'export function add(a, b) {\n  return a + b;\n}',
        },
      ],
    });
    expect(await reader.text('ide_find_definition', { file: 'a.ts', line: 5, text: 'greet' })).toContain(
      ['implementation node_modules/old/lib/main.js:2:10', '2 function greet(name) {', '3   return "hi " + name;'].join(
        '\n',
      ),
    );
  });

  it('follow the source maps of type declarations to the sources', async () => {
    expect(await agent.data('ide_find_definition', { file: 'a.ts', line: 6, text: 'twice' })).toMatchObject({
      file: 'node_modules/mapped/src/index.ts',
      line: 1,
      library: true,
      preview: expect.stringContaining('return x * 2;'),
    });
    const built = await agent.data('ide_find_definition', { file: 'a.ts', line: 7, text: 'map' });
    expect(built).toMatchObject({ library: true, file: expect.stringMatching(/lib\.es5\.d\.ts$/) });
    expect(built['others']).toBeUndefined();
  });

  it('a long declaration is told by its members, and how to read more', async () => {
    const data = await agent.data('ide_find_definition', { symbol: 'big.ts#Big' });
    expect(data).toMatchObject({ startLine: 1, endLine: 362 });
    const lines = String(data['preview']).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '1 export class Big {',
      '3   method0(value: string): string {',
      '7   method1(value: string): string {',
    ]);
    expect(lines.at(-1)).toBe('… 60 of 90 members of 362 lines; read_file has lines 1-362');
    expect(lines.length).toBeLessThan(65);
  });
});

/** What a bundler makes of two modules: short names in one line, and a map. */
async function bundle(sourcesContent: boolean): Promise<Record<string, string>> {
  const parts = {
    'src/index.ts': "export { join as glue } from './join';\nexport { Shelf } from './shelf';\n",
    'src/join.ts': [
      '/** Puts the parts together. */',
      'export function join(parts: string[]): string {',
      '  const sign = "-";',
      '  return parts.join(sign);',
      '}',
      '',
    ].join('\n'),
    'src/shelf.ts': [
      'export class Shelf {',
      '  #books: string[] = [];',
      '  put(book: string): number {',
      '    return this.#books.push(book);',
      '  }',
      '}',
      '',
    ].join('\n'),
  };
  const folder = await temporaryProject(parts);
  await build({
    entryPoints: [join(folder, 'src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent,
    outfile: join(folder, 'dist/index.js'),
  });
  const made = (name: string) => readFile(join(folder, name), 'utf8');
  const code = { 'dist/index.js': await made('dist/index.js'), 'dist/index.js.map': await made('dist/index.js.map') };
  await removeDirectory(folder);
  return {
    ...code,
    'types/index.d.ts':
      'export declare function glue(parts: string[]): string;\nexport declare class Shelf {\n  put(book: string): number;\n}\n',
    'package.json':
      '{"version":"1.0.0","type":"module","exports":{".":{"types":"./types/index.d.ts","default":"./dist/index.js"}}}',
    ...(sourcesContent ? {} : parts),
  };
}

function inFolder(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

describe('the code behind types, by source maps', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    const held = await bundle(true);
    const outside = {
      ...JSON.parse(held['dist/index.js.map'] ?? ''),
      sources: ['../../../secret.ts', '../../../secret.ts'],
    };
    delete outside.sourcesContent;
    ide = await startSightline({
      project: {
        'package.json': '{"type":"module"}',
        'tsconfig.json':
          '{"compilerOptions":{"module":"esnext","moduleResolution":"bundler","esModuleInterop":true,"target":"es2022","strict":true,"types":[],"skipLibCheck":true},"include":["*.ts"]}',
        'secret.ts': 'const one = 1;\nfunction join() { return "secret"; }\n',
        ...inFolder('node_modules/held', held),
        ...inFolder('node_modules/filed', await bundle(false)),
        ...inFolder('node_modules/liar', { ...held, 'dist/index.js.map': JSON.stringify(outside) }),
        'node_modules/@types/untyped/package.json': '{"name":"@types/untyped","version":"1.0.0","types":"index.d.ts"}',
        'node_modules/@types/untyped/index.d.ts': 'declare function e(port: number): void;\nexport = e;\n',
        'node_modules/untyped/package.json': '{"name":"untyped","version":"1.0.0","main":"index.js"}',
        'node_modules/untyped/index.js': "module.exports = require('./lib/app');\n",
        'node_modules/untyped/lib/app.js':
          'exports = module.exports = createApplication;\nfunction createApplication(port) {\n  try { port++; } catch (e) {}\n}\n',
        'node_modules/dynamic/package.json':
          '{"name":"dynamic","version":"1.0.0","type":"module","types":"types/main.d.ts","main":"main.js"}',
        'node_modules/dynamic/types/main.d.ts':
          'export declare class App {\n  get(path: string): void;\n}\nexport declare function object(): void;\n',
        'node_modules/dynamic/main.js':
          'class Other {\n  get(path) { return path; }\n}\nconst names = { object: "a thing" };\nexport const App = make(Other, names);\n',
        'a.ts': [
          "import * as held from 'held';",
          "import * as filed from 'filed';",
          "import * as liar from 'liar';",
          "import listen from 'untyped';",
          "import { App, object } from 'dynamic';",
          "import resolveUri from '@jridgewell/resolve-uri';",
          "import { parse } from 'acorn';",
          "import { WebSocket } from 'ws';",
          'held.glue([]);',
          "new filed.Shelf().put('x');",
          'liar.glue([]);',
          'listen(1);',
          "new App().get('x');",
          'object();',
          "resolveUri('a', 'b');",
          "parse('x', { ecmaVersion: 5 });",
          "new WebSocket('x').send('y');",
          '',
        ].join('\n'),
      },
    });
    const installed = join(import.meta.dirname, '../../node_modules');
    for (const name of ['@jridgewell/resolve-uri', 'acorn', 'ws', '@types/ws'])
      await cp(join(installed, name), join(ide.root, 'node_modules', name), { recursive: true });
    agent = await ide.connect({ face: 'index' });
    reader = await ide.connect({ face: 'default' });
  });
  afterAll(() => ide.dispose());

  const others = async (line: number, text: string) =>
    (await agent.data('ide_find_definition', { file: 'a.ts', line, text }))['others'];

  it('is the text within a map when there is no such file, and said to be', async () => {
    expect(await others(9, 'glue')).toEqual([
      expect.objectContaining({
        file: 'node_modules/held/src/join.ts',
        line: 2,
        implementation: true,
        via: 'text from the source map of node_modules/held/dist/index.js:1; no such file',
        preview: expect.stringMatching(/^\/\*\* Puts the parts together[^]*return parts\.join\(sign\);\n\}$/),
      }),
    ]);
    expect(await reader.text('ide_find_definition', { file: 'a.ts', line: 9, text: 'glue' })).toContain(
      'implementation node_modules/held/src/join.ts:2:17 (text from the source map of node_modules/held/dist/index.js:1; no such file)',
    );
  });

  it('is the file it was compiled from where that is part of the package, down to a member of a class', async () => {
    expect(await others(10, 'put')).toEqual([
      expect.objectContaining({
        file: 'node_modules/filed/src/shelf.ts',
        line: 3,
        via: 'by the source map of node_modules/filed/dist/index.js:1',
        preview: '  put(book: string): number {\n    return this.#books.push(book);\n  }',
      }),
    ]);
  });

  it('is never a file outside the package, whatever a map says', async () => {
    const text = await reader.text('ide_find_definition', { file: 'a.ts', line: 11, text: 'glue' });
    expect(text).not.toContain('secret');
    expect(text).toContain('implementation node_modules/liar/dist/index.js:1');
    expect(text.length).toBeLessThan(900);
  });

  it('is what a module is as a whole when the types only gave it a name', async () => {
    expect(await others(12, 'listen')).toEqual([
      expect.objectContaining({ file: 'node_modules/untyped/lib/app.js', line: 2, implementation: true }),
    ]);
  });

  it('is not something else of the same name', async () => {
    expect(await others(13, 'get')).toBeUndefined();
    expect(await others(14, 'object')).toBeUndefined();
  });

  it('is found in packages as they are on npm: mapped, bundled, plain with types of their own', async () => {
    expect(await others(15, 'resolveUri')).toEqual([
      expect.objectContaining({
        file: 'node_modules/@jridgewell/resolve-uri/src/resolve-uri.ts',
        via: expect.stringMatching(/^text from the source map of .*resolve-uri\.(mjs|umd\.js):\d+; no such file$/),
        preview: expect.stringContaining(
          'export default function resolve(input: string, base: string | undefined): string {',
        ),
      }),
    ]);
    expect(await others(16, 'parse')).toEqual([
      expect.objectContaining({
        file: expect.stringMatching(/^node_modules\/acorn\/dist\/acorn\.m?js$/),
        preview: expect.stringContaining('return Parser.parse(input, options)'),
      }),
    ]);
    expect(await others(17, 'send')).toContainEqual(
      expect.objectContaining({
        file: 'node_modules/ws/lib/websocket.js',
        implementation: true,
        preview: expect.stringContaining('send(data, options, cb) {'),
      }),
    );
  });
});
