import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from 'vitest';

/** Compares with the golden file; `UPDATE_GOLDEN=1` rewrites it. A missing file fails, except when updating. */
export async function expectGolden(path: string, actual: string): Promise<void> {
  const text = actual.endsWith('\n') ? actual : `${actual}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return;
  }
  const golden = await readFile(path, 'utf8').catch(() => undefined);
  if (golden === undefined) throw new Error(`There is no golden file ${path}. UPDATE_GOLDEN=1 writes it.`);
  expect(text).toBe(golden);
}
