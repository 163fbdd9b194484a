import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

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
