import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { TrialTree } from '../../src/engine/code/refactor/python/trialTree.ts';
import type { LocatedEngine } from '../../src/engine/provision/model.ts';
import { Provision } from '../../src/engine/provision/provision.ts';
import type { FileOperation } from '../../src/engine/workspace/edits/operations.ts';
import type { Project } from '../../src/engine/workspace/project.ts';
import { workbench } from '../edits/workbench.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

it('keeps one type checker over a copy of the project, and the project as it is', async () => {
  const ty = await ensureEngine('ty');
  const bench = workbench();
  const { root } = bench.project;
  await bench.write({
    'a.py': 'x: int = 1\n',
    'b.py': 'from a import x\n\nprint(x + 1)\n',
    'shapes/__init__.py': '',
    'shapes/round.py': 'PI = 3\n',
    'c.py': 'from shapes.round import PI\n',
  });
  const log = join(root, 'runs.txt');
  const counting = join(root, 'ty.sh');
  await writeFile(log, '');
  await writeFile(counting, `#!/bin/sh\necho run >> "${log}"\nexec "${ty.path}" "$@"\n`);
  await chmod(counting, 0o755);
  const runs = async (): Promise<number> => (await readFile(log, 'utf8')).split('run').length - 1;
  const trials = new TrialTree(bench.project, new CountedProvision(counting));
  const path = join(root, 'a.py');
  const write = (content: string): FileOperation[] => [{ kind: 'write', path, content, expectedHash: '' }];
  const files = async (operations: FileOperation[]): Promise<string[]> => {
    const trial = await trials.try(operations, {});
    if (typeof trial !== 'object') throw new Error(`not tried: ${trial}`);
    expect(trial.before).toEqual([]);
    return trial.after.map(({ file, line }) => `${relative(root, file)}:${line}`);
  };

  trials.prepare();
  expect(await files(write('x: str = "one"\n'))).toEqual(['b.py:3']);
  expect(await files(write('x: int = 2\n'))).toEqual([]);
  const import_ = 'from made import y as x\n';
  const made: FileOperation = { kind: 'create', path: join(root, 'made.py'), content: 'y: int = 1\n' };
  expect(await files([made, ...write(import_)])).toEqual([]);
  expect(await files(write(import_))).toEqual(['a.py:1']);
  expect(await runs()).toBe(1);
  // Files and folders that come and go, and what was tried before is forgotten each time.
  expect(await files([{ kind: 'rename', from: join(root, 'shapes'), to: join(root, 'forms') }])).toEqual(['c.py:1']);
  expect(await files([{ kind: 'delete', path }])).toEqual(['b.py:1']);
  expect(
    await files([
      { kind: 'create', path: join(root, 'new/made.py'), content: 'y: int = 1\n' },
      { kind: 'write', path, content: 'from new.made import y as x\n', expectedHash: '' },
    ]),
  ).toEqual([]);
  expect(await files([])).toEqual([]);
  // What others do to the project is followed.
  await writeFile(path, 'x: int = 22\n');
  await writeFile(join(root, 'd.py'), 'from b import x\n\nx.real\n');
  expect(await files(write('x: str = "two"\n'))).toEqual(['b.py:3', 'd.py:3']);
  // The one that stays was asked again; each of the three before had one of its own.
  expect(await runs()).toBe(4);
  await rm(join(root, 'd.py'));
  expect(await files(write('x: str = "two"\n'))).toEqual(['b.py:3']);
  expect(await runs()).toBe(5);
  // Settings decide how everything is read: one that reads them anew.
  await writeFile(join(root, 'ty.toml'), '[rules]\nunsupported-operator = "ignore"\n');
  expect(await files(write('x: str = "three"\n'))).toEqual([]);
  expect(await runs()).toBe(6);
  // Several at once do not see each other.
  const both = await Promise.all([files([{ kind: 'delete', path }]), files(write('x: int = 4\n'))]);
  expect(both).toEqual([['b.py:1'], []]);
  await trials.dispose();
  await bench.dispose();
});

class CountedProvision extends Provision {
  readonly #ty: string;

  constructor(ty: string) {
    super({ cacheDir: testCacheDir, env: process.env });
    this.#ty = ty;
  }

  override async locate(engineId: string, project?: Project): Promise<LocatedEngine> {
    const located = await super.locate(engineId, project);
    return engineId === 'ty' && located.found ? { ...located, command: [this.#ty] } : located;
  }
}
