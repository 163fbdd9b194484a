import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeDirectory, startSightline, temporaryDirectory } from '../harness/harness.ts';

/** What a person has in their home for each, and what an end without a command says. */
const shells = {
  zsh: { file: '.zshrc', text: 'export FROM_RC=read\nPROMPT="me> "\nsetopt PROMPT_SUBST\n' },
  fish: { file: '.config/fish/config.fish', text: 'set -gx FROM_RC read\n' },
};

test.each(Object.entries(shells))('%s tells where its commands begin and end', async (shell, { file, text }) => {
  const home = await temporaryDirectory('user');
  // There already: fish would begin to read every manual page of the machine.
  mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true });
  mkdirSync(join(home, '.config/fish'), { recursive: true });
  writeFileSync(join(home, file), text);
  const path = execFileSync('/bin/sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' }).trim();
  const ide = await startSightline({ project: { 'sub/a.txt': '' }, env: { HOME: home, SHELL: path } });
  try {
    const agent = await ide.connect({ face: 'workspace' });
    const run = (command: string) => agent.data('run_in_terminal', { command, name: 'main' });
    expect(await run('echo $FROM_RC; cd sub')).toMatchObject({ exitCode: 0, output: 'read\n', state: 'idle' });
    expect(await run('pwd; false')).toMatchObject({ exitCode: 1, output: `${ide.root}/sub\n` });
    expect(await run('echo one\necho "two!"\nfalse')).toMatchObject({ exitCode: 1, output: 'one\ntwo!\n' });
    expect(await run('printf "no end of line"')).toMatchObject({ exitCode: 0, output: 'no end of line' });
    expect(await run('cat')).toMatchObject({ state: 'input' });
    const over = await agent.data('write_terminal_input', {
      terminal_id: 'main',
      text: 'typed',
      keys: ['Enter', 'Ctrl-D'],
    });
    expect(over).toMatchObject({ exitCode: 0, output: 'typed\ntyped\n' });
    expect(await run('python3 -c "import getpass; getpass.getpass()"')).toMatchObject({ state: 'password' });
    const interrupted = await agent.data('write_terminal_input', { terminal_id: 'main', keys: ['Ctrl-C'] });
    expect(interrupted).toMatchObject({ state: 'idle', exitCode: 130 });
    const refused = await agent.call('run_in_terminal', { command: 'echo )', name: 'main' });
    expect(refused.data?.['exitCode'] ?? refused.error?.name).not.toBe(0);
    expect(await run('echo goes on')).toMatchObject({ exitCode: 0, output: 'goes on\n' });
    const { terminals } = await agent.data('list_terminals');
    expect(terminals).toEqual([expect.objectContaining({ shell, cwd: 'sub' })]);
  } finally {
    await ide.dispose();
    expect(readFileSync(join(home, file), 'utf8')).toBe(text);
    expect(readdirSync(home, { recursive: true }).filter((name) => String(name).endsWith('history'))).toEqual([]);
    await removeDirectory(home);
  }
});
