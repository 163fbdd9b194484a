// Started by faults.test.ts: carries out the big change and is killed at the operation given.
import { bigChange } from './bigChange.ts';
import { faultyOps } from './faultyOps.ts';
import { workbench } from './workbench.ts';

const [folder, atOperation] = process.argv.slice(2);
const { ops, guardHistory } = faultyOps(Number(atOperation), () => process.kill(process.pid, 'SIGKILL'));
const bench = workbench({ folder, ops });
guardHistory(bench.history);
await bench.applier.apply(bench.project, bigChange, { tool: 'test' });
