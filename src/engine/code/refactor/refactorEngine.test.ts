import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workbench, type Workbench } from '../../../../tests/edits/workbench.ts';
import { Logger } from '../../../base/logger.ts';
import { PlanStore } from '../../workspace/edits/planStore.ts';
import { proposal, type Conflict, type LanguageRefactorer, type Proposal, type RefactorWaiting } from './model.ts';
import { RefactorEngine } from './refactorEngine.ts';
import { because } from './refusals/refuse.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.dispose());

/** Looks once, and then waits until it is told to stop. */
function slowChecker(): LanguageRefactorer {
  let looks = 0;
  const problems = (_files: readonly string[], { signal }: RefactorWaiting): Promise<never[]> => {
    if (looks++ === 0) return Promise.resolve([]);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  };
  return { problems } as unknown as LanguageRefactorer;
}

async function carriedOut(waiting: RefactorWaiting): Promise<unknown> {
  await bench.write({ 'a.ts': 'old\n' });
  const { applier, history, project } = bench;
  const engine = new RefactorEngine({
    applier,
    history,
    plans: new PlanStore(applier),
    logger: new Logger(() => {}),
    refactorers: new Map(),
  });
  const made = proposal('change a.ts', [{ kind: 'write', path: join(project.root, 'a.ts'), content: 'new\n' }], {
    tryOnDisk: true,
  });
  const options = { preview: false, force: false, rollbackOnError: false };
  const origin = { tool: 'test', callId: 'c', client: 'x' };
  return engine.carryOut(project, slowChecker(), made, options, origin, waiting);
}

it('takes back what there was no time to check, and says so', async () => {
  const answer = carriedOut({ signal: new AbortController().signal, checkBy: AbortSignal.timeout(50) });
  await expect(answer).rejects.toThrow('It was taken back; the files are as before');
  expect(await bench.read('a.ts')).toBe('old\n');
});

it('takes back what there was no time even to begin to check', async () => {
  const answer = carriedOut({ signal: new AbortController().signal, checkBy: AbortSignal.abort() });
  await expect(answer).rejects.toThrow('It was taken back; the files are as before');
  expect(await bench.read('a.ts')).toBe('old\n');
});

it('takes back what was being checked when the call was stopped', async () => {
  await expect(carriedOut({ signal: AbortSignal.timeout(50) })).rejects.toThrow('aborted due to timeout');
  expect(await bench.read('a.ts')).toBe('old\n');
});

const checker = { problems: () => Promise.resolve([]) } as unknown as LanguageRefactorer;

/** A preview that was answered before its proof, and what comes of applying it when the proof says this. */
async function appliedAfter(proof: (as: (content: string) => Proposal) => Proposal): Promise<unknown> {
  await bench.write({ 'a.ts': 'old\n' });
  const { applier, history, project } = bench;
  const plans = new PlanStore(applier);
  const logger = new Logger(() => {});
  const engine = new RefactorEngine({ applier, history, plans, logger, refactorers: new Map() });
  const path = join(project.root, 'a.ts');
  const as = (content: string): Proposal => proposal('change a.ts', [{ kind: 'write', path, content }]);
  const made = { ...as('new\n'), prove: () => Promise.resolve(proof(as)) };
  const options = { preview: true, force: false, rollbackOnError: false };
  const origin = { tool: 'test', callId: 'c', client: 'x' };
  const { planId = '', verified } = await engine.carryOut(project, checker, made, options, origin, {});
  expect(verified).toBe('pending');
  return plans.apply(plans.get(project, planId), origin);
}

it('proves a preview that could not wait for its proof before it is applied', async () => {
  await appliedAfter((as) => as('new\n'));
  expect(await bench.read('a.ts')).toBe('new\n');
});

it('does not apply a preview that its proof speaks against', async () => {
  const message = because('takenForRenamed', { name: 'x' });
  const conflicts: Conflict[] = [{ kind: 'name', message, file: join(bench.project.root, 'a.ts'), line: 3 }];
  await expect(appliedAfter((as) => ({ ...as('new\n'), conflicts }))).rejects.toThrow(`${message} (a.ts:3)`);
  expect(await bench.read('a.ts')).toBe('old\n');
});

it('does not apply a preview when its proof finds that more must change', async () => {
  await expect(appliedAfter((as) => as('newer\n'))).rejects.toThrow('more must change');
  expect(await bench.read('a.ts')).toBe('old\n');
});
