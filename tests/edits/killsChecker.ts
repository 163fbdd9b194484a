// Started by bench/kills.mjs: prepares a project, or settles it after a kill and says in which state it is.
import { bigChange, bigProject } from './bigChange.ts';
import { treeOf, workbench } from './workbench.ts';

const [folder = '', what] = process.argv.slice(2);
const bench = workbench({ folder });
if (what === 'prepare') {
  await bench.write(bigProject);
  process.stdout.write('{}');
} else if (what === 'model') {
  await bench.write(bigProject);
  const old = await bench.tree();
  await bench.applier.apply(bench.project, bigChange, { tool: 'bench' });
  process.stdout.write(JSON.stringify({ old, new: await bench.tree() }));
} else {
  const { problems } = await bench.applier.recover(bench.project);
  process.stdout.write(JSON.stringify({ problems, tree: await treeOf(bench.project.root) }));
}
