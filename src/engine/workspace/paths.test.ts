import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ToolError } from '../../base/errors.ts';
import { portableVariable } from '../../base/platform/here.ts';
import { isSafeMemberName, resolveProjectPath } from './paths.ts';
import { OpenDirectories } from './edits/openDirectories.ts';
import { openForReading } from './safeOpen.ts';

/** Without files of open folders a swap is a refusal. */
const isPortable = process.env[portableVariable] === '1';
let base: string;
let root: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'sightline-paths-')));
  root = join(base, 'app');
  await mkdir(join(root, 'src/inner'), { recursive: true });
  await mkdir(join(base, 'app-sibling'));
  await mkdir(join(base, 'outside'));
  await writeFile(join(root, 'src/main.ts'), 'export {};\n');
  await writeFile(join(root, 'src/caf\u00e9.ts'), '');
  await writeFile(join(base, 'app-sibling/secret.txt'), 'secret');
  await writeFile(join(base, 'outside/secret.txt'), 'secret');
  await symlink(join(base, 'outside'), join(root, 'out'));
  await symlink('out', join(root, 'chain1'));
  await symlink('chain1', join(root, 'chain2'));
  await symlink('src', join(root, 'source'));
  await symlink('loopB', join(root, 'loopA'));
  await symlink('loopA', join(root, 'loopB'));
  await symlink(join(base, 'outside/new.txt'), join(root, 'dangling'));
  await symlink(base, join(root, 'src/up'));
});

afterAll(() => rm(base, { recursive: true, force: true }));

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

describe('paths inside the project', () => {
  test.each([
    ['src/main.ts', 'src/main.ts'],
    ['./src/../src/main.ts', 'src/main.ts'],
    ['source/main.ts', 'src/main.ts'],
    ['src//main.ts', 'src/main.ts'],
    ['.', '.'],
    ['src/inner/', 'src/inner'],
    ['src/up/app/src/main.ts', 'src/main.ts'],
  ])('%s is %s', async (input, shown) => {
    const resolved = await resolveProjectPath(root, input);
    expect(resolved.shown).toBe(shown);
    expect(resolved.path).toBe(shown === '.' ? root : join(root, shown));
  });

  test('absolute paths and file URIs are taken', async () => {
    expect((await resolveProjectPath(root, join(root, 'src/main.ts'))).shown).toBe('src/main.ts');
    expect((await resolveProjectPath(root, pathToFileURL(join(root, 'src/main.ts')).href)).shown).toBe('src/main.ts');
  });

  test('a file about to be created has the canonical path of its parent', async () => {
    const resolved = await resolveProjectPath(root, 'source/deep/er/new.ts', { expect: 'any' });
    expect(resolved).toEqual({ path: join(root, 'src/deep/er/new.ts'), shown: 'src/deep/er/new.ts', kind: 'missing' });
  });
});

describe('paths that leave the project', () => {
  const escaping = [
    '..',
    '../outside/secret.txt',
    'src/../../outside/secret.txt',
    'src/inner/../../../outside/secret.txt',
    '../app-sibling/secret.txt',
    '/etc/passwd',
    'file:///etc/passwd',
    'file:///etc/%2e%2e/etc/passwd',
    'out/secret.txt',
    'out',
    'chain1/secret.txt',
    'chain2/secret.txt',
    'src/up/outside/secret.txt',
    'src/up/app-sibling/secret.txt',
  ];
  test.each(escaping)('%s is refused', async (input) => {
    expect(await codeOf(resolveProjectPath(root, input))).toBe('path_outside_project');
    expect(await codeOf(resolveProjectPath(root, input, { expect: 'any' }))).toBe('path_outside_project');
  });

  test.each(['out/new.txt', 'chain2/x/y.txt', '../new.txt', 'src/up/new.txt', '../app-sibling/new.txt', '../app2'])(
    'a new file %s is refused',
    async (input) => {
      expect(await codeOf(resolveProjectPath(root, input, { expect: 'any' }))).toBe('path_outside_project');
    },
  );

  test('a dangling link is not followed when a file is to be created', async () => {
    expect(await codeOf(resolveProjectPath(root, 'dangling', { expect: 'any' }))).toBe('file_not_found');
  });

  test('a folder that may be read besides the project is allowed only when named', async () => {
    const resolved = await resolveProjectPath(root, join(base, 'outside/secret.txt'), {
      readRoots: [join(base, 'outside')],
    });
    expect(resolved.shown).toBe(join(base, 'outside/secret.txt'));
    expect(
      await codeOf(resolveProjectPath(root, '../app-sibling/secret.txt', { readRoots: [join(base, 'outside')] })),
    ).toBe('path_outside_project');
  });
});

describe('paths that are no paths', () => {
  test.each([
    ['', 'invalid_arguments'],
    ['src/main.ts\0.png', 'invalid_arguments'],
    ['a'.repeat(5000), 'invalid_arguments'],
    [`src/${'b'.repeat(300)}`, 'invalid_arguments'],
    ['file://elsewhere/share/x', 'invalid_arguments'],
    ['file:///a%00b', 'invalid_arguments'],
    ['loopA', 'file_not_found'],
    ['loopA/x', 'file_not_found'],
    ['src/main.ts/x', 'file_not_found'],
    ['src/main.ts/x/y', 'file_not_found'],
    ['nothing/at/all', 'file_not_found'],
  ])('case %$ is answered', async (input, code) => {
    expect(await codeOf(resolveProjectPath(root, input))).toBe(code);
  });

  test('a missing file comes with those that may be meant', async () => {
    const failure = await resolveProjectPath(root, 'lib/main.ts').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'file_not_found', data: { suggestions: ['src/main.ts'] } });
    const typo = await resolveProjectPath(root, 'src/mian.ts').catch((error: unknown) => error);
    expect(typo).toMatchObject({ hint: 'Did you mean src/main.ts?' });
  });

  test('another Unicode form of a name is not silently another file', async () => {
    const failure = await resolveProjectPath(root, 'src/cafe\u0301.ts').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'file_not_found', data: { suggestions: ['src/caf\u00e9.ts'] } });
  });
});

