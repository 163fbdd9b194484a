import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const files = {
  'package.json': '{"type":"module"}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","target":"es2022","noEmit":true}}',
  'base.ts':
    'export interface Shape<T = number> { area(): T }\nexport interface Named { name: string }\nexport interface Solid extends Shape<number>, Named { volume(): number }\nexport abstract class Base<T> implements Shape<T> { abstract area(): T }\n',
  'index.ts': "export { Base as Foundation } from './base.js';\nexport type * from './base.js';\n",
  'mixins.ts':
    "import { Foundation } from './index.js';\n\ntype Constructor<T = object> = abstract new (...args: any[]) => T;\n\nexport function Tagged<C extends Constructor<Foundation<number>>>(Parent: C) {\n  abstract class TaggedShape extends Parent {\n    tag = 'x';\n  }\n  return TaggedShape;\n}\n\nexport class Box extends Tagged(Foundation<number>) {\n  area(): number {\n    return 1;\n  }\n}\n",
  'shapes.ts':
    "import { Foundation, type Named, type Shape } from './index.js';\nimport * as all from './index.js';\n\nexport class Square extends Foundation<number> implements Named {\n  name = 'square';\n  area(): number {\n    return 1;\n  }\n}\nexport class Tile extends Square {}\nexport class Plate extends all.Foundation<Map<string, number[]>> {\n  area() {\n    return new Map<string, number[]>();\n  }\n}\nexport const anonymous = class extends Square {};\nexport function uses(shape: Shape): number {\n  return shape.area();\n}\n",
  'loop.ts':
    'export function ping(n: number): number {\n  return n === 0 ? 0 : pong(n - 1);\n}\nexport function pong(n: number): number {\n  return ping(n) + leaf();\n}\nfunction leaf(): number {\n  return 1;\n}\nexport interface A extends B {}\nexport interface B extends A {}\n',
};

interface TypeItem {
  name: string;
  file?: string;
  line?: number;
  children?: TypeItem[];
}

describe('hierarchies of TypeScript', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    agent = await ide.connect({ face: 'index' });
    reader = await ide.connect({ face: 'default' });
  });
  afterAll(() => ide.dispose());

  const tree = (items: readonly TypeItem[]): string =>
    items
      .map(({ name, children = [] }) => `${name}${children.length === 0 ? '' : `(${tree(children)})`}`)
      .sort()
      .join(' ');
  const hierarchy = async (symbol: string) => {
    const data = (await agent.data('ide_type_hierarchy', { symbol, depth: 5 })) as unknown as {
      supertypes: TypeItem[];
      subtypes: TypeItem[];
    };
    return { above: tree(data.supertypes), below: tree(data.subtypes) };
  };

  it.each([
    ['Shape', '', 'Base(Box Plate Square(Tile anonymous)) Solid'],
    ['Named', '', 'Solid Square(Tile anonymous)'],
    ['Base', 'Shape', 'Box Plate Square(Tile anonymous)'],
    ['Square', 'Base(Shape) Named', 'Tile anonymous'],
    ['Tile', 'Square(Base(Shape) Named)', ''],
    ['Plate', 'Base(Shape)', ''],
    ['Box', 'Base(Shape)', ''],
    ['Solid', 'Named Shape', ''],
    ['loop.ts#A', 'B', 'B'],
  ])('%s: generics, levels, barrels, renamed exports, mixins, cycles', async (symbol, above, below) => {
    expect(await hierarchy(symbol)).toEqual({ above, below });
  });

  it('each edge has its place', async () => {
    expect(await reader.text('ide_type_hierarchy', { symbol: 'Square', depth: 1 })).toMatchInlineSnapshot(`
      "class Square shapes.ts:4
      supertypes:
       extends Base base.ts:4
       implements Named base.ts:2
      subtypes:
       extends Tile shapes.ts:10
       extends anonymous shapes.ts:16"
    `);
  });

  it('calls: depth, cycles cut and said, each with the place of the call', async () => {
    expect(await reader.text('ide_call_hierarchy', { symbol: 'ping', depth: 4 })).toMatchInlineSnapshot(`
      "callers of ping (loop.ts:1)
       pong loop.ts:4 calls at 5
        ping loop.ts:1 calls at 2 (recursion)"
    `);
    expect(await reader.text('ide_call_hierarchy', { symbol: 'pong', direction: 'callees', depth: 4 }))
      .toMatchInlineSnapshot(`
      "callees of pong (loop.ts:4)
       ping loop.ts:1 calls at 5
        pong loop.ts:4 calls at 2 (recursion)
       leaf loop.ts:7 calls at 5"
    `);
  });
});
