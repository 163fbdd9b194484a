import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { assetPath } from '../../src/base/assets.ts';
import { pythonEnvironment } from '../harness/foreignTool.ts';
import { run } from '../refactor/verdicts.ts';
import { ensureEngine } from '../support/engines.ts';

/** The modules of the recorder that need no program around them, each with many small cases in one interpreter. */
it('the parts of the recorder in Python programs', async () => {
  const here = join(dirname(fileURLToPath(import.meta.url)), 'pythonUnits');
  const environment = await pythonEnvironment((await ensureEngine('python')).path, 'pytest', ['pytest==9.2.0']);
  const setUp = `import sys; sys.path.insert(0, ${JSON.stringify(assetPath('python'))}); import pytest; sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "."]))`;
  const { output } = await run(join(environment, 'bin', 'python'), ['-s', '-B', '-c', setUp], here);
  expect(output).toMatch(/^\d+ passed\b/m);
  expect(output).not.toMatch(/ failed| error/);
});
