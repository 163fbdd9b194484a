import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { identityOf, isAlive } from './processIdentity.ts';

test('what a killed process has started ends with it, also what left its group and ignores signals', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-guard-')));
  const outfile = join(folder, 'owner.mjs');
  const contents = `import { ManagedProcess, childEnvironment } from './processes.ts';
const sleeping = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
const starts = "const { spawn } = require('node:child_process');" +
  "const left = spawn(process.execPath, ['-e', " + JSON.stringify(sleeping) + "], { stdio: 'ignore', detached: true });" +
  "left.unref(); console.log(left.pid); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
const child = await ManagedProcess.start({ name: 'sleeper', command: process.execPath, args: ['-e', starts], cwd: '/', env: childEnvironment(process.env) });
child.stdout.once('data', (text) => console.log(child.pid + ' ' + text));`;
  try {
    await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const owner = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [told] = (await once(owner.stdout, 'data')) as [Buffer];
    const pids = told.toString().trim().split(/\s+/).map(Number);
    expect(pids.map(lives)).toEqual([true, true]);
    owner.kill('SIGKILL');
    await expect.poll(() => pids.map(lives)).toEqual([false, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function lives(pid: number): boolean {
  return isAlive(identityOf(pid));
}
