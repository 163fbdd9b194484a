import { describe, expect, it } from 'vitest';
import { whyNotInjected } from './attachByPid.ts';

describe('why a running Python cannot be joined', () => {
  const command = `subprocess.CalledProcessError: Command 'gdb --nw --nh --nx --pid 12 --batch --eval-command='call (int)DoAttach(0, "import codecs;${'x, '.repeat(900)}")''`;

  it('is that gdb is missing, whatever is left of the shell saying so', async () => {
    for (const output of [
      `/bin/sh: 1: gdb: not found\nTraceback (most recent call last):\n${command} returned non-zero exit status 127.`,
      `${command} returned non-zero exit status 127.`.slice(-4000),
      `FileNotFoundError: [Errno 2] No such file or directory: 'gdb'`,
    ])
      expect(whyNotInjected(12, output)).toMatch(/^gdb is not installed, and this Python/);
  });

  it('is that the system forbids it, with the setting that does', async () => {
    const output = `ptrace: Operation not permitted.\n${command} returned non-zero exit status 1.`;
    expect(whyNotInjected(12, output)).toMatch(/^the system does not allow tracing process 12 \(ptrace_scope is /);
  });

  it('is the last line in any other case', async () => {
    expect(whyNotInjected(12, 'one\nRuntimeError: no such thing\n')).toBe('RuntimeError: no such thing');
  });
});
