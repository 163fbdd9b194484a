import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { compose } from '../../src/cli/compose.ts';
import { testBench, type TestBench } from '../support/sightline.ts';

/** Its own files truncated, flipped, emptied or from another version: it starts, sets the file aside, says so, and works. */
let bench: TestBench;

afterEach(() => bench.dispose());

const damages: Record<string, (content: Buffer) => Buffer> = {
  truncated: (content) => content.subarray(0, Math.floor(content.length / 2)),
  flipped: (content) => Buffer.from(content.map((byte, index) => (index % 7 === 3 ? byte ^ 0x55 : byte))),
  emptied: () => Buffer.alloc(0),
  'from another version': (content) =>
    Buffer.from(content.toString('utf8').replaceAll(/"(v|version)":\s*\d+/g, '"$1":9999')),
  'of another kind': () => Buffer.from('[1, 2, {"x": null}]\n"text"\nnull\n'),
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test.each(Object.entries(damages))('%s', async (_name, damage) => {
  bench = await testBench({
    files: { 'package.json': '{}', 'a.txt': 'one\n', 'run.js': 'const a = 1;\nconsole.log(a);\n' },
  });
  await bench.sightline.trust.trust(bench.root, 'command-line');
  await bench.data('read_file', { file_path: 'a.txt' });
  await bench.data('write_file', { file_path: 'a.txt', content: 'two\n' });
  await bench.call('read_file', { file_path: 'none' });
  await bench.data('set_breakpoint', { file_path: 'run.js', line: 1 });
  await bench.data('debug_launch', { program: 'run.js' });
  await bench.sightline.dispose();
  const state = join(bench.home, 'state');
  const files = filesBelow(state).filter((path) => !path.includes('/logs/'));
  expect(files.map((path) => basename(path))).toEqual(
    expect.arrayContaining(['trust.json', 'history.jsonl', 'breakpoints.json', 'debug-session.json']),
  );
  for (const path of files) writeFileSync(path, damage(readFileSync(path)));

  const env = { PATH: process.env['PATH'], HOME: bench.home, SIGHTLINE_HOME: bench.home };
  const again = await compose({ env });
  try {
    const client = again.backend.connect({ name: 'again', transport: 'embedded', face: 'all', cwd: bench.root, env });
    const call = (tool: string, args: Record<string, unknown>) => again.backend.callTool({ tool, args, client });
    expect((await call('read_file', { file_path: 'a.txt' })).data).toMatchObject({ content: 'two\n' });
    expect((await call('write_file', { file_path: 'a.txt', content: 'three\n' })).error).toBeUndefined();
    expect((await call('list_breakpoints', {})).error).toBeUndefined();
    expect((await call('debug_breakpoint', { file: 'run.js', line: 2 })).error?.code).not.toBe('internal_error');
    expect((await call('list_changes', {})).error).toBeUndefined();
    const project = again.projects.list()[0];
    expect(
      again.history
        .list(project)
        .map(({ toolName }) => toolName)
        .slice(0, 5),
    ).toEqual(['list_changes', 'debug_breakpoint', 'list_breakpoints', 'write_file', 'read_file']);
    const asideOfTrust = readdirSync(state).filter((name) => name.startsWith('trust.json.damaged-'));
    expect(asideOfTrust).toHaveLength(1);
    expect(again.trust.list()).toEqual([]);
    const asideOfBreakpoints = readdirSync(project?.stateDir ?? '').filter((name) =>
      name.startsWith('breakpoints.json.damaged-'),
    );
    expect(asideOfBreakpoints).toHaveLength(1);
    const told = again.notifications.list().map(({ message }) => message);
    for (const aside of [...asideOfTrust, ...asideOfBreakpoints])
      expect(told.filter((message) => message.includes(aside))).toHaveLength(1);
  } finally {
    await again.dispose();
  }
});

test('damaged settings of the person do not keep it from starting, and the strict policy holds', async () => {
  bench = await testBench({ files: { 'package.json': '{}' } });
  const path = join(bench.home, 'config', 'config.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{"policy": {"execute": "deny"');
  const again = await compose({ env: { PATH: process.env['PATH'], HOME: bench.home, SIGHTLINE_HOME: bench.home } });
  expect(again.settings.person).toMatchObject({ 'policy.execute': 'ask', 'policy.edit': 'ask' });
  expect(again.notifications.list()[0]?.message).toContain('config.json:1:30');
  expect(statSync(path).size).toBeGreaterThan(0);
  await again.dispose();
});
