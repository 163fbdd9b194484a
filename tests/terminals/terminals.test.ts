import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDirectory, startSightline, temporaryDirectory } from '../harness/harness.ts';
import type { RunningSightline, TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;
let userHome: string;

beforeAll(async () => {
  userHome = await temporaryDirectory('user');
  writeFileSync(join(userHome, '.bashrc'), 'export FROM_RC=read\nPROMPT_COMMAND="true"\nPS1="me> "\n');
  ide = await startSightline({
    project: {
      'a.txt': 'one\n',
      'sub/b.txt': 'two\n',
      'ask.py': 'import getpass\ngetpass.getpass("Secret word: ")\nprint("thanks")\n',
    },
    env: { HOME: userHome, SHELL: '/bin/bash', NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '/no.so', GIT_DIR: '/no' },
  });
  agent = await ide.connect({ face: 'workspace', transport: 'stdio', name: 'agent one' });
});
afterAll(async () => {
  await ide.dispose();
  await removeDirectory(userHome);
});

function run(command: string, more: Record<string, unknown> = {}) {
  return agent.data('run_in_terminal', { command, name: 'main', ...more });
}

describe('run_in_terminal', () => {
  test('exit code and output of that command only; the shell remembers; the person’s own start-up file was read', async () => {
    expect(await run('cd sub && X=5')).toMatchObject({ state: 'idle', exitCode: 0, output: '' });
    const second = await run('pwd; echo "$X $FROM_RC"; (exit 7)');
    expect(second).toMatchObject({ exitCode: 7, output: `${ide.root}/sub\n5 read\n`, state: 'idle' });
    expect(await run('test -t 0 && tput cols && echo wow!')).toMatchObject({ exitCode: 0, output: '120\nwow!\n' });
  });

  test('its environment is built; two calls at once take two terminals', async () => {
    const env = await run(
      'env | grep -cE "^(NODE_OPTIONS|LD_PRELOAD|GIT_DIR|SIGHTLINE_T.*)=" ; env | grep -c ^SIGHTLINE_RUN=',
    );
    expect(env).toMatchObject({ output: '0\n1\n' });
    const both = await Promise.all([1, 2].map((n) => agent.data('run_in_terminal', { command: `echo ${n}` })));
    expect(both.map(({ output }) => output)).toEqual(['1\n', '2\n']);
    expect(new Set(both.map(({ terminalId }) => terminalId)).size).toBe(2);
  });

  test('several lines are one command; what the shell cannot read says so', async () => {
    expect(await run('for i in 1 2; do\n  echo "line $i"\ndone\nfalse')).toMatchObject({
      exitCode: 1,
      output: 'line 1\nline 2\n',
    });
    expect(await run('echo )')).toMatchObject({ exitCode: 2, output: expect.stringContaining('syntax error') });
    const open = await agent.call('run_in_terminal', { command: 'echo "never closed', name: 'open' });
    expect(open.error).toMatchObject({ name: 'command_failed', message: expect.stringContaining('not complete') });
    expect(await run('echo again', { name: 'open' })).toMatchObject({ exitCode: 0, output: 'again\n' });
  });

  test('output that is overwritten, coloured or wider than the screen is given as it is seen', async () => {
    const { output } = await run(
      String.raw`printf '10%%\r50%%\r100%%\n\e[31mred\e[0m\n'; printf 'w%.0s' {1..300}; echo; printf 'no newline'`,
    );
    expect(output).toBe(`100%\nred\n${'w'.repeat(300)}\nno newline`);
  });

  test('no output can pose as the end of a command', async () => {
    const forged = await run(String.raw`printf '\e]633;D;0\a\e]633;D;0;guess\a'; sleep 0.2; echo real; (exit 3)`);
    expect(forged).toMatchObject({ exitCode: 3, output: 'real\n' });
  });

  test('what a command changes is recorded and can be taken back', async () => {
    const { changed } = await run(`echo more >> ${ide.root}/a.txt`);
    expect(changed).toMatchObject({ files: ['a.txt'] });
    await agent.data('undo', { history_id: (changed as { historyId: string }).historyId });
    expect(readFileSync(join(ide.root, 'a.txt'), 'utf8')).toBe('one\n');
  });

  test('a command that goes on: busy, read, interrupted', async () => {
    expect(await run('echo begun; sleep 1000', { wait_ms: 800 })).toMatchObject({
      state: 'running',
      output: 'begun\n',
    });
    const busy = await agent.call('run_in_terminal', { command: 'true', name: 'main' });
    expect(busy.error).toMatchObject({
      name: 'command_failed',
      message: expect.stringContaining('busy with "echo begun'),
    });
    const { terminals } = await agent.data('list_terminals');
    expect(terminals).toContainEqual(
      expect.objectContaining({
        name: 'main',
        state: 'running',
        command: 'echo begun; sleep 1000',
        owner: 'you',
        cwd: 'sub',
      }),
    );
    expect(await agent.data('write_terminal_input', { terminal_id: 'main', keys: ['Ctrl-C'] })).toMatchObject({
      state: 'idle',
      exitCode: 130,
    });
  });

  test('a cancelled call presses Ctrl-C; another folder is gone to', async () => {
    const cancel = new AbortController();
    const call = agent.call('run_in_terminal', { command: 'sleep 1000', name: 'main' }, { signal: cancel.signal });
    call.catch(() => undefined);
    const [terminal] = ide.sightline.engines.terminals.all.filter(({ spec }) => spec.name === 'main');
    await expect.poll(() => terminal?.command?.text, { timeout: 10_000 }).toBe('sleep 1000');
    cancel.abort();
    await expect.poll(() => terminal?.state, { timeout: 5000 }).toBe('idle');
    expect(terminal?.command).toMatchObject({ exitCode: 130 });
    expect(await run('pwd', { cwd: '.' })).toMatchObject({ exitCode: 0, output: `${ide.root}\n` });
  });

  test('a program that asks is told as such and answered', async () => {
    const asked = await run('read -p "Go on? " answer; echo "said $answer"');
    expect(asked).toMatchObject({ state: 'input', output: 'Go on?' });
    const answered = await agent.data('write_terminal_input', { terminal_id: 'main', text: 'yes', keys: ['Enter'] });
    expect(answered).toMatchObject({ exitCode: 0, output: 'Go on? yes\nsaid yes\n' });
  });

  test('a prompt of a language: told that it waits, and only what is new is given', async () => {
    expect(await run('node -i')).toMatchObject({ state: 'input', output: expect.stringMatching(/>$/) });
    const answer = await agent.data('write_terminal_input', { terminal_id: 'main', text: '6 * 7', keys: ['Enter'] });
    expect(answer).toMatchObject({ state: 'input', output: '> 6 * 7\n42\n>' });
    const over = await agent.data('write_terminal_input', { terminal_id: 'main', keys: ['Ctrl-D'] });
    expect(over).toMatchObject({ state: 'idle', exitCode: 0 });
    const drawn = await run(String.raw`echo gone; printf '\e[H\e[2Jdrawn anew\n'`);
    expect(drawn).toMatchObject({ output: 'drawn anew' });
  });

  test('a full-screen program is shown as a screen and takes keys', async () => {
    writeFileSync(join(ide.root, 'long.txt'), Array.from({ length: 200 }, (_, i) => `row ${i + 1}`).join('\n'));
    const shown = await run(`less ${ide.root}/long.txt`);
    expect(shown).toMatchObject({ state: 'fullScreen' });
    expect(String(shown['screen']).split('\n').slice(0, 2)).toEqual(['row 1', 'row 2']);
    const end = await agent.data('write_terminal_input', { terminal_id: 'main', text: 'G' });
    expect(end['screen']).toContain('row 200');
    expect(await agent.data('write_terminal_input', { terminal_id: 'main', text: 'q' })).toMatchObject({
      state: 'idle',
      exitCode: 0,
    });
  });

  test('a password is the person’s: the agent is told, refused, and nothing of it is written down', async () => {
    const asked = await run(`python3 ${ide.root}/ask.py`);
    expect(asked).toMatchObject({ state: 'password', output: expect.stringContaining('Secret word:') });
    expect(JSON.stringify(asked['notes'])).toContain('sightline terminal term_');
    const refused = await agent.call('write_terminal_input', { terminal_id: 'main', text: 'hunter2\n' });
    expect(refused.error).toMatchObject({ name: 'permission_denied' });
    // The person's way in.
    ide.sightline.engines.terminals.get(String(asked['terminalId'])).type('open-sesame\r');
    const after = await agent.data('read_terminal_output', { terminal_id: 'main', wait_ms: 10_000 });
    expect(after).toMatchObject({ state: 'idle', exitCode: 0, output: expect.stringContaining('thanks') });
    expect(JSON.stringify(after)).not.toContain('open-sesame');
    const written = readdirSync(ide.home, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(written.filter((text) => text.includes('open-sesame'))).toEqual([]);
  });

  test('text left at the prompt is shown, and is no part of the next command', async () => {
    const left = await agent.data('write_terminal_input', { terminal_id: 'main', text: 'echo left' });
    expect(left).toMatchObject({ state: 'idle', screen: expect.stringMatching(/me> echo left$/) });
    expect(left).not.toHaveProperty('exitCode');
    expect(await run('echo next')).toMatchObject({ output: 'next\n' });
    const typed = await agent.data('write_terminal_input', { terminal_id: 'main', text: 'echo typed; (exit 4)\n' });
    expect(typed).toMatchObject({ state: 'idle', exitCode: 4, output: 'typed\n' });
  });

  test('bad input is refused in words', async () => {
    const refusals = await Promise.all([
      agent.call('run_in_terminal', { command: 'true', terminal_id: 'term_none' }),
      agent.call('write_terminal_input', { terminal_id: 'main', keys: ['Hyper-Q'] }),
      agent.call('write_terminal_input', { terminal_id: 'main' }),
    ]);
    expect(refusals.map(({ error }) => error?.name)).toEqual([
      'terminal_not_found',
      'invalid_arguments',
      'invalid_arguments',
    ]);
  });
});

test('20 MB through a terminal: bounded in memory, the beginning and the end are kept', async () => {
  const before = process.memoryUsage().rss;
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
  const begun = await run('echo first; yes "a line of a log that scrolls by" | head -c 20M; echo; echo last', {
    wait_ms: 0,
  });
  const asked = Date.now();
  await agent.data('list_terminals');
  expect(Date.now() - asked).toBeLessThan(10_000);
  const ended = await agent.data('read_terminal_output', { terminal_id: begun['terminalId'], wait_ms: 40_000 });
  clearInterval(sampling);
  expect(ended).toMatchObject({ state: 'idle', exitCode: 0 });
  expect(ended['output']).toMatch(/^first\na line of[^]*left out[^]*\nlast\n$/);
  expect(peak - before).toBeLessThan(150 * 1024 * 1024);
});

test('terminals outlive the client that opened them and end, with all they started, when closed', async () => {
  const { terminalId } = await agent.data('run_in_terminal', {
    command: 'setsid sleep 5432 & nohup sleep 5433 & echo $$',
    name: 'kept',
  });
  await expect.poll(sleepers).toHaveLength(2);
  await agent.close();
  agent = await ide.connect({ face: 'workspace', name: 'agent two' });
  const { terminals } = await agent.data('list_terminals');
  expect(terminals).toContainEqual(
    expect.objectContaining({ terminalId, state: 'idle', owner: expect.stringContaining('agent one') }),
  );
  expect(await run('echo still here', { terminal_id: terminalId })).toMatchObject({ output: 'still here\n' });
  expect(await agent.data('stop_job', { job_id: terminalId })).toMatchObject({ state: 'stopped' });
  expect(sleepers()).toEqual([]);
});

test('a shell that exits', async () => {
  expect(await agent.data('run_in_terminal', { command: 'exit 3', name: 'short' })).toMatchObject({ state: 'ended' });
  const more = await agent.call('write_terminal_input', { terminal_id: 'short', text: 'x' });
  expect(more.error).toMatchObject({ name: 'terminal_not_found' });
});

test('what a killed process left of its terminals is taken away; closed ones leave nothing', async () => {
  const other = await startSightline({ project: { 'a.txt': '' }, env: { HOME: userHome } });
  const folder = join(other.home, 'state', 'terminals');
  try {
    mkdirSync(join(folder, '4194303-1-t_left'), { recursive: true });
    const client = await other.connect({ face: 'workspace' });
    const { terminalId } = await client.data('run_in_terminal', { command: 'echo a\necho b' });
    expect(readdirSync(folder)).toEqual([expect.stringMatching(new RegExp(`^${process.pid}-`))]);
    await client.data('stop_job', { job_id: terminalId });
    await expect.poll(() => readdirSync(folder), { timeout: 5000 }).toEqual([]);
  } finally {
    await other.dispose();
  }
});

test('nothing of a person’s files was touched', () => {
  expect(readFileSync(join(userHome, '.bashrc'), 'utf8')).toMatch(/^export FROM_RC[^]{0,60}$/);
  expect(existsSync(join(userHome, '.bash_history'))).toBe(false);
});

function sleepers(): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return /^sleep\x00543[23]\x00/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
      } catch {
        return false;
      }
    });
}
