import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ManagedProcess, childEnvironment, processesWithToken, reapOrphans, runTokenVariable } from './processes.ts';

const sleeping = ['-e', "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);"];

test('orphans carry the token of a dead owner and are reaped; those of a living one are not', async () => {
  const owned = await ManagedProcess.start({
    name: 'sleeper',
    command: process.execPath,
    args: sleeping,
    cwd: '/',
    env: childEnvironment(process.env),
  });
  await once(owned.stdout, 'data');
  const deadOwner = owned.runToken.replace(`-${process.pid}-`, '-4194303-');
  const orphan = spawn(process.execPath, sleeping, {
    env: { ...process.env, [runTokenVariable]: deadOwner },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(orphan.stdout, 'data');
  const exited = once(orphan, 'exit');
  expect(reapOrphans()).toContain(orphan.pid);
  expect(await exited).toEqual([null, 'SIGKILL']);
  expect(owned.hasExited).toBe(false);
  await owned.kill(50);
  expect(owned.hasExited).toBe(true);
  expect(processesWithToken(owned.runToken)).toEqual([]);
});
