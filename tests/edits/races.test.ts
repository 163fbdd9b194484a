import { execFile } from 'node:child_process';
import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline } from '../harness/harness.ts';
import { diskOps } from '../../src/engine/workspace/edits/fileOps.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { treeOf, workbench } from './workbench.ts';

let scratch: string;
beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'sightline-races-')));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('writers that race', () => {
  it('two processes never lose or halve a change, and each is in the history', async () => {
    const script = join(scratch, 'racingWriter.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('./racingWriter.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    const folder = join(scratch, 'processes');
    const bench = workbench({ folder });
    await bench.write({ a: '0', b: '0' });
    const before = await bench.tree();
    const rounds = 25;
    await Promise.all(
      ['one', 'two'].map((client) => promisify(execFile)(process.execPath, [script, folder, client, String(rounds)])),
    );
    expect([await bench.read('a'), await bench.read('b')]).toEqual([String(2 * rounds), String(2 * rounds)]);
    const changes = await bench.history.list(bench.project);
    expect(changes).toHaveLength(2 * rounds);
    // Each change began where the one before it ended.
    const hashes = changes.map(({ transitions }) => transitions.find(({ path }) => path.endsWith('/a')));
    for (const [index, later] of hashes.slice(0, -1).entries()) expect(later?.before).toEqual(hashes[index + 1]?.after);
    // Those of one client cannot be taken back from under the other, and the refusal says who changed what since.
    const client = changes[0]?.origin.client === 'one' ? 'two' : 'one';
    const undoing = undoChanges(bench.applier, bench.history, bench.project, { client }, { tool: 'undo' });
    await expect(undoing).rejects.toMatchObject({
      code: 'undo_conflict',
      data: {
        files: expect.arrayContaining([
          expect.objectContaining({ file: 'a', changeMade: expect.any(String), madeSince: expect.any(String) }),
        ]),
      },
    });
    await undoChanges(bench.applier, bench.history, bench.project, { since: new Date(0) }, { tool: 'undo' });
    expect(await bench.tree()).toEqual(before);
  });

  it('two clients of one process edit one file at the same time: every edit is there, and each can be undone', async () => {
    const count = 15;
    const lines = Array.from({ length: 2 * count }, (_, index) => `line ${index} old`);
    const ide = await startSightline({ project: { 'package.json': '{}', 'f.txt': `${lines.join('\n')}\n` } });
    try {
      const clients = await Promise.all(['first', 'second'].map((name) => ide.connect({ face: 'workspace', name })));
      const before = await treeOf(ide.root);
      const since = new Date().toISOString();
      await Promise.all(
        clients.flatMap((client, side) =>
          Array.from({ length: count }, async (_, index) => {
            const number = 2 * index + side;
            const done = await client.data('edit_file', {
              file_path: 'f.txt',
              old_text: `line ${number} old\n`,
              new_text: `line ${number} by ${side}\n`,
            });
            expect(done['changesCount']).toBe(1);
          }),
        ),
      );
      const text = readFileSync(join(ide.root, 'f.txt'), 'utf8');
      expect(text).toBe(lines.map((line, index) => line.replace('old', `by ${index % 2}`)).join('\n') + '\n');
      await clients[0]?.data('undo', { since });
      expect(await treeOf(ide.root)).toEqual(before);
      await Promise.all(clients.map((client) => client.close()));
    } finally {
      await ide.dispose();
    }
  });

  // Each check alone must hold: the others would hide that one is missing.
  it('a file that changed after the plan, however long ago by its own clock, is a refusal', async () => {
    const bench = workbench();
    await bench.write({ f: 'original' });
    const path = join(bench.project.root, 'f');
    const plan = await bench.applier.plan(bench.project, [{ kind: 'write', path: 'f', content: 'ours' }]);
    writeFileSync(path, 'foreign!');
    utimesSync(path, new Date(2020, 1), new Date(2020, 1));
    await expect(bench.applier.apply(bench.project, plan, { tool: 'race' })).rejects.toMatchObject({
      code: 'file_changed',
    });
    expect(await bench.read('f')).toBe('foreign!');
    await bench.dispose();
  });

  it.each([
    // Whoever puts another file in place does so before our last look, whoever writes into the old one also after it.
    { when: 'writeNew' as const, how: 'puts another file in its place' },
    { when: 'writeNew' as const, how: 'writes into it' },
    { when: 'rename' as const, how: 'writes into it' },
    { when: 'publish' as const, how: 'makes the file that we make' },
  ])('somebody who $how when our change is at its $when is not overwritten', async ({ when, how }) => {
    const folder = join(scratch, `${when} ${how}`.replaceAll(' ', '-'));
    const path = join(folder, 'project', 'f');
    let isDone = false;
    const meanwhile = (target: string): void => {
      const isOurs = !target.includes('/journal/') && !isDone;
      if (!isOurs) return;
      isDone = true;
      if (how.startsWith('makes')) writeFileSync(join(dirname(path), 'n'), 'foreign!');
      else if (how === 'writes into it') writeFileSync(path, 'foreign!');
      else {
        writeFileSync(`${path}.other`, 'foreign!');
        renameSync(`${path}.other`, path);
      }
      // Its clock says that it is old: only what it is tells that it is another one.
      utimesSync(path, new Date(2020, 1), new Date(2020, 1));
    };
    const bench = workbench({
      folder,
      ops: {
        ...diskOps,
        writeNew: async (target, bytes, mode) => {
          await diskOps.writeNew(target, bytes, mode);
          if (when === 'writeNew') meanwhile(target);
        },
        publish: async (from, to) => {
          if (when === 'publish') meanwhile(to);
          await diskOps.publish(from, to);
        },
        rename: async (from, to) => {
          if (when === 'rename') meanwhile(to);
          await diskOps.rename(from, to);
        },
      },
    });
    await bench.write({ f: 'original', g: 'beside' });
    const change = [
      { kind: 'write' as const, path: 'f', content: 'ours' },
      { kind: 'write' as const, path: 'g', content: 'ours too' },
      { kind: 'create' as const, path: 'n', content: 'ours as well' },
    ];
    await expect(bench.applier.apply(bench.project, change, { tool: 'race' })).rejects.toMatchObject({
      code: 'file_changed',
    });
    expect(isDone).toBe(true);
    const isMade = how.startsWith('makes');
    expect(await bench.tree()).toEqual({
      f: `644 ${isMade ? 'original' : 'foreign!'}`,
      g: '644 beside',
      ...(isMade ? { n: '644 foreign!' } : {}),
    });
  });

  it('what somebody else writes meanwhile is never lost: it stands there, or undo brings it back', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const bench = workbench();
      await bench.write({ f: 'original', g: 'beside' });
      const path = join(bench.project.root, 'f');
      // From before the plan to after the rename: the foreign write falls into every gap.
      const timer = setTimeout(() => writeFileSync(path, 'foreign'), round % 12);
      const written = new Promise<void>((resolve) => setTimeout(resolve, (round % 12) + 1));
      const outcome = await bench.applier
        .apply(
          bench.project,
          [
            { kind: 'write', path: 'f', content: 'ours' },
            { kind: 'write', path: 'g', content: 'ours too' },
          ],
          { tool: 'race' },
        )
        .then(
          () => 'done',
          (error: { code?: string }) => `refused ${error.code}`,
        );
      await written;
      clearTimeout(timer);
      const [f, g] = [await bench.read('f'), await bench.read('g')];
      const [change] = await bench.history.list(bench.project);
      const replaced = change?.transitions.find((one) => one.path === path)?.before;
      const kept = replaced?.kind === 'file' ? await bench.history.content(bench.project, replaced.hash) : undefined;
      // A refusal left both files alone; a success wrote both, and what it replaced is known to the byte.
      expect({ outcome, f, g, kept: kept?.toString() }).toBeOneOf([
        { outcome: 'refused file_changed', f: 'foreign', g: 'beside', kept: undefined },
        { outcome: 'done', f: 'ours', g: 'ours too', kept: 'foreign' },
        { outcome: 'done', f: 'foreign', g: 'ours too', kept: 'original' },
      ]);
      outcomes.add(`${outcome} ${f}`);
      await bench.dispose();
    }
    expect(outcomes.size).toBeGreaterThan(1);
  });
});