describe('archive members', () => {
  test('the archive is resolved, the member kept', async () => {
    await writeFile(join(root, 'a.jar'), '');
    expect(await resolveProjectPath(root, 'a.jar!/com/x/A.java')).toMatchObject({
      path: join(root, 'a.jar'),
      shown: 'a.jar!/com/x/A.java',
      member: 'com/x/A.java',
    });
    expect(await codeOf(resolveProjectPath(root, 'missing.jar!/A.java', { expect: 'any' }))).toBe('file_not_found');
    expect(await codeOf(resolveProjectPath(root, '../outside/a.jar!/A.java'))).toBe('path_outside_project');
  });

  test.each(['../x', 'a/../../x', '/etc/passwd', 'C:\\x', 'c:x', 'a\\..\\b', '', 'a\0b', 'x/..'])(
    'the member %j is refused',
    (name) => {
      expect(isSafeMemberName(name)).toBe(false);
    },
  );
});

describe('opening', () => {
  test('a FIFO, a device and a folder are refused at once', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await codeOf(openForReading([root], join(root, 'pipe')))).toBe('not_a_regular_file');
    expect(await codeOf(openForReading(['/dev'], '/dev/zero'))).toBe('not_a_regular_file');
    expect(await codeOf(openForReading([root], join(root, 'src')))).toBe('not_a_regular_file');
  });

  test('a folder swapped for a link after the check is noticed', async () => {
    await mkdir(join(root, 'swap'));
    await writeFile(join(root, 'swap/secret.txt'), 'mine');
    const { path } = await resolveProjectPath(root, 'swap/secret.txt');
    await rename(join(root, 'swap'), join(root, 'swap-away'));
    await symlink(join(base, 'outside'), join(root, 'swap'));
    expect(await codeOf(openForReading([root], path))).toBe('path_outside_project');
    const directories = new OpenDirectories();
    expect(() => directories.pathOf(path)).toThrow(/no longer the directory it was/);
    directories.closeAll();
  });

  test('an open folder keeps what is written in it, or is refused, when its path is swapped', async () => {
    await mkdir(join(root, 'held'));
    const directories = new OpenDirectories();
    const path = join(root, 'held/new.txt');
    directories.pathOf(path);
    await rename(join(root, 'held'), join(root, 'held-away'));
    await symlink(join(base, 'outside'), join(root, 'held'));
    const write = async () => writeFile(directories.pathOf(path), 'text');
    expect(await codeOf(write())).toBe(isPortable ? 'path_outside_project' : 'no error');
    directories.closeAll();
    expect(await codeOf(resolveProjectPath(root, 'held-away/new.txt'))).toBe(
      isPortable ? 'file_not_found' : 'no error',
    );
    expect(await codeOf(resolveProjectPath(base, 'outside/new.txt'))).toBe('file_not_found');
  });

  test('while another process swaps a folder for a link and back, nothing outside is ever read', async () => {
    const folder = join(root, 'swapped');
    await mkdir(folder);
    await writeFile(join(folder, 'secret.txt'), 'mine');
    const swap = `const fs = require('node:fs'); const [folder, outside] = process.argv.slice(1);
      for (;;) { fs.renameSync(folder, folder + '-away'); fs.symlinkSync(outside, folder);
        fs.unlinkSync(folder); fs.renameSync(folder + '-away', folder); }`;
    const swapper = spawn(process.execPath, ['-e', swap, folder, join(base, 'outside')], { stdio: 'ignore' });
    const seen = new Set<string>();
    const until = Date.now() + 20_000;
    // Until both have been seen, and long enough that a gap in the looking would show.
    for (let attempt = 0; (attempt < 3000 || seen.size < 2) && Date.now() < until; attempt++) {
      try {
        const file = await openForReading([root], join(folder, 'secret.txt'));
        seen.add(await file.readFile('utf8'));
        await file.close();
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        seen.add(error.code);
      }
    }
    swapper.kill('SIGKILL');
    expect(seen).toContain('mine');
    expect(seen).toContain('path_outside_project');
    expect([...seen].filter((each) => !['mine', 'path_outside_project', 'file_not_found'].includes(each))).toEqual([]);
  });

  test('while a folder flips between itself and a link, nothing outside is ever read', async () => {
    const flip = join(root, 'flip');
    const real = join(root, 'flip-real');
    await mkdir(real);
    await writeFile(join(real, 'secret.txt'), 'mine');
    await symlink(real, flip);
    let flipping = true;
    const flipper = (async () => {
      for (let round = 0; flipping; round++) {
        await unlink(flip);
        await symlink(round % 2 === 0 ? join(base, 'outside') : real, flip);
      }
    })();
    const seen = new Set<string>();
    for (let attempt = 0; attempt < 400; attempt++) {
      try {
        const { path } = await resolveProjectPath(root, 'flip/secret.txt');
        const file = await openForReading([root], path);
        seen.add(await file.readFile('utf8'));
        await file.close();
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        seen.add(error.code);
      }
    }
    flipping = false;
    await flipper;
    expect(['mine', 'path_outside_project', 'file_not_found']).toEqual(expect.arrayContaining([...seen]));
  });
});
