import type { ReportedFailure, TestFrame } from '../../tests/model.ts';

/** What libtest captured of a test that failed: the panic's message and place, the user's frames of a backtrace. */
export function rustFailure(captured: string): ReportedFailure {
  const panic = panicIn(captured);
  if (panic === undefined) {
    const message = captured.replace(/\nnote: .*$/gm, '').trim();
    return { message: message === '' ? 'It failed without a word.' : message, frames: [] };
  }
  const behind = [...captured.matchAll(/^\s+\d+: (.*)\n\s+at (\.\/\S+?):(\d+):(\d+)$/gm)].map(
    ([, name = '', file = '', line, column]): TestFrame => ({
      file,
      line: Number(line),
      column: Number(column),
      function: name.replace(/::\{\{closure\}\}$/, ''),
    }),
  );
  const isKnown = behind.some(({ file, line }) => line === panic.place.line && file.endsWith(panic.place.file));
  return { type: 'panic', message: panic.message, frames: isKnown ? behind : [panic.place, ...behind] };
}

function panicIn(text: string): { message: string; place: TestFrame } | undefined {
  const current = /^thread '.*' (?:\(\d+\) )?panicked at (\S+?):(\d+):(\d+):\n([\s\S]*)/m.exec(text);
  // Before Rust 1.73 the message came first and in quotes.
  const older = /^thread '.*' panicked at '([\s\S]*?)', (\S+?):(\d+):(\d+)$/m.exec(text);
  if (current === null && older === null) return undefined;
  const [file = '', line, column, message = ''] =
    current === null ? [older?.[2], older?.[3], older?.[4], older?.[1]] : current.slice(1);
  return {
    message: message.split(/^(?:stack backtrace:|note: )/m, 1)[0]?.trim() ?? '',
    place: { file, line: Number(line), column: Number(column) },
  };
}
