import { platform } from '../../../base/platform/here.ts';
import { ManagedProcess } from '../../../base/processes.ts';

/** What the program in front of a terminal waits for, as far as the system tells. */
export type Attention = 'password' | 'input' | undefined;

interface SeenTerminal {
  shellPid: number;
  /** The line of the cursor, up to it. */
  cursorLine: string;
  isFullScreen: boolean;
  /** Nothing has happened for a while. */
  isLongQuiet: boolean;
  env: NodeJS.ProcessEnv;
}

const passwordPrompt = /(pass ?(word|phrase|code)|\bPIN\b|one-time|verification code|secret)\b[^\n]{0,80}[:?]\s*$/i;

/**
 * A program that switches the echo off but lets the terminal collect a line asks for something nobody shall see. Some read key by key
 * instead; they are known by what they ask.
 */
export async function attentionOf(seen: SeenTerminal): Promise<Attention> {
  const { shellPid, cursorLine, isFullScreen, isLongQuiet, env } = seen;
  const terminal = platform.processes.terminal(shellPid);
  const modes = terminal === undefined ? undefined : await terminalModes(terminal, env);
  if (modes?.echo === false && modes.lines) return 'password';
  // Where the modes cannot be had, what is asked has to do.
  if (modes?.echo !== true && !isFullScreen && passwordPrompt.test(cursorLine)) return 'password';
  // A program that takes key by key, such as a prompt of a language or a menu, and is quiet, waits for one.
  if (modes?.lines === false && isLongQuiet) return 'input';
  return terminal !== undefined && isRead(shellPid, terminal) ? 'input' : undefined;
}

/** Whether the terminal shows what is typed, and whether it collects lines. */
async function terminalModes(
  terminal: string,
  env: NodeJS.ProcessEnv,
): Promise<{ echo: boolean; lines: boolean } | undefined> {
  const text = await said('stty', [platform.customs.sttyOption, terminal, '-a'], env);
  const words = new Set((text ?? '').split(/[\s;]+/));
  return words.has('icanon') || words.has('-icanon')
    ? { echo: words.has('echo'), lines: words.has('icanon') }
    : undefined;
}

/** What a small program of the system prints; undefined when it is not there. */
async function said(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const child = await ManagedProcess.start({
      name: command,
      command,
      args,
      cwd: '/',
      env: { PATH: env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    });
    child.stdin.end();
    let text = '';
    for await (const chunk of child.stdout) text += String(chunk);
    await child.exited;
    return text;
  } catch {
    return undefined;
  }
}

/** The number of the call `read` differs by processor. */
const readCall = process.arch === 'arm64' ? '63' : '0';

/** Whether a program of the group in front stands in a `read` of the terminal. */
function isRead(shellPid: number, terminal: string): boolean {
  const { processes } = platform;
  const front = processes.one(shellPid)?.front;
  if (front === undefined) return false;
  return processes.all().some(({ pid, group }) => {
    if (group !== front) return false;
    const [call, descriptor = ''] = processes.systemCall(pid, pid)?.split(' ') ?? [];
    return call === readCall && processes.openFile(pid, Number(descriptor)) === terminal;
  });
}
