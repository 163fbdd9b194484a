import { writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const source = `interface Item {
  price: number;
  qty: number;
}

enum Rate {
  Low = 1,
  High = 2,
}

export function total(list: Item[], rate: Rate): number {
  let sum = 0;
  for (const item of list) {
    sum += item.price * item.qty;
  }
  return sum * rate;
}

const items: Item[] = [{ price: 2, qty: 3 }];
console.log(total(items, Rate.High));
`;

interface Build {
  name: string;
  format: 'cjs' | 'esm';
  sourcemap: 'external' | 'inline';
  minify: boolean;
}

const builds: Build[] = [
  { name: 'separate.js', format: 'cjs', sourcemap: 'external', minify: false },
  { name: 'inline.js', format: 'cjs', sourcemap: 'inline', minify: false },
  { name: 'module.mjs', format: 'esm', sourcemap: 'external', minify: false },
  { name: 'minified.mjs', format: 'esm', sourcemap: 'inline', minify: true },
];

describe('TypeScript with source maps', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: { 'src/app.ts': source } });
    await mkdir(join(ide.root, 'dist'));
    for (const build of builds) {
      const { code, map } = await transform(source, {
        loader: 'ts',
        format: build.format,
        sourcemap: build.sourcemap,
        sourcefile: '../src/app.ts',
        minifyWhitespace: build.minify,
      });
      const path = join(ide.root, 'dist', build.name);
      await writeFile(path, build.sourcemap === 'inline' ? code : `${code}//# sourceMappingURL=${build.name}.map\n`);
      if (build.sourcemap === 'external') await writeFile(`${path}.map`, map);
    }
    agent = await ide.connect({ face: 'debugger' });
    await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 14, condition: 'item.qty === 3' });
  });
  afterAll(() => ide.dispose());

  for (const build of builds) {
    it(`stops at the source of dist/${build.name}, with its variables, and steps by its lines`, async () => {
      const started = await agent.data('start_debug_session', { program: `dist/${build.name}` });
      expect(started).toMatchObject({
        state: 'paused',
        stop: {
          reason: 'breakpoint',
          breakpointId: 'bp_1',
          location: { file: join(ide.root, 'src/app.ts'), line: 14, methodName: 'total' },
        },
      });
      const listed = await agent.data('list_breakpoints', { type: 'line' });
      expect(listed['breakpoints']).toMatchObject([{ line: 14, verified: true }]);
      const variables = await agent.data('get_variables', { filter: 'item' });
      expect(variables['variables']).toMatchObject([{ name: 'item', value: '{price: 2, qty: 3}' }]);
      const out = await agent.data('step_out');
      expect(out).toMatchObject({ stop: { location: { file: join(ide.root, 'src/app.ts') } } });
      const ended = await agent.data('resume_execution');
      expect(ended).toMatchObject({ state: 'stopped', exitCode: 0 });
    });
  }

  it('names the breakpoint that no compiled file has', async () => {
    await writeFile(join(ide.root, 'src/other.ts'), 'export const x: number = 1;\n');
    await agent.data('set_breakpoint', { file_path: 'src/other.ts', line: 1, temporary: true });
    await agent.data('start_debug_session', { program: 'dist/module.mjs' });
    const ended = await agent.data('resume_execution');
    expect(ended['neverHit']).toMatchObject([
      {
        at: 'src/other.ts:1',
        reason: expect.stringContaining('the file was never loaded by the program: no source map mentions other.ts'),
      },
    ]);
  });

  it('says what is missing when nothing can run a .ts file', async () => {
    const { error } = await agent.call('start_debug_session', { program: 'src/other.ts' });
    expect(error).toMatchObject({ name: 'launch_failed', hint: expect.stringContaining('tsx') });
  });
});
