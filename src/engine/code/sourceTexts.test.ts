import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SourceTexts } from './sourceTexts.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'source-texts-')));
  cleanups.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('the texts of sources', () => {
  it('a file asked for many times at once is read once and counted once', async () => {
    const path = join(await folder(), 'a.ts');
    await writeFile(path, 'x'.repeat(1000));
    const texts = new SourceTexts(() => true);
    const all = await Promise.all(Array.from({ length: 50 }, () => texts.get(path)));
    expect(new Set(all).size).toBe(1);
    expect(texts.cachedChars).toBe(1000);
    texts.forget(path);
    expect(texts.cachedChars).toBe(0);
  });

  it('keeps no more than its limit, the most recently used', async () => {
    const root = await folder();
    const texts = new SourceTexts(() => true);
    const paths = Array.from({ length: 8 }, (_unused, index) => join(root, `${index}.ts`));
    for (const path of paths) {
      await writeFile(path, 'y'.repeat(1024 * 1024));
      await texts.get(path);
      await texts.get(paths[0] ?? path);
    }
    expect(texts.cachedChars).toBe(5 * 1024 * 1024);
    const first = await texts.get(paths[0] ?? '');
    expect(await texts.get(paths[0] ?? '')).toBe(first);
  });

  it('what was being read when the file changed is not served afterwards', async () => {
    const path = join(await folder(), 'a.ts');
    await writeFile(path, 'old');
    const texts = new SourceTexts(() => true);
    const early = texts.get(path);
    await writeFile(path, 'newer');
    texts.forget(path);
    await early;
    expect((await texts.get(path)).text).toBe('newer');
  });

  it('what was read before its folder was watched is compared with the disk once more', async () => {
    const path = join(await folder(), 'a.ts');
    await writeFile(path, 'old');
    let isWatched = false;
    const texts = new SourceTexts(() => isWatched);
    const early = await texts.get(path);
    await writeFile(path, 'newer');
    isWatched = true;
    expect((await texts.get(path)).text).toBe('newer');
    expect(early.text).toBe('old');
    const known = await texts.get(path);
    await writeFile(path, 'nobody reported this');
    expect(await texts.get(path)).toBe(known);
  });
});
