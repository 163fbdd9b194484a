// Both outcomes are right here (all old or all new) and each has its own demands.
/* oxlint-disable vitest/no-conditional-expect */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { builtProgram, StdioProgram } from '../support/program.ts';
import { treeOf } from './workbench.ts';

/** A disk of one megabyte in a place that only the program sees: for that no rights are needed where the system allows namespaces of users. */
const onSmallDisk = [
  'unshare',
  '-Urm',
  'sh',
  '-c',
  'mount -t tmpfs -o size=1m none "$0" && mkdir -p "$1" && shift && exec "$@"',
];
const hasSmallDisks =
  spawnSync('unshare', ['-Urm', 'sh', '-c', `mount -t tmpfs -o size=1m none ${tmpdir()}`]).status === 0;
if (!hasSmallDisks)
  process.stderr.write(
    'fullDisk.test.ts: no small disk can be mounted here; a limit on the size of files stands in for it.\n',
  );

let program: string;
let scratch: string;
let agent: StdioProgram | undefined;

beforeAll(async () => {
  program = await builtProgram();
});
afterEach(async () => {
  agent?.child.stdin.end();
  await agent?.exited;
  rmSync(scratch, { recursive: true, force: true });
});

const files: Record<string, string> = {
  'package.json': '{"name": "sample", "type": "module"}',
  'tsconfig.json': '{"compilerOptions": {"module": "nodenext"}}',
  'src/old.ts': 'export const old = 1;\n',
  ...Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [
      `src/f${i}.ts`,
      `import { old } from './old.js';\nexport const n${i} = old + ${i};\n// ${'x'.repeat(8000)}\n`,
    ]),
  ),
};

function write(root: string): void {
  mkdirSync(join(root, 'src'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
}

function start(command: readonly string[], project: string, home: string): StdioProgram {
  const [first, ...rest] = [...command, process.execPath, program, 'stdio', '--embedded', '--project', project];
  agent = new StdioProgram(first, rest, {
    cwd: scratch,
    env: { PATH: process.env['PATH'], HOME: home, SIGHTLINE_HOME: home },
  });
  return agent;
}

const rename = { file: 'src/old.ts', line: 1, text: 'old', new_name: 'fresh' };

async function call(name: string, args: Record<string, unknown>): Promise<{ failed: boolean; text: string }> {
  if (agent === undefined) throw new Error('It was not started.');
  const { result } = (await agent.callTool(name, args)) as {
    result: { isError?: boolean; content: { text: string }[] };
  };
  return { failed: result.isError === true, text: result.content.map(({ text }) => text).join('\n') };
}

test.runIf(hasSmallDisks).each(['project', 'state'])(
  'a disk that is full of the %s: write_failed and all is old, or all is new; with room again it works',
  async (what) => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-full-')));
    const small = join(scratch, 'small');
    mkdirSync(small);
    const project = join(what === 'project' ? small : scratch, 'project');
    const home = join(what === 'state' ? small : scratch, 'home');
    if (what === 'state') write(project);
    const running = start([...onSmallDisk, small, what === 'project' ? project : home], project, home);
    await running.initialize();
    const seen = (path: string): string => `/proc/${running.pid}/root${path}`;
    if (what === 'project') write(seen(project));
    const before = await treeOf(seen(project));
    const filler = seen(join(small, 'filler'));

    const outcomes: string[] = [];
    for (const freeBytes of [0, 12_000, 48_000, 100_000, 1_000_000]) {
      fill(filler, freeBytes);
      const { failed, text } = await call('ide_refactor_rename', rename);
      const tree = await treeOf(seen(project));
      outcomes.push(failed ? 'old' : 'new');
      if (failed) {
        expect(text).toMatch(/^Error \(write_failed\): .* the disk is full \(ENOSPC\)\. Nothing was changed\./);
        expect(text).toContain(what === 'state' ? 'Writing what Sightline keeps of changes' : `Writing to ${project}`);
        expect(tree).toEqual(before);
        continue;
      }
      expect(Object.keys(tree).filter((name) => /\bold\b(?!\.js)/.test(tree[name] ?? ''))).toEqual([]);
      rmSync(filler, { force: true });
      expect((await call('undo', {})).failed).toBe(false);
      expect(await treeOf(seen(project))).toEqual(before);
    }
    expect([outcomes[0], outcomes.at(-1)]).toEqual(['old', 'new']);
  },
);

/** Leaves about as much room as said. */
function fill(filler: string, freeBytes: number): void {
  rmSync(filler, { force: true });
  for (let size = 1_048_576; size >= 0; size -= 4096) {
    try {
      writeFileSync(filler, Buffer.alloc(Math.max(0, size)));
      rmSync(filler);
      writeFileSync(filler, Buffer.alloc(Math.max(0, size - freeBytes)));
      return;
    } catch {
      // Less, then.
    }
  }
}

test('a file that the system lets nobody write so large: write_failed, and all of the change is old', async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-limit-')));
  const [project, home] = [join(scratch, 'project'), join(scratch, 'home')];
  write(project);
  // The program may write no file above 64 kB; this one is larger.
  writeFileSync(join(project, 'src/f7.ts'), `${files['src/f7.ts']}// ${'y'.repeat(100_000)}\n`);
  cpSync(project, join(scratch, 'copy'), { recursive: true });
  await start(['sh', '-c', 'ulimit -f 128; exec "$0" "$@"'], project, home).initialize();
  const { failed, text } = await call('ide_refactor_rename', rename);
  expect(text).toMatch(/^Error \(write_failed\): .* no file may be so large \(EFBIG\)\. Nothing was changed\./);
  expect(failed).toBe(true);
  expect(await treeOf(project)).toEqual(await treeOf(join(scratch, 'copy')));
  // And it goes on working where there is no such limit in the way.
  expect(await call('write_file', { file: 'src/small.ts', content: 'export {};\n' })).toMatchObject({ failed: false });
});
