// Started by races.test.ts: counts two files up together, in a process of its own, as often as it is told.
import { join } from 'node:path';
import { ToolError } from '../../src/base/errors.ts';
import { readVersion } from '../../src/engine/workspace/edits/readVersion.ts';
import { workbench } from './workbench.ts';

const [folder, client, rounds] = process.argv.slice(2);
const bench = workbench({ folder });
let refused = 0;
for (let done = 0; done < Number(rounds);) {
  const [a, b] = await Promise.all(['a', 'b'].map((name) => readVersion(join(bench.project.root, name))));
  const next = String(Number(a?.bytes) + 1);
  try {
    await bench.applier.apply(
      bench.project,
      [
        { kind: 'write', path: 'a', content: next, expectedHash: a?.version.hash },
        { kind: 'write', path: 'b', content: next, expectedHash: b?.version.hash },
        { kind: 'create', path: `by-${client}-${done}`, content: next },
      ],
      { tool: 'race', client },
    );
    done++;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'file_changed') throw error;
    refused++;
  }
}
process.stdout.write(String(refused));
