// Both outcomes are right here (refused or done, all old or all new) and each has its own demands.
/* oxlint-disable vitest/no-conditional-expect, vitest/valid-expect */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToolError } from '../../src/base/errors.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { bigChange, bigProject } from './bigChange.ts';
import { errno, faultyOps } from './faultyOps.ts';
import { treeOf, workbench } from './workbench.ts';

let scratch: string;
let script: string;
let before: Record<string, string>;
let after: Record<string, string>;
let operationCount: number;

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'sightline-faults-')));
  script = join(scratch, 'killedWriter.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./killedWriter.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
  });
  const { ops, count, guardHistory } = faultyOps(0, () => undefined);
  const bench = workbench({ folder: join(scratch, 'whole'), ops });
  guardHistory(bench.history);
  await bench.write(bigProject);
  before = await bench.tree();
  await bench.applier.apply(bench.project, bigChange, { tool: 'test' });
  after = await bench.tree();
  operationCount = count();
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function fresh(name: string): Promise<string> {
  const folder = join(scratch, name);
  await workbench({ folder }).write(bigProject);
  return folder;
}

/** A folder that was not made yet is an empty one. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

describe('a change that is stopped on its way', () => {
  it('is worth the test: it has many operations and really changes the tree', () => {
    expect(operationCount).toBeGreaterThan(80);
    expect(after).not.toEqual(before);
  });

  it('killed at any file operation, leaves all old or all new after the next start, and no debris', async () => {
    const outcomes = { old: 0, new: 0 };
    for (let k = 1; k <= operationCount; k++) {
      const folder = await fresh(`kill-${k}`);
      const run = spawnSync(process.execPath, [script, folder, String(k)], { encoding: 'utf8' });
      expect(run.signal, run.stderr).toBe('SIGKILL');
      const bench = workbench({ folder });
      const report = await bench.applier.recover(bench.project);
      expect(report.problems).toEqual([]);
      const tree = await bench.tree();
      const isNew = JSON.stringify(tree) === JSON.stringify(sorted(after, tree));
      expect(tree, `killed at operation ${k}`).toEqual(isNew ? after : before);
      outcomes[isNew ? 'new' : 'old'] += 1;
      const history = await bench.history.list(bench.project);
      expect(history).toHaveLength(isNew ? 1 : 0);
      expect(await namesIn(join(bench.project.stateDir, 'journal'))).toEqual([]);
      expect(await namesIn(join(bench.project.stateDir, 'history/shelves'))).toEqual(history.map(({ id }) => id));
      if (isNew) {
        await undoChanges(bench.applier, bench.history, bench.project, {}, { tool: 'undo' });
        expect(await bench.tree()).toEqual(before);
      }
      await rm(folder, { recursive: true, force: true });
    }
    expect(outcomes.old).toBeGreaterThan(50);
    expect(outcomes.new).toBeGreaterThan(5);
  }, 240_000);

  it.each([
    ['ENOSPC', 1],
    ['EACCES', 5],
    ['EIO', 7],
  ])('failing with %s at a file operation (every %i.), leaves all old at once', async (code, step) => {
    const folder = await fresh(`errno-${code}`);
    for (let k = 1; k <= operationCount; k += step) {
      const { ops, guardHistory } = faultyOps(k, () => {
        throw errno(code);
      });
      const bench = workbench({ folder, ops });
      guardHistory(bench.history);
      let failed = false;
      try {
        await bench.applier.apply(bench.project, bigChange, { tool: 'test' });
      } catch (error) {
        failed = true;
        expect(error).toHaveProperty('code');
      }
      // Past the moment of commit the change has happened; what fails there is settled by the next start.
      const tree = await treeOf(bench.project.root);
      const again = workbench({ folder });
      await again.applier.recover(again.project);
      const settled = await again.tree();
      if (JSON.stringify(settled) === JSON.stringify(sorted(after, settled))) {
        expect(k).toBeGreaterThan(80);
        await undoChanges(again.applier, again.history, again.project, {}, { tool: 'undo' });
      } else {
        expect(failed).toBe(true);
        expect(tree, `failed at operation ${k}`).toEqual(before);
      }
      expect(await again.tree()).toEqual(before);
    }
  });

  it('sets an unreadable journal aside and says so', async () => {
    const folder = await fresh('damaged');
    const bench = workbench({ folder });
    await bench.applier.recover(bench.project);
    await cp(join(scratch, 'whole', 'state'), bench.project.stateDir, { recursive: true });
    await writeFile(join(bench.project.stateDir, 'journal', 'x.prepared'), '{"format":1,');
    const report = await workbench({ folder }).applier.recover(bench.project);
    expect(report.problems).toHaveLength(1);
  });
});

describe('other programs writing at the same time', () => {
  it('never lose what they wrote while a change passes through, and never see half a change', async () => {
    const folder = await fresh('race');
    const bench = workbench({ folder });
    const file = join(bench.project.root, 'src/f7.ts');
    const writer = join(scratch, 'writer.mjs');
    // Each line it appends is promised to be there at the end: it reads, appends and writes, and stops when the file is not its own.
    await writeFile(
      writer,
      `import { appendFileSync } from 'node:fs';
       const until = Date.now() + 1500;
       let n = 0;
       while (Date.now() < until) { appendFileSync(${JSON.stringify(file)}, 'L' + n++ + '\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25); }
       process.stdout.write(String(n));`,
    );
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, [writer], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let applied = 0;
    let refused = 0;
    let done = false;
    void ended.then(() => (done = true));
    while (!done) {
      const header = `// ${applied}\n`;
      try {
        await bench.applier.apply(
          bench.project,
          [
            {
              kind: 'edit',
              path: 'src/f7.ts',
              edits: [{ range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }, newText: header }],
            },
            {
              kind: 'edit',
              path: 'src/f8.ts',
              edits: [{ range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }, newText: header }],
            },
          ],
          { tool: 'test' },
        );
        applied += 1;
      } catch (error) {
        // A writer that hits the file twice within one change gets both its versions kept apart, and the error says so.
        expect(error).toMatchObject({ message: expect.stringContaining('src/f7.ts') });
        if (error instanceof ToolError && error.code !== 'file_changed') {
          child.kill();
          await ended;
          return;
        }
        refused += 1;
      }
    }
    await ended;
    const text = await readFile(file, 'utf8');
    const promised = Number(output);
    const missing = Array.from({ length: promised }, (_, n) => `L${n}`).filter(
      (line) => !text.split('\n').includes(line),
    );
    expect(missing).toEqual([]);
    const headers = (content: string): number => content.split('\n').filter((line) => line.startsWith('// ')).length;
    expect(headers(text)).toBe(applied);
    expect(headers(await readFile(join(bench.project.root, 'src/f8.ts'), 'utf8'))).toBe(applied);
    expect(applied + refused).toBeGreaterThan(20);
  });
});

function sorted(tree: Record<string, string>, like: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...Object.keys(like)]
      .filter((key) => key in tree)
      .map((key) => [key, tree[key] ?? ''])
      .concat(Object.entries(tree).filter(([key]) => !(key in like))),
  );
}
