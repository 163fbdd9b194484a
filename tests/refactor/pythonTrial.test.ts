import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TrialTree } from '../../src/engine/code/refactor/python/trialTree.ts';
import type { LocatedEngine } from '../../src/engine/provision/model.ts';
import { Provision } from '../../src/engine/provision/provision.ts';
import type { FileOperation } from '../../src/engine/workspace/edits/operations.ts';
import type { Project } from '../../src/engine/workspace/project.ts';
import { workbench } from '../edits/workbench.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

it('asks the type checker once for each state of the project', async () => {
  const ty = await ensureEngine('ty');
  const bench = workbench();
  await bench.write({ 'a.py': 'x: int = 1\n', 'b.py': 'from a import x\n\nprint(x + 1)\n' });
  const log = join(bench.project.root, 'runs.txt');
  const counting = join(bench.project.root, 'ty.sh');
  await writeFile(log, '');
  await writeFile(counting, `#!/bin/sh\necho run >> "${log}"\nexec "${ty.path}" "$@"\n`);
  await chmod(counting, 0o755);
  const runs = async (): Promise<number> => (await readFile(log, 'utf8')).split('run').length - 1;
  const trials = new TrialTree(bench.project, new CountedProvision(counting));
  const path = join(bench.project.root, 'a.py');
  const write = (content: string): FileOperation[] => [{ kind: 'write', path, content, expectedHash: '' }];

  const broken = await trials.try(write('x: str = "one"\n'), {});
  expect(broken).toMatchObject({ before: [], after: [{ file: join(bench.project.root, 'b.py'), line: 3 }] });
  expect(await runs()).toBe(2);
  expect(await trials.try(write('x: int = 2\n'), {})).toEqual({ before: [], after: [] });
  expect(await runs()).toBe(3);
  // It is applied; what was seen as a copy is now the project, and undoing it was seen too.
  await writeFile(path, 'x: int = 2\n');
  expect(await trials.try(write('x: int = 1\n'), {})).toEqual({ before: [], after: [] });
  expect(await runs()).toBe(3);
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
