import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { assetPath } from '../../src/base/assets.ts';
import { pythonEnvironment } from '../harness/foreignTool.ts';
import { ensureEngine } from '../support/engines.ts';
import { run } from './verdicts.ts';

/** The modules of our Python part that need no program around them, each with many small cases in one interpreter. */
it('the parts of the Python refactorings', async () => {
  const here = join(dirname(fileURLToPath(import.meta.url)), 'pythonUnits');
  const environment = await pythonEnvironment((await ensureEngine('python')).path, 'pytest', ['pytest==9.2.0']);
  const paths = [assetPath('python'), (await ensureEngine('rope')).path];
  const setUp = `import sys; sys.path[:0] = ${JSON.stringify(paths)}; import pytest; sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "."]))`;
  const { output } = await run(join(environment, 'bin', 'python'), ['-s', '-B', '-c', setUp], here);
  expect(output).toMatch(/^\d+ passed\b/m);
  expect(output).not.toMatch(/ failed| error/);
});
