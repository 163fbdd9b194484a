// Loaded by bench/kills.mjs: prepares a project for a process that will be killed, and settles it afterwards as the next start does.
import { rm } from 'node:fs/promises';
import { bigChange, bigProject } from './bigChange.ts';
import { workbench } from './workbench.ts';

export type Tree = Record<string, string>;

/** The two states there may be. */
export async function knownStates(folder: string): Promise<{ old: Tree; new: Tree }> {
  await prepare(folder);
  const bench = workbench({ folder });
  const old = await bench.tree();
  await bench.applier.apply(bench.project, bigChange, { tool: 'bench' });
  return { old, new: await bench.tree() };
}

export async function prepare(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await workbench({ folder }).write(bigProject);
}

/** With a history of its own, so that nothing is known but what the disk says. */
export async function settle(folder: string): Promise<{ midway: boolean; problems: readonly string[]; tree: Tree }> {
  const bench = workbench({ folder });
  const { takenBack, completed, problems } = await bench.applier.recover(bench.project);
  return { midway: takenBack.length + completed.length > 0, problems, tree: await bench.tree() };
}
