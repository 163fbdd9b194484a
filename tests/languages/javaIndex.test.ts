import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

const shop = join(import.meta.dirname, 'projects/javaShop');
const main = 'src/shop/Main.java';

function lineOf(text: string): number {
  return (
    readFileSync(join(shop, main), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1
  );
}

describe('Java through jdtls', { timeout: 300_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('jdtls');
    ide = await startSightline({ project: shop });
    agent = await ide.connect({ face: 'index' });
  }, 400_000);
  afterAll(() => ide.dispose());

  /** The first question starts the server, which takes longer than one call may: each answer until then says so. */
  async function answered(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    for (;;) {
      const { error, data } = await agent.call(tool, args);
      const answer = data as { index?: { state: string } } | undefined;
      if (error !== undefined && !['index_not_ready', 'timeout'].includes(error.name)) throw new Error(error.message);
      if (answer?.index?.state === 'ready') return { ...answer };
    }
  }

  it('finds uses, definitions, kinds and problems, in files that were never opened too', async () => {
    const uses = await answered('ide_find_references', {
      file: main,
      line: lineOf('int total(int factor)'),
      text: 'total',
    });
    expect(uses).toMatchObject({ index: { state: 'ready' } });
    expect(JSON.stringify(uses)).toContain(`"line":${lineOf('int total = cart.total(10)')}`);
    const at = { file: main, line: lineOf('cart.total(10)'), text: 'total(' };
    expect(await agent.data('ide_find_definition', at)).toMatchObject({
      line: lineOf('int total(int factor)'),
      kind: 'method',
    });
    const outline = JSON.stringify(await agent.data('ide_file_structure', { file: main }));
    for (const name of ['Cart', 'Item', 'Kind', 'checkout']) expect(outline).toContain(name);
    const callers = JSON.stringify(
      await agent.data('ide_call_hierarchy', { file: main, line: lineOf('static void reserve('), text: 'reserve' }),
    );
    expect(callers).toContain('checkout');

    const about = await agent.data('ide_inspect_symbol', {
      file: main,
      line: lineOf('int total(int factor)'),
      text: 'total',
    });
    expect(JSON.stringify(about)).toContain('int shop.Main.Cart.total(int factor)');
    expect(JSON.stringify(about)).not.toContain('Source: ');
    const broken = JSON.stringify(await agent.data('ide_analyze_code', { file: 'broken/Broken.java' }));
    expect(broken).toContain('String to int');
    expect(broken).toContain('missing(int)');
    const clean = await agent.data('ide_analyze_code', { file: main });
    expect(JSON.stringify(clean)).not.toContain('"severity":"error"');
    expect(await agent.data('ide_index_status')).toMatchObject({ state: 'ready' });
  });

  it('answers for the text as it is, right after it has changed', async () => {
    const before = readFileSync(join(ide.root, main), 'utf8');
    const at = (text: string, name: string, added: number) => ({ file: main, line: lineOf(text) + added, text: name });
    for (const added of [1, 7, 3]) {
      writeFileSync(join(ide.root, main), '// a line\n'.repeat(added) + before);
      const uses = await agent.data('ide_find_references', at('int total(int factor)', 'total', added));
      expect(JSON.stringify(uses)).toContain(`"line":${lineOf('int total = cart.total(10)') + added}`);
      const found = await agent.data('ide_find_definition', at('cart.total(10)', 'total(', added));
      expect(found).toMatchObject({ line: lineOf('int total(int factor)') + added, kind: 'method' });
      const callers = await agent.data('ide_call_hierarchy', at('static void reserve(', 'reserve', added));
      expect(JSON.stringify(callers)).toContain('checkout');
    }
    writeFileSync(join(ide.root, main), before);
  });

  it('renames over files that were never opened, extracts a method, and refuses to delete what is used', async () => {
    const before = readFileSync(join(ide.root, main), 'utf8');
    const renamed = await agent.data('ide_refactor_rename', {
      file: main,
      line: lineOf('int total(int factor)'),
      text: 'total',
      new_name: 'sum',
    });
    expect(renamed).toMatchObject({ success: true });
    expect(readFileSync(join(ide.root, main), 'utf8')).toContain('int total = cart.sum(10);');
    await agent.data('undo');
    expect(readFileSync(join(ide.root, main), 'utf8')).toBe(before);
    const extracted = await agent.data('ide_refactor_extract_method', {
      file: main,
      start_line: lineOf('orders++;'),
      end_line: lineOf('orders++;'),
      new_name: 'countOrder',
    });
    expect(extracted).toMatchObject({ success: true });
    expect(readFileSync(join(ide.root, main), 'utf8')).toMatch(/countOrder\(\);[\s\S]*void countOrder\(\)/);
    await agent.data('undo');
    const { error } = await agent.call('ide_refactor_safe_delete', {
      file: main,
      line: lineOf('static void reserve('),
      text: 'reserve',
    });
    expect(error?.message).toContain('reserve');
    expect(readFileSync(join(ide.root, main), 'utf8')).toBe(before);
  });
});
