/** What one line of libtest's own output says. */
type LibtestLine =
  | { kind: 'count'; count: number }
  | { kind: 'verdict'; name: string; status: 'passed' | 'failed' | 'skipped'; reason?: string }
  | { kind: 'slow'; name: string }
  | { kind: 'failures' }
  | { kind: 'details'; name: string }
  | { kind: 'summary' }
  | { kind: 'other' };

/**
 * libtest has no stable output for machines; this is what people see, which has been the same since 1.0. `isKnown` tells the names
 * that were listed before: a line counts only with one of them, so nothing that a test prints can pose as a result.
 */
export function libtestLine(line: string, isKnown: (name: string) => boolean): LibtestLine {
  const count = /^running (\d+) tests?$/.exec(line)?.[1];
  if (count !== undefined) return { kind: 'count', count: Number(count) };
  if (line === 'failures:') return { kind: 'failures' };
  if (line.startsWith('test result: ')) return { kind: 'summary' };
  const details = /^---- (.*) stdout ----$/.exec(line)?.[1];
  if (details !== undefined && isKnown(details)) return { kind: 'details', name: details };
  const slow = /^test (.*) has been running for over \d+ seconds$/.exec(line)?.[1];
  if (slow !== undefined && isKnown(slow)) return { kind: 'slow', name: slow };
  return verdict(line, isKnown) ?? { kind: 'other' };
}

/** What a test wrote past libtest, without ending its line, stands before the result of another. */
function verdict(line: string, isKnown: (name: string) => boolean): LibtestLine | undefined {
  const end = / \.\.\. (ok|FAILED|ignored)(?:, (.*)| <[\d.]+s>| \(.*\))?$/.exec(line);
  if (end === null) return undefined;
  const before = line.slice(0, end.index).replace(/ - (?:should panic|compile fail|compile)$/, '');
  for (let at = before.indexOf('test '); at !== -1; at = before.indexOf('test ', at + 1)) {
    const name = before.slice(at + 5);
    if (!isKnown(name)) continue;
    const status = end[1] === 'ok' ? 'passed' : end[1] === 'FAILED' ? 'failed' : 'skipped';
    return { kind: 'verdict', name, status, ...(end[2] === undefined ? {} : { reason: end[2] }) };
  }
  return undefined;
}
