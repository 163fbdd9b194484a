import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testBench, type TestBench } from '../support/sightline.ts';

let bench: TestBench;

beforeAll(async () => {
  bench = await testBench({
    files: {
      'package.json': '{"name": "demo"}',
      '.gitignore': 'dist\n',
      'src/app.ts': 'export const answer = 42;\n',
      'src/long.ts': Array.from({ length: 2000 }, (_, index) => `export const value${index} = ${index};\n`).join(''),
      'dist/app.js': '',
      'logo.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      'odd.txt': 'right\u202eleft\u0007bell\n',
    },
  });
});

afterAll(() => bench.dispose());

describe('read_file', () => {
  test('gives the text in both forms', async () => {
    const answer = await bench.call('read_file', { file_path: 'src/app.ts' });
    expect(answer.data).toMatchObject({ content: 'export const answer = 42;\n', totalLines: 1, encoding: 'utf-8' });
    expect(answer.text).toMatch(/^src\/app\.ts, lines 1-1 of 1, version [0-9a-f]{16}\n1\texport const answer = 42;\n$/);
    const plain = await bench.call('read_file', { file_path: 'src/app.ts', line_numbers: false });
    expect(plain.text).toMatch(/\nexport const answer = 42;\n$/);
  });

  test('the older name and parameter names work', async () => {
    const answer = await bench.call('intellij_read_file', { path: 'src/app.ts', startLine: '1' });
    expect(answer.data?.['content']).toBe('export const answer = 42;\n');
  });

  test('a long file comes in pages that fit, whole in the end', async () => {
    let text = '';
    let next: unknown = 1;
    let pages = 0;
    while (typeof next === 'number' && pages++ < 100) {
      const answer = await bench.call('read_file', { file_path: 'src/long.ts', start_line: next });
      expect(answer.text.length).toBeLessThanOrEqual(20_000);
      expect(JSON.stringify(answer.data).length).toBeLessThanOrEqual(20_000);
      expect(answer.data?.['notes']).toBeUndefined();
      text += String(answer.data?.['content']);
      next = answer.data?.['nextLine'];
    }
    expect(text.split('\n')).toHaveLength(2001);
  });

  test('refusals say what to do', async () => {
    const binary = await bench.call('read_file', { file_path: 'logo.png' });
    expect(binary.error).toMatchObject({ code: 'binary_file' });
    const missing = await bench.call('read_file', { file_path: 'app.ts' });
    expect(missing.error).toMatchObject({ code: 'file_not_found', hint: 'Did you mean src/app.ts?' });
    const outside = await bench.call('read_file', { file_path: '../home/state/trust.json' });
    expect(outside.error).toMatchObject({ code: 'path_outside_project' });
    const folder = await bench.call('read_file', { file_path: 'src' });
    expect(folder.error).toMatchObject({ code: 'not_a_regular_file' });
  });

  test('characters that could deceive are shown in the text', async () => {
    const answer = await bench.call('read_file', { file_path: 'odd.txt' });
    expect(answer.text).toContain('right\\u202eleft\\u0007bell');
    expect(answer.data?.['content']).toBe('right\u202eleft\u0007bell\n');
  });
});

describe('list_project_files', () => {
  test('in pages, without what git ignores', async () => {
    expect(await bench.data('list_project_files')).toEqual({
      files: ['.gitignore', 'logo.png', 'odd.txt', 'package.json', 'src/app.ts', 'src/long.ts'],
      total: 6,
      offset: 0,
    });
    expect(await bench.data('list_project_files', { limit: 2, offset: 3 })).toMatchObject({
      files: ['package.json', 'src/app.ts'],
      nextOffset: 5,
    });
  });

  test('by glob and folder', async () => {
    expect(await bench.data('list_project_files', { glob: '*.ts', directory: 'src' })).toMatchObject({
      files: ['src/app.ts', 'src/long.ts'],
    });
    const answer = await bench.call('list_project_files', { directory: '..' });
    expect(answer.error?.code).toBe('path_outside_project');
  });

  test("the project's own exclusions count", async () => {
    bench.write('.sightline.json', '{"files": {"exclude": ["*.png"]}}');
    const { files } = await bench.data('list_project_files');
    expect(files).not.toContain('logo.png');
  });
});

test('the length of answers is a setting of the project', async () => {
  bench.write('.sightline.json', '{"output": {"maxChars": 1000}}');
  const answer = await bench.call('read_file', { file_path: 'src/long.ts' });
  expect(answer.text.length).toBeLessThanOrEqual(1000);
  expect((await bench.call('read_file', { file_path: 'src/long.ts', max_chars: 3000 })).text.length).toBeGreaterThan(
    2000,
  );
});

test('read_ide_log and get_notifications tell of a bad settings file', async () => {
  bench.write('.sightline.json', '{"policy": {"edit": "alow"}}');
  const { notifications } = await bench.data('get_notifications');
  expect(notifications).toMatchObject([
    { source: 'settings', message: expect.stringContaining('.sightline.json:1:21') },
  ]);
  const { lines } = await bench.data('read_ide_log', { tag: 'settings', level: 'warn' });
  expect(lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('policy.edit') }]);
});
