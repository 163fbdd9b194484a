import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileOperation } from '../../src/engine/workspace/edits/operations.ts';
import { PlanStore } from '../../src/engine/workspace/edits/planStore.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import type { Project } from '../../src/engine/workspace/project.ts';
import { findTool } from '../../src/tools/registry.ts';
import { startSightline } from '../harness/harness.ts';
import { workbench, type Workbench } from './workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = workbench();
  await bench.write({ 'evil.sh': 'evil\n', 'sub/.mcp.json': '{}\n', '.husky/pre-commit': 'old\n', 'a.txt': 'a\n' });
});
afterEach(() => bench.dispose());

describe('configuration that is executed later', () => {
  it.each<[string, FileOperation]>([
    ['written', { kind: 'write', path: '.vscode/tasks.json', content: '{}' }],
    ['edited', { kind: 'edit', path: '.husky/pre-commit', edits: [] }],
    ['created', { kind: 'create', path: '.git/hooks/pre-push', content: 'evil' }],
    ['moved there', { kind: 'rename', from: 'evil.sh', to: '.git/hooks/pre-commit' }],
    ['moved in a folder', { kind: 'rename', from: 'sub', to: 'other' }],
    ['deleted', { kind: 'delete', path: '.husky/pre-commit' }],
  ])('is not %s without a person, whoever asks', async (_how, given) => {
    const operation: FileOperation =
      given.kind === 'edit'
        ? {
            ...given,
            edits: [{ range: { start: { line: 1, column: 1 }, end: { line: 1, column: 4 } }, newText: 'new' }],
          }
        : given;
    const before = await bench.tree();
    const operations: FileOperation[] = [{ kind: 'write', path: 'a.txt', content: 'b\n' }, operation];
    const refusal = { code: 'permission_denied', message: expect.stringContaining('a person must agree') };
    await expect(bench.applier.apply(bench.project, operations, { tool: 'x' })).rejects.toMatchObject(refusal);
    const plans = new PlanStore(bench.applier);
    const plan = plans.add(bench.project, await bench.applier.plan(bench.project, operations), 'x', 'a change');
    await expect(plans.apply(plan, { tool: 'apply_plan' })).rejects.toMatchObject(refusal);
    expect(await bench.tree()).toEqual(before);
    const agreed = { tool: 'x', isAgreed: true };
    const { historyId } = await bench.applier.apply(bench.project, operations, agreed);
    // What is taken back was there before.
    await undoChanges(bench.applier, bench.history, bench.project, { historyId }, { tool: 'undo' });
    expect(await bench.tree()).toEqual(before);
  });

  it('makes moving, renaming and formatting it a matter for a person', () => {
    const project = { root: '/p' } as Project;
    const effect = (tool: string, args: Record<string, unknown>) => findTool(tool).effectOf?.(args, project);
    expect(effect('ide_refactor_move', { file: '/p/a.sh', target_file: '/p/b.sh' })).toBe('edit');
    for (const [tool, args] of [
      ['ide_refactor_move', { file: '/p/a.sh', target_file: '/p/.git/hooks/pre-commit' }],
      ['ide_refactor_move', { file: '/p/pre-commit', target_directory: '/p/.husky' }],
      ['ide_refactor_move', { file: '/p/.npmrc', target_directory: '/p/old' }],
      ['ide_refactor_rename', { file: '/p/mcp.json', new_name: '.mcp.json' }],
      ['format_code', { file_path: '/p/.vscode/settings.json' }],
    ] as const)
      expect([tool, effect(tool, args)]).toEqual([tool, 'destructive']);
  });

  it('is written once the policy or a person allows it', async () => {
    const ide = await startSightline({
      project: { 'package.json': '{}' },
      env: { SIGHTLINE_POLICY_DESTRUCTIVE: 'allow' },
    });
    try {
      const agent = await ide.connect({ face: 'index' });
      await agent.data('write_file', { file_path: 'hook.txt', content: 'x\n' });
      await agent.data('ide_refactor_move', { file: 'hook.txt', target_file: '.husky/pre-commit' });
      expect(await readFile(join(ide.root, '.husky/pre-commit'), 'utf8')).toBe('x\n');
      await agent.close();
    } finally {
      await ide.dispose();
    }
  });
});
