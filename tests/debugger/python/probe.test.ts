import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline } from '../../harness/harness.ts';
import { testCacheDir } from '../../support/engines.ts';
import { bugs } from './bugs.ts';
import { ensureDebugpy } from './harness.ts';

beforeAll(ensureDebugpy, 180_000);

describe('one call of debug_probe shows a Python bug', () => {
  let ide: RunningSightline;
  afterEach(() => ide.dispose());

  it.each(bugs)('$name', async ({ files, run, at, shows, hangs }) => {
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    const agent = await ide.connect({ face: 'probe' });
    const text = await agent.text('debug_probe', { ...run, ...(hangs === true ? { wait_ms: 5000 } : {}) });
    expect(hangs === true ? text : text.replace(/^--- hit 1\n/, '').split('\n')[0]).toContain(at);
    for (const each of shows) expect(text).toContain(each);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1500);
  });
});
