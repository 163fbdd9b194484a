// Started by bench/kills.mjs: makes the big change and takes it back, again and again, until it is killed.
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import { bigChange } from './bigChange.ts';
import { workbench } from './workbench.ts';

const [folder = ''] = process.argv.slice(2);
const bench = workbench({ folder });
process.stdout.write('ready\n');
for (;;) {
  const { historyId } = await bench.applier.apply(bench.project, bigChange, { tool: 'bench' });
  await undoChanges(bench.applier, bench.history, bench.project, { historyId }, { tool: 'undo' });
}
