import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testBench, type TestBench } from '../support/sightline.ts';

let bench: TestBench;
const never = new AbortController().signal;

beforeAll(async () => {
  bench = await testBench({
    files: {
      'package.json': '{"name": "demo"}',
      'src/app.ts': 'export {};\n',
      'src/long.txt': 'a line of text\n'.repeat(30_000),
      'logo.png': Buffer.from('89504e470d0a1a0a00', 'hex'),
    },
  });
});

afterAll(() => bench.dispose());

function read(uri: string) {
  return bench.sightline.resources.read(uri, bench.client, never);
}

function fileUri(path: string): string {
  return pathToFileURL(join(bench.root, path)).href;
}

describe('reading', () => {
  test('structure and index status are JSON', async () => {
    const [structure] = await read('project://structure');
    expect(JSON.parse(structure?.text ?? '')).toMatchObject({ basePath: bench.root, modules: [{ name: 'demo' }] });
    const [status] = await read('index://status');
    expect(JSON.parse(status?.text ?? '')).toMatchObject({
      isIndexing: false,
      languages: [{ language: 'typescript', running: false }],
    });
    expect((await bench.sightline.resources.list(bench.client)).map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['project://structure', 'index://status']),
    );
  });

  test('a file, by its address or relative to the project, whole however long', async () => {
    expect(await read(fileUri('src/app.ts'))).toEqual([
      { uri: fileUri('src/app.ts'), mimeType: 'text/plain', text: 'export {};\n' },
    ]);
    expect(await read('file:///src/app.ts')).toMatchObject([{ text: 'export {};\n' }]);
    const [long] = await read(fileUri('src/long.txt'));
    expect(long?.text.length).toBe(450_000);
  });

  test('the rules of tools hold', async () => {
    await expect(read('file:///etc/passwd')).rejects.toMatchObject({ code: 'path_outside_project' });
    await expect(read(`${fileUri('src')}/../../home/state/trust.json`)).rejects.toMatchObject({
      code: 'path_outside_project',
    });
    await expect(read(fileUri('none.ts'))).rejects.toMatchObject({ code: 'file_not_found' });
    await expect(read(fileUri('logo.png'))).rejects.toMatchObject({ code: 'binary_file' });
    await expect(read('nowhere://x')).rejects.toMatchObject({ code: 'file_not_found' });
  });

  test('paths are completed', async () => {
    const complete = (typed: string) =>
      bench.sightline.resources.complete('file:///{+path}', 'path', typed, bench.client);
    const whole = join(bench.root, 'src/app.ts').slice(1);
    expect(await complete('src/a')).toEqual([whole]);
    expect(await complete(join(bench.root, 'src/a').slice(1))).toEqual([whole]);
    expect(await complete('APP')).toEqual([whole]);
  });
});

describe('changes', () => {
  function changeOf(uri: string): { changed: Promise<void>; stop: () => void | Promise<void> } {
    let stop: () => void | Promise<void> = () => undefined;
    const changed = new Promise<void>((resolve) => {
      const watch = bench.sightline.resources.watch(uri, bench.client, resolve);
      stop = () => watch.dispose();
    });
    return { changed, stop: () => stop() };
  }

  /** A watch begins a moment after it is asked for; writing until it is seen needs no guess how long that is. */
  async function until(changed: Promise<void>, write: (round: number) => void): Promise<void> {
    let round = 0;
    const timer = setInterval(() => write(round++), 100);
    write(round++);
    await changed.finally(() => clearInterval(timer));
  }

  test('a file that is written, replaced or removed is announced', async () => {
    bench.write('src/watched.ts', '0');
    const first = changeOf(fileUri('src/watched.ts'));
    await until(first.changed, (round) => bench.write('src/watched.ts', String(round)));
    await first.stop();
    const second = changeOf(fileUri('src/watched.ts'));
    await until(second.changed, () => {
      rmSync(join(bench.root, 'src/watched.ts'), { force: true });
      bench.write('src/watched.ts', 'again');
    });
    await second.stop();
  });

  test('a new module is announced as a change of the structure', async () => {
    const { changed, stop } = changeOf('project://structure');
    await until(changed, (round) => {
      if (round % 10 === 0) bench.write(`extra${round}/package.json`, `{"name": "extra${round}"}`);
    });
    await stop();
    const [structure] = await read('project://structure');
    expect(structure?.text).toContain('extra0');
  });
});
