/** A binary with tests, from `cargo nextest list --message-format json`. */
interface NextestSuite {
  /** What names of its tests begin with. */
  called: string;
  kind: string;
  binary: string;
  tests: { name: string; match: 'chosen' | 'ignored' | 'left out' }[];
}

export function nextestSuites(list: unknown): NextestSuite[] {
  return Object.values(recordOf(recordOf(list)['rust-suites'])).flatMap((each) => {
    const suite = recordOf(each);
    const { 'package-name': crate, 'binary-name': name, kind, 'binary-path': binary } = suite;
    if (typeof crate !== 'string' || typeof name !== 'string' || typeof kind !== 'string') return [];
    if (typeof binary !== 'string') return [];
    const tests = Object.entries(recordOf(suite['testcases'])).map(([test, about]) => {
      const { status, reason } = recordOf(recordOf(about)['filter-match']);
      const match = status === 'matches' ? 'chosen' : reason === 'ignored' ? 'ignored' : 'left out';
      return { name: test, match } as const;
    });
    return [{ called: `${crate}::${name}`, kind, binary, tests }];
  });
}

/** One line of `cargo nextest run --message-format libtest-json-plus`. */
export interface NextestWord {
  type: 'suite' | 'test';
  event: string;
  name?: string | undefined;
  seconds?: number | undefined;
  stdout?: string | undefined;
  reason?: string | undefined;
  /** Of a suite. */
  kind?: string | undefined;
}

export function nextestWord(message: unknown): NextestWord | undefined {
  const { type, event, name, exec_time: seconds, stdout, reason, nextest } = recordOf(message);
  if ((type !== 'suite' && type !== 'test') || typeof event !== 'string') return undefined;
  return {
    type,
    event,
    name: textOf(name),
    seconds: typeof seconds === 'number' ? seconds : undefined,
    stdout: textOf(stdout),
    reason: textOf(reason),
    kind: textOf(recordOf(nextest)['kind']),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
