import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

/** N6: the debug ports we open are on loopback, chosen by the system, and closed when the session ends. */
describe('debug ports', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    ide = await startSightline({
      env: { SIGHTLINE_CACHE: testCacheDir },
      project: {
        'app.js':
          "const { fork } = require('node:child_process');\nif (!process.argv[2]) fork(__filename, ['child']);\nlet n = 1;\nn += 1;\nsetInterval(() => n++, 1000);\n",
        'app.py': 'n = 1\nn += 1\nprint(n)\n',
      },
    });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it.each(['app.js', 'app.py'])('of %s are loopback only while it runs, and gone afterwards', async (program) => {
    const before = listeners();
    await agent.data('set_breakpoint', { file_path: program, line: program === 'app.js' ? 4 : 2 });
    expect(await agent.data('start_debug_session', { program })).toMatchObject({ state: 'paused' });
    const opened = [...listeners()].filter((address) => !before.has(address));
    expect(opened.length).toBeGreaterThan(0);
    expect(opened.filter((address) => !address.startsWith('127.0.0.1:'))).toEqual([]);
    expect(opened).not.toContain('127.0.0.1:9229');
    await agent.data('stop_debug_session');
    const after = listeners();
    expect(opened.filter((address) => after.has(address))).toEqual([]);
  });
});

/** The addresses this process and everything below it listen on. */
function listeners(): Set<string> {
  const ours = descendants(process.pid);
  const table = execFileSync('ss', ['-Hltnp'], { encoding: 'utf8' });
  const lines = table
    .split('\n')
    .filter((line) => [...line.matchAll(/pid=(\d+)/g)].some(([, pid]) => ours.has(Number(pid))));
  return new Set(lines.flatMap((line) => line.trim().split(/\s+/)[3] ?? []));
}

function descendants(root: number): Set<number> {
  const parents = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set([root]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [pid = 0, parent = 0] of parents) if (found.has(parent)) found.add(pid);
  }
  return found;
}
