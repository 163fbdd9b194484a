import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mesonTools, pythonEnvironment } from '../harness/foreignTool.ts';
import { type RunningSightline, startSightline } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

describe('a project that Meson builds', { timeout: 180_000 }, () => {
  let ide: RunningSightline;
  beforeAll(async () => {
    await ensureEngine('clangd');
    const tools = await pythonEnvironment('/usr/bin/python3', 'meson', mesonTools);
    ide = await startSightline({
      project: {
        'meson.build':
          "project('shop', 'cpp')\nexecutable('shop', 'main.cpp', 'code/cart.cpp', include_directories: 'headers/of/shop')\n",
        'headers/of/shop/cart.h': 'int total(int count);\n',
        'code/cart.cpp': '#include "cart.h"\nint total(int count) { return count * 2; }\n',
        'main.cpp': '#include "cart.h"\nint main() { return total(3); }\n',
      },
      env: { PATH: [join(tools, 'bin'), process.env['PATH'] ?? ''].join(delimiter) },
    });
  }, 400_000);
  afterAll(() => ide.dispose());

  it('is known with the folders of headers that only its own description names', async () => {
    const index = await ide.connect({ face: 'index', output: 'text' });
    expect(await index.text('ide_find_references', { file: 'code/cart.cpp', line: 2, text: 'total' })).toMatch(
      /^3 references to function total in 3 files/,
    );
    expect(await index.text('ide_analyze_code', { file: 'main.cpp' })).not.toContain('cart.h');
  });
});
