import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { platform } from './platform/here.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-endings-')));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an end for sure', () => {
  let programs = 0;

  async function program(body: string): Promise<string> {
    const file = join(folder, `program${++programs}.mjs`);
    const contents = `import { endWithin, endNow } from ${JSON.stringify('./processes.ts')};\n${body}`;
    await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    return file;
  }

  const run = async (body: string) => {
    const child = spawn(process.execPath, [await program(body)], { stdio: 'ignore' });
    const startedAt = Date.now();
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return { code, signal, tookMs: Date.now() - startedAt };
  };

  test.each([
    ['a blocked event loop', 'for (;;);'],
    ['an exit handler that never returns', "process.on('exit', () => { for (;;); }); process.exit(0);"],
  ])('%s is cut short', async (_what, hang) => {
    const { signal, tookMs } = await run(`endWithin(700); setTimeout(() => { ${hang} }, 100);`);
    expect(signal).toBe('SIGKILL');
    expect(tookMs).toBeLessThan(5000);
  });

  test('one that goes well keeps its code, and leaves no helper behind', async () => {
    const seconds = 98_765;
    const { code } = await run(`endWithin(${seconds}000); setTimeout(() => process.exit(3), 200);`);
    expect(code).toBe(3);
    const helpers = () =>
      platform.processes.all().filter(({ pid }) => platform.processes.words(pid).join(' ').includes(String(seconds)));
    await expect.poll(helpers, { timeout: 2000 }).toEqual([]);
  });

  test('endNow ends without any handler', async () => {
    expect(await run("process.on('exit', () => { for (;;); }); endNow();")).toMatchObject({ signal: 'SIGKILL' });
  });
});
