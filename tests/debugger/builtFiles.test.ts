import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const source = `interface Item {
  qty: number;
}

export function total(list: Item[]): number {
  let sum = 0;
  for (const item of list) sum += item.qty;
  return sum;
}

console.log(total([{ qty: 3 }]));
// the end
`;

describe('a breakpoint in a source whose compiled file is not loaded yet', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({
      project: {
        'src/app.ts': source,
        'src/lonely.ts': 'export const x: number = 1;\n',
        'plain.js': '// one\nfunction f() {\n  // three\n  return 1;\n}\nf();\n// seven\n// eight\n',
        '.gitignore': 'out\n',
        'node_modules/dep/index.js': '//# sourceMappingURL=index.js.map\n',
      },
    });
    await build('out/app.js', '../src/app.ts');
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  async function build(name: string, sourcefile: string, withContent = true): Promise<void> {
    const { code, map } = await transform(source, {
      loader: 'ts',
      format: 'cjs',
      sourcemap: 'external',
      sourcefile,
      sourcesContent: withContent,
    });
    const path = join(ide.root, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, `${code}//# sourceMappingURL=app.js.map\n`);
    await writeFile(join(path, '../app.js.map'), map);
  }

  it('is told where it will be bound, is not called verified, and is verified once V8 has bound it', async () => {
    const set = await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 6 });
    expect(set).toMatchObject({ verified: false, line: 6, willBindAt: expect.stringMatching(/^out\/app\.js:\d+$/) });
    expect(set['message']).toMatch(
      /^Breakpoint set at src\/app\.ts:6; it will be bound at out\/app\.js:\d+:\d+ once that is loaded$/,
    );
    const entry = await agent.data('start_debug_session', { program: 'out/app.js', stop_on_entry: true });
    expect(entry).toMatchObject({ state: 'paused' });
    expect((await agent.data('list_breakpoints', { type: 'line' }))['breakpoints']).toMatchObject([
      { line: 6, verified: true },
    ]);
    expect(await agent.data('resume_execution')).toMatchObject({ stop: { location: { line: 6 } } });
    await agent.data('stop_debug_session');
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
  });

  it('moves to the next line that has code, and names those around', async () => {
    const set = await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 3 });
    expect(set).toMatchObject({ verified: false, line: 5, nearestLines: [1, 5, 6] });
    expect(set['message']).toContain('moved from 3: no code there');
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
    const end = await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 12 });
    expect(end).toMatchObject({ verified: false, nearestLines: [9, 11] });
    expect(end['message']).toContain('the source map of out/app.js has no code at or after line 12');
    const ended = await agent.data('start_debug_session', { program: 'out/app.js' });
    expect(ended['neverHit']).toMatchObject([
      { reason: 'the source map has no code at or after line 12; lines with code nearby: 9, 11' },
    ]);
    await agent.data('remove_breakpoint', { breakpoint_id: end['breakpointId'] });
  });

  it('says that no source map mentions the file, at once and when the program has ended', async () => {
    const set = await agent.data('set_breakpoint', { file_path: 'src/lonely.ts', line: 1 });
    const reason =
      'no source map mentions lonely.ts (looked at out/app.js): build it, unless the program runs it directly';
    expect(set).toMatchObject({ verified: false, message: `Breakpoint set at src/lonely.ts:1; ${reason}` });
    const ended = await agent.data('start_debug_session', { program: 'out/app.js' });
    expect(ended['neverHit']).toMatchObject([{ reason: `the file was never loaded by the program: ${reason}` }]);
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
  });

  it('says that the compiled file is older than the source', async () => {
    await build('stale/app.js', '../src/late.ts');
    await writeFile(join(ide.root, 'src/late.ts'), `// new first line\n${source}`);
    const set = await agent.data('set_breakpoint', { file_path: 'src/late.ts', line: 7 });
    expect(set['message']).toContain(
      'src/late.ts has changed since stale/app.js was built (line 7 was `for (const item of list) sum += item.qty;`): build it again',
    );
    await agent.data('start_debug_session', { program: 'stale/app.js', stop_on_entry: true });
    const live = await agent.data('list_breakpoints', { file_path: 'src/late.ts' });
    expect(live['breakpoints']).toMatchObject([
      { verified: true, message: expect.stringContaining('late.ts has changed since app.js was built') },
    ]);
    const stop = await agent.data('resume_execution');
    expect(stop).toMatchObject({
      stop: {
        reason: 'breakpoint',
        description: expect.stringContaining('late.ts has changed since app.js was built'),
      },
    });
    await agent.data('stop_debug_session');
    await build('stale/app.js', '../src/late.ts', false);
    await utimes(join(ide.root, 'stale/app.js'), new Date(1000), new Date(1000));
    const listed = await agent.data('list_breakpoints', { file_path: 'src/late.ts' });
    expect(JSON.stringify(listed)).toContain('src/late.ts is newer than stale/app.js');
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
  });

  it('looks only where outFiles of launch.json says', async () => {
    await build('other/app.js', '../src/app.ts');
    await mkdir(join(ide.root, '.vscode'));
    const launch = { type: 'node', request: 'launch', name: 'app', program: '${workspaceFolder}/other/app.js' };
    const write = (outFiles: string[]) =>
      writeFile(join(ide.root, '.vscode/launch.json'), JSON.stringify({ configurations: [{ ...launch, outFiles }] }));
    await write(['${workspaceFolder}/other/**/*.js', '!**/node_modules/**']);
    const set = await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 8 });
    expect(set).toMatchObject({ willBindAt: expect.stringMatching(/^other\/app\.js:\d+$/) });
    await write(['${workspaceFolder}/gone/**/*.js']);
    const none = await agent.data('set_breakpoint', { file_path: 'src/app.ts', line: 8 });
    expect(none['message']).toContain('no compiled file with a source map matches outFiles (gone/**/*.js)');
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
  });

  it('knows the lines of plain JavaScript that have code', async () => {
    const moved = await agent.data('set_breakpoint', { file_path: 'plain.js', line: 3 });
    expect(moved).toMatchObject({ verified: false, line: 4, nearestLines: [4, 6] });
    const none = await agent.data('set_breakpoint', { file_path: 'plain.js', line: 7 });
    expect(none).toMatchObject({ verified: false, line: 7, nearestLines: [4, 6] });
    expect(none['message']).toContain('there is no code at or after line 7');
    const stopped = await agent.data('start_debug_session', { program: 'plain.js' });
    expect(stopped).toMatchObject({ stop: { location: { line: 4 }, breakpointId: moved['breakpointId'] } });
    expect(await agent.data('set_breakpoint', { file_path: 'plain.js', line: 7 })).toMatchObject({
      verified: false,
      nearestLines: [4, 6],
    });
    expect((await agent.data('resume_execution'))['neverHit']).toMatchObject([
      { reason: 'no code at or after line 7; lines with code nearby: 4, 6' },
    ]);
    for (const each of [moved, none]) await agent.data('remove_breakpoint', { breakpoint_id: each['breakpointId'] });
  });
});
