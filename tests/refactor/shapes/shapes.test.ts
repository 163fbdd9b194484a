import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { assetPath } from '../../../src/base/assets.ts';
import { expectGolden } from '../../harness/harness.ts';
import { ensureEngine } from '../../support/engines.ts';
import { run } from '../verdicts.ts';

const here = dirname(fileURLToPath(import.meta.url));

/** Many small forms of the language, without a server and a type checker around each: the driver must put them right or refuse them by itself. */
it.each(['delete', 'extract', 'inline', 'move', 'rename', 'variable'])(
  'Python: the driver keeps what a program says: %s',
  async (kind) => {
    const python = await ensureEngine('python');
    const rope = await ensureEngine('rope');
    const script = join(here, 'shapes.py');
    const { output, errors } = await run(
      python.path,
      ['-s', '-B', script, assetPath('python'), rope.path, join(here, `${kind}.txt`)],
      here,
    );
    expect(errors).toBe('');
    await expectGolden(join(here, `${kind}.golden.txt`), output);
  },
);
