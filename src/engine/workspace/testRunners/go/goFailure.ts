import { join } from 'node:path';
import type { ReportedFailure, TestFrame } from '../../tests/model.ts';

/** Lines in which the testing package talks about tests instead of the tests themselves. */
const framing = /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)\s|--- (?:PASS|FAIL|SKIP|BENCH): )/;

/** What a test printed, without the runner's own lines. */
export function testOutput(chunks: readonly string[]): string {
  return chunks.filter((chunk) => !framing.test(chunk)).join('');
}

/** The failure of a Go test: what it logged, at which lines; the panic with its stack; testify's two values. */
export function goFailure(output: string, folder: string): ReportedFailure {
  const panic = goPanic(output);
  if (panic !== undefined) return panic;
  const logged = [...output.matchAll(/^ {4,}(\S+\.go):(\d+): /gm)];
  const trace = /Error Trace:\s+(\/\S+\.go):(\d+)/.exec(output);
  const frames: TestFrame[] = [
    ...(trace === null ? [] : [{ file: trace[1] ?? '', line: Number(trace[2]) }]),
    // A test logs before it fails: the last line is the nearest to the failure.
    ...logged.toReversed().map(([, file = '', line]) => ({ file: join(folder, file), line: Number(line) })),
  ];
  const { said } = sortedOutput(output);
  const expected = /^\s+expected: (.*)$/m.exec(output)?.[1];
  const actual = /^\s+actual {2}: (.*)$/m.exec(output)?.[1];
  const example = /^got:\n([\s\S]*?)^want:\n([\s\S]*)$/m.exec(output);
  return {
    message:
      example === null
        ? dedented(said === '' ? output : said) || 'It failed without a word.'
        : 'The output is not the one in its comment.',
    ...(example === null ? {} : { actual: example[1]?.trimEnd() ?? '', expected: example[2]?.trimEnd() ?? '' }),
    ...(expected === undefined || actual === undefined ? {} : { expected, actual }),
    frames,
  };
}

/** What a test logged, with where, and what it merely printed. */
export function sortedOutput(output: string): { said: string; printed: string } {
  const said: string[] = [];
  const printed: string[] = [];
  let isLog = false;
  for (const line of output.split('\n')) {
    isLog = /^ {4,}\S+\.go:\d+: /.test(line) || (isLog && /^ {8,}/.test(line));
    (isLog ? said : printed).push(line);
  }
  return { said: said.join('\n'), printed: printed.join('\n').trim() };
}

/** A panic, or the end of the time that a package may take; undefined when there is neither in it. */
export function goPanic(output: string): ReportedFailure | undefined {
  const match = /^(?:panic: |fatal error: )[\s\S]*/m.exec(output);
  if (match === null) return undefined;
  const [head = '', ...goroutines] = match[0].split(/^(?=goroutine \d+)/m);
  const timedOut = head.includes('panic: test timed out');
  // When the time is over the alarm's own goroutine comes first; the tests' are the ones that testing started.
  const own = timedOut ? goroutines.filter((each) => each.includes('testing.(*T).Run in goroutine')) : goroutines;
  const stack = own[0] ?? goroutines[0] ?? '';
  const frames = [...stack.matchAll(/^(\S.*)\(.*\)\n\t(\/\S+\.go):(\d+)/gm)].map(([, name = '', file = '', line]) => ({
    file,
    line: Number(line),
    function: name.replace(/^.*\//, ''),
  }));
  return {
    type: timedOut ? 'timeout' : 'panic',
    message: head
      .trim()
      .replace(/ \[recovered(?:, repanicked)?\]/g, '')
      .replace(/^\[signal .*\n?/m, ''),
    frames,
  };
}

function dedented(text: string): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const common = Math.min(...indents, 80);
  return lines
    .map((line) => line.slice(common).trimEnd())
    .join('\n')
    .trim();
}
