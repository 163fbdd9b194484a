import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSafeMemberName } from './paths.ts';
import { listArchiveMembers } from './archives.ts';
import { readFileText, type ReadRequest } from './readFile.ts';
import { encodeText } from './textEncoding.ts';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sightline-read-')));
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function read(name: string, request: Partial<ReadRequest> = {}) {
  return readFileText(root, { path: `${root}/${name}`, maxChars: 5000, maxBytes: 100_000, ...request });
}

async function file(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(root, name), content);
  return name;
}

describe('text', () => {
  test('whole, with what a writer needs to keep it as it is', async () => {
    await file('a.txt', 'one\r\ntwo\r\n');
    expect(await read('a.txt')).toEqual({
      file: 'a.txt',
      content: 'one\r\ntwo\r\n',
      startLine: 1,
      endLine: 2,
      totalLines: 2,
      encoding: 'utf-8',
      bom: false,
      lineEnding: 'crlf',
      size: 10,
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test('by lines, the end included', async () => {
    await file('lines.txt', 'l1\nl2\nl3\nl4');
    expect(await read('lines.txt', { startLine: 2, endLine: 3 })).toMatchObject({ content: 'l2\nl3\n', endLine: 3 });
    expect(await read('lines.txt', { startLine: 4 })).toMatchObject({ content: 'l4', totalLines: 4 });
    expect(await read('lines.txt', { endLine: 99 })).toMatchObject({ endLine: 4 });
    await expect(read('lines.txt', { startLine: 5 })).rejects.toMatchObject({ data: { totalLines: 4 } });
    await expect(read('lines.txt', { startLine: 3, endLine: 2 })).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  test('in pages that say where to go on', async () => {
    await file('long.txt', Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join(''));
    let text = '';
    let next: number | undefined = 1;
    for (let page = 0; next !== undefined && page < 50; page++) {
      const part: Awaited<ReturnType<typeof read>> = await read('long.txt', { startLine: next, maxChars: 200 });
      text += part.content;
      next = part.nextLine;
    }
    expect(text.split('\n')).toHaveLength(101);
    expect(text.endsWith('line 100\n')).toBe(true);
  });

  test('the end of a file too large to be read whole is the end', async () => {
    await file('large.txt', Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join(''));
    const large = { maxBytes: 500 };
    expect(await read('large.txt', { startLine: 99, ...large })).toMatchObject({ content: 'line 99\nline 100\n' });
    expect((await read('large.txt', { startLine: 99, ...large })).nextLine).toBeUndefined();
    expect(await read('large.txt', { startLine: 2, maxChars: 20, ...large })).toMatchObject({ nextLine: 4 });
  });

  test('a line longer than the page is cut, and said to be', async () => {
    await file('minified.js', 'x'.repeat(50_000));
    const part = await read('minified.js', { maxChars: 1000 });
    expect(part.cutLine).toBe(true);
    expect(part.content.length).toBeLessThan(600);
  });

  test.each(['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const)('%s', async (encoding) => {
    await file('enc.txt', encodeText('Größe\n', encoding, encoding !== 'latin1'));
    expect(await read('enc.txt')).toMatchObject({ content: 'Größe\n', encoding, bom: encoding !== 'latin1' });
  });

  test('the version changes with the content', async () => {
    await file('v.txt', 'a');
    const before = (await read('v.txt')).version;
    await file('v.txt', 'b');
    expect((await read('v.txt')).version).not.toBe(before);
  });

  test('an empty file', async () => {
    await file('empty', '');
    expect(await read('empty')).toMatchObject({
      content: '',
      startLine: 0,
      endLine: 0,
      totalLines: 0,
      lineEnding: 'none',
    });
  });
});

describe('what is not read', () => {
  test('binary files are named for what they are', async () => {
    await file('x.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    await expect(read('x.png')).rejects.toMatchObject({
      code: 'binary_file',
      message: expect.stringContaining('PNG image'),
    });
  });

  test('huge files are refused whole and given by lines', async () => {
    await file('huge.log', Buffer.alloc(3_000_000, 'row of a log\n'));
    await expect(read('huge.log')).rejects.toMatchObject({
      code: 'file_too_large',
      hint: expect.toSatisfy((hint) => String(hint).includes('start_line')),
    });
    expect(await read('huge.log', { startLine: 150_000, endLine: 150_001 })).toMatchObject({
      content: 'row of a log\nrow of a log\n',
      startLine: 150_000,
      endLine: 150_001,
    });
    await expect(read('huge.log', { startLine: 999_999_999 })).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  test('a sparse file of many gigabytes is no reason to read it', async () => {
    await file('sparse', '');
    await truncate(join(root, 'sparse'), 8_000_000_000);
    await expect(read('sparse')).rejects.toMatchObject({ code: 'file_too_large' });
    await expect(read('sparse', { startLine: 1, endLine: 2 })).rejects.toMatchObject({ code: 'binary_file' });
  });

  test('FIFOs, sockets and folders are refused at once', async () => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    const started = performance.now();
    for (const name of ['fifo', 'socket', '.'])
      await expect(
        readFileText(root, { path: name === '.' ? root : join(root, name), maxChars: 99, maxBytes: 99 }),
      ).rejects.toMatchObject({ code: 'not_a_regular_file' });
    expect(performance.now() - started).toBeLessThan(1000);
    server.close();
  });
});

describe('archives', () => {
  test('a member of a jar is read in memory', async () => {
    await file(
      'a.jar',
      zip([
        ['com/x/A.java', 'class A {}\n', 8],
        ['stored.txt', 'plain', 0],
      ]),
    );
    expect(await read('a.jar!/com/x/A.java')).toMatchObject({ file: 'a.jar!/com/x/A.java', content: 'class A {}\n' });
    expect(await read('a.jar!/stored.txt')).toMatchObject({ content: 'plain' });
    await expect(read('a.jar!/A.java')).rejects.toMatchObject({
      code: 'file_not_found',
      data: { suggestions: ['com/x/A.java'] },
    });
  });

  test('a member of a tgz too', async () => {
    execFileSync('tar', ['-czf', join(root, 'p.tgz'), '-C', root, 'a.txt']);
    expect(await read('p.tgz!/a.txt')).toMatchObject({ content: 'one\r\ntwo\r\n' });
  });

  test('members that climb out do not exist', async () => {
    const evil = zip([
      ['../../etc/passwd', 'x', 0],
      ['/abs', 'x', 0],
      ['ok', 'x', 0],
      ['a\\..\\b', 'x', 0],
    ]);
    await file('evil.jar', evil);
    expect((await listArchiveMembers(evil, 'evil.jar')).map(({ name }) => name)).toEqual(['ok']);
    expect(isSafeMemberName('../../etc/passwd')).toBe(false);
    await expect(read('evil.jar!/../../etc/passwd')).rejects.toMatchObject({ code: 'path_outside_project' });
  });

  test('bombs are stopped by what comes out, not by what they say', async () => {
    await file('bomb.zip', zip([['big', Buffer.alloc(40_000_000), 8, 10]]));
    await expect(read('bomb.zip!/big')).rejects.toMatchObject({ code: 'binary_file' });
    await file('bomb.tgz', gzipSync(Buffer.alloc(140_000_000)));
    await expect(read('bomb.tgz!/big')).rejects.toMatchObject({
      code: expect.stringMatching(/file_too_large|binary_file/),
    });
  });

  test.each([
    ['empty', Buffer.alloc(0)],
    ['not a zip', Buffer.from('hello')],
    ['only an end', Buffer.from('504b0506000000000500050000000000ffffff7f0000', 'hex')],
  ])('a damaged archive (%s) is an answer', async (_name, content) => {
    await file('broken.jar', content);
    await expect(read('broken.jar!/x')).rejects.toMatchObject({
      code: expect.stringMatching(/binary_file|file_not_found/),
    });
  });
});

/** A zip file of these members: name, content, method (0 stored, 8 deflated), and the size it claims. */
function zip(members: readonly (readonly [string, string | Buffer, 0 | 8, number?])[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content, method, claimed] of members) {
    const raw = Buffer.from(content);
    const data = method === 8 ? deflateRawSync(raw) : raw;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(0x800, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(claimed ?? raw.length, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt32LE(at, 42);
    bodies.push(local, Buffer.from(name), data);
    directory.push(central, Buffer.from(name));
    at += 30 + Buffer.byteLength(name) + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, central, end]);
}
