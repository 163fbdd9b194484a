import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';

let ide: RunningSightline | undefined;
let cache = '';
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
  await removeDirectory(cache);
});

const project = {
  'pyproject.toml': '[project]\nname = "x"\nversion = "1"\n',
  'pkg/__init__.py': '',
  'pkg/util.py': 'def helper(n):\n    return n + 1\n',
  'pkg/main.py': 'from pkg.util import helper\n\nprint(helper(1))  # helper\n',
};

it('the first question about Python brings its engine along and is answered by it', async () => {
  cache = await temporaryDirectory('cache');
  ide = await startSightline({ project, env: { SIGHTLINE_CACHE: cache } });
  const agent = await ide.connect({ face: 'index' });
  const messages: string[] = [];
  const answer = await agent.call(
    'ide_find_references',
    { symbol: 'pkg/util.py#helper' },
    { onProgress: (text) => messages.push(text ?? '') },
  );
  expect(answer.data).toMatchObject({ totalCount: 3, index: { state: 'ready' } });
  expect(answer.data?.['textual']).toBeUndefined();
});

it('an engine that cannot be fetched is told with the reason, and what the text shows is marked as no more than that', async () => {
  cache = await temporaryDirectory('cache');
  const proxy = 'http://127.0.0.1:9';
  const env = {
    SIGHTLINE_CACHE: cache,
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy, NO_PROXY: '', no_proxy: '' },
    ...{ PIP_CACHE_DIR: join(cache, 'pip'), PIP_RETRIES: '0', VIRTUAL_ENV: '' },
  };
  ide = await startSightline({ project, env });
  const agent = await ide.connect({ face: 'index' });
  const { data } = await agent.call('ide_find_references', { symbol: 'pkg/util.py#helper' });
  expect(data?.['index']).toMatchObject({ state: 'partial', detail: expect.stringContaining('registry') });
  const renamed = await agent.call('ide_refactor_rename', { symbol: 'pkg/util.py#helper', new_name: 'plus' });
  expect(renamed.error).toMatchObject({ name: 'engine_missing', message: expect.stringContaining('registry') });
});
