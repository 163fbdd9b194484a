import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { descendantsOf } from '../../src/base/processIdentity.ts';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';
import { builtProgram } from '../support/program.ts';
import { seriousFindings } from './accessibility.ts';
import { openDashboard, startBrowser } from './browser.ts';
import { shoot } from './screenshots.ts';

let ide: RunningSightline;
let browser: Browser;

beforeAll(async () => {
  await builtProgram();
  ide = await startSightline({ project: { 'package.json': '{}' } });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await ide.dispose();
});

const write = (name: string) => ({ file_path: `.vscode/${name}`, content: `{"tasks": [{"command": "${name}"}]}\n` });

test('a person answers for two agents, in two browsers at once', async () => {
  const [one, two] = [await ide.connect({ name: 'one' }), await ide.connect({ name: 'two' })];
  const first = await openDashboard(browser, ide, { path: 'needs-you' });
  const second = await openDashboard(browser, ide, { path: 'needs-you', theme: 'dark' });
  await first.page.getByText('Nothing waits for you').waitFor();
  expect(await seriousFindings(first.page)).toEqual([]);

  const denied = one.call('write_file', write('launch.json'));
  const approved = two.call('write_file', write('tasks.json'));
  const question = (page: typeof first.page, name: string) =>
    page.getByRole('article', { name: `${name} 1 wants write_file` });
  await question(first.page, 'one').getByText('"command": "launch.json"').waitFor();
  await question(second.page, 'two').getByText('+++ b/.vscode/tasks.json').waitFor();
  await shoot(first.page, 'needsYou');
  await expect.poll(() => first.page.title()).toBe('(2) Sightline');
  expect(await seriousFindings(second.page)).toEqual([]);

  await question(first.page, 'one').getByRole('button', { name: 'Deny…' }).click();
  await first.page.getByRole('textbox').fill('Ask me about the port first.');
  await question(first.page, 'one').getByRole('button', { name: 'Deny', exact: true }).click();
  expect((await denied).error).toMatchObject({
    name: 'approval_denied',
    message: expect.stringContaining('They say: Ask me about the port first.'),
  });
  await question(second.page, 'one').waitFor({ state: 'detached' });

  await question(second.page, 'two').getByRole('button', { name: 'Approve for this session' }).click();
  expect((await approved).error).toBeUndefined();
  expect(existsSync(join(ide.root, '.vscode/tasks.json'))).toBe(true);
  expect(existsSync(join(ide.root, '.vscode/launch.json'))).toBe(false);
  await expect.poll(() => first.page.title()).toBe('Sightline');

  // The same tool of the same client needs no second answer; another client does.
  expect((await two.call('write_file', write('settings.json'))).error).toBeUndefined();
  const asked = one.call('write_file', write('extensions.json'));
  await question(first.page, 'one').getByRole('button', { name: 'Approve once' }).click();
  expect((await asked).error).toBeUndefined();
  expect([...first.complaints, ...second.complaints]).toEqual([]);
});

test('a program that asks for a password and a language server that ended wait for a person too', async () => {
  const agent = await ide.connect({ name: 'three', face: 'all', output: 'text' });
  await writeFile(join(ide.root, 'a.ts'), 'export const a = 1;\n');
  const { page, complaints } = await openDashboard(browser, ide, { path: 'needs-you' });
  await agent.text('run_in_terminal', {
    command: `read -s -p "Password <b>of</b> me: " secret; echo "got \${#secret}"`,
    wait_ms: 2000,
  });
  const asked = page.getByRole('article', { name: /asks for a password/ });
  await asked.getByText('Password <b>of</b> me:').waitFor();
  await expect.poll(() => page.title()).toBe('(1) Sightline');
  expect(await seriousFindings(page)).toEqual([]);
  await shoot(page, 'needsPassword');
  await asked
    .getByRole('textbox')
    .or(asked.getByLabel(/^Password for/))
    .first()
    .fill('sesame');
  await page.keyboard.press('Enter');
  await asked.waitFor({ state: 'detached' });
  let read = '';
  await expect
    .poll(async () => (read += await agent.text('read_terminal_output', { wait_ms: 2000 })), { timeout: 20_000 })
    .toContain('got 6');
  expect(read).not.toContain('sesame');

  await agent.text('ide_file_structure', { file: 'a.ts' });
  const killServer = () => {
    const [server] = ide.sightline.engines.code.pool.servers;
    if (server === undefined) throw new Error('no language server runs');
    process.kill(server.pid, 'SIGKILL');
  };
  killServer();
  const crashed = page.getByRole('article', { name: /ended by itself/ });
  await crashed.getByText('SIGKILL').waitFor();
  await expect.poll(() => page.title()).toBe('(1) Sightline');
  await shoot(page, 'needsCrash');
  expect(await seriousFindings(page)).toEqual([]);
  // The next question starts it, and nobody has to do anything any more.
  await agent.text('ide_file_structure', { file: 'a.ts' });
  await crashed.waitFor({ state: 'detached' });
  killServer();
  await crashed.getByRole('button', { name: 'Let it start again' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  await expect.poll(() => page.title()).toBe('Sightline');
  expect(complaints).toEqual([]);
});

test('a debug adapter that ended by itself waits for a person, and its program does not run on', async () => {
  await ensureEngine('gdb');
  await writeFile(join(ide.root, 'loop.c'), '#include <unistd.h>\nint main(void) {\n  for (;;) usleep(1000);\n}\n');
  const agent = await ide.connect({ name: 'four', face: 'debugger' });
  const { page, complaints } = await openDashboard(browser, ide, { path: 'needs-you' });
  const start = async () => {
    const started = await agent.data('start_debug_session', { program: 'loop.c', wait_ms: 0 });
    const session = ide.sightline.engines.debugger.sessions().find(({ id }) => id === started['sessionId']);
    await expect.poll(() => session?.pid, { timeout: 20_000 }).toBeDefined();
    return session?.pid ?? 0;
  };
  const crash = () => {
    const adapter = descendantsOf([process.pid]).find(({ pid }) => commandLine(pid).includes('-i=dap'));
    if (adapter === undefined) throw new Error('there is no gdb');
    process.kill(adapter.pid, 'SIGKILL');
  };
  const program = await start();
  crash();
  const crashed = page.getByRole('article', { name: 'gdb ended by itself' });
  await crashed.getByText('ended with SIGKILL').waitFor();
  await expect.poll(() => page.title()).toBe('(1) Sightline');
  expect(await seriousFindings(page)).toEqual([]);
  await shoot(page, 'needsAdapter');
  await expect.poll(() => existsSync(`/proc/${program}`), { timeout: 10_000 }).toBe(false);
  // The agent is told why its session is over.
  const told = async () => JSON.stringify(await agent.data('get_debug_session_status'));
  await expect.poll(told, { timeout: 10_000 }).toContain('gdb, which debugged it, ended by itself (SIGKILL)');

  // A session that starts shows that the adapter works again; a person may also say that it was seen.
  await start();
  await crashed.waitFor({ state: 'detached' });
  crash();
  await crashed.getByRole('button', { name: 'I have seen it' }).click();
  await crashed.waitFor({ state: 'detached' });
  await expect.poll(() => page.title()).toBe('Sightline');
  expect(complaints).toEqual([]);
});

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
