import { cancellationReason } from '../../../base/cancellation.ts';
import type { TerminalCommand } from './command.ts';
import type { Terminal } from './terminal.ts';

/** Why a wait for a command ended. */
export type CommandOutcome = 'ended' | 'time' | 'fullScreen' | 'password' | 'input';

/** Output that pauses so long may be a question. */
const quietMs = 300;

/** Waits for the end of a command, or until it wants something of somebody. */
export async function waitForCommand(
  terminal: Terminal,
  command: TerminalCommand,
  waitMs: number,
  signal?: AbortSignal,
): Promise<CommandOutcome> {
  const deadline = Date.now() + waitMs;
  let nextLookMs = quietMs;
  for (;;) {
    if (command.hasEnded || terminal.state === 'ended') return 'ended';
    if (signal?.aborted === true) throw cancellationReason(signal);
    const { quietForMs } = terminal;
    if (quietForMs < quietMs) nextLookMs = quietMs;
    else if (quietForMs >= nextLookMs) {
      // Looking costs a little; a program that has been quiet for long is looked at less often.
      nextLookMs = Math.min(quietForMs * 2, quietForMs + 5000);
      if (terminal.screen.isFullScreen) return 'fullScreen';
      const attention = await terminal.attention();
      if (attention !== undefined && !command.hasEnded) return attention;
      continue;
    }
    const left = deadline - Date.now();
    if (left <= 0) return 'time';
    await terminal.changeWithin(Math.min(left, Math.max(nextLookMs - quietForMs, 10)), signal);
  }
}

/**
 * Types, and waits until the program in front has ended, shows a screen, asks again, or `waitMs`. The output is what was written since;
 * absent when no program was in front and none was started.
 */
export async function typeAndWait(
  terminal: Terminal,
  text: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<{ outcome: CommandOutcome; output: string | undefined }> {
  await terminal.screen.settled();
  const last = terminal.command;
  const running = last?.hasEnded === false ? last : undefined;
  const known = running?.output ?? '';
  const deadline = Date.now() + waitMs;
  terminal.type(text);
  // A line typed at the prompt becomes a command in a moment, or not at all.
  while (terminal.state === 'idle' && terminal.command === last && terminal.quietForMs < quietMs)
    await terminal.changeWithin(quietMs, signal);
  const { command } = terminal;
  if (command === undefined || (command === last && running === undefined))
    return { outcome: 'ended', output: undefined };
  const outcome = await waitForCommand(terminal, command, Math.max(deadline - Date.now(), 0), signal);
  await terminal.screen.settled();
  const output = terminal.command?.output ?? '';
  // Lines that were finished before; not those of a program that has drawn the screen anew.
  const finished = known.slice(0, known.lastIndexOf('\n') + 1);
  const isSame = terminal.command === running && output.startsWith(finished);
  return { outcome, output: isSame ? output.slice(finished.length) : output };
}
