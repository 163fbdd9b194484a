/** How people and runners put the names of suites before that of a test. */
const separator = / > |\s\u203A\s|::/;

/** A test as it is written in a file. */
interface WrittenTest {
  suite: readonly string[];
  name: string;
  /** Where it begins, 1-based. */
  line: number;
  isSuite: boolean;
}

/** The names of tests that are written out in a file of JavaScript or TypeScript, as `suite > test`. */
export function scriptTestNames(text: string): string[] {
  return [...new Set(scriptTests(text).map(({ suite, name }) => [...suite, name].join(' > ')))];
}

export function scriptTests(text: string): WrittenTest[] {
  const found: WrittenTest[] = [];
  const lineAt = lineCounter(text);
  const suites: { title: string; indent: number }[] = [];
  const call =
    /^([ \t]*).*?\b(describe|context|suite|it|test|t\.test|specify|bench)(?:\.(?:only|skip|todo|concurrent|sequential|serial|parallel|each|for|fails|failing|skipIf|runIf|shuffle|describe|step))*(?:\([^()]*\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\3).)+)\3/gm;
  for (const { index, 1: space = '', 2: kind = '', 4: written = '' } of text.matchAll(call)) {
    const indent = space.length;
    while ((suites.at(-1)?.indent ?? -1) >= indent) suites.pop();
    const title = written.replaceAll(/\\(.)/g, '$1');
    const isSuite = /^(describe|context|suite)$/.test(kind);
    found.push({ suite: suites.map((suite) => suite.title), name: title, line: lineAt(index), isSuite });
    // Tests can hold tests, too; what is indented more belongs to them.
    if (kind !== 'bench') suites.push({ title, indent });
  }
  return found;
}

/** The names of tests in a file of Python, as `TestClass::test_name`. */
export function pythonTestNames(text: string): string[] {
  return [...new Set(pythonTests(text).map(({ suite, name }) => [...suite, name].join('::')))];
}

export function pythonTests(text: string): WrittenTest[] {
  const found: WrittenTest[] = [];
  const lineAt = lineCounter(text);
  let owner: string | undefined;
  for (const { index, 1: space = '', 2: kind = '', 3: name = '' } of text.matchAll(
    /^([ \t]*)(?:async[ \t]+)?(class|def)[ \t]+(\w+)/gm,
  )) {
    if (kind === 'class' && space === '') owner = name;
    else if (kind === 'def' && name.startsWith('test')) {
      if (space === '') owner = undefined;
      found.push({ suite: owner === undefined ? [] : [owner], name, line: lineAt(index), isSuite: false });
    }
  }
  return found;
}

/** The test that a line belongs to: the last that begins at or above it. A suite's own line is the suite. */
export function testAtLine(tests: readonly WrittenTest[], line: number): WrittenTest | undefined {
  return (
    tests.filter((test) => test.line === line)[0] ?? tests.filter((test) => test.line <= line && !test.isSuite).at(-1)
  );
}

/** The line of an index; for indexes that only grow. */
function lineCounter(text: string): (index: number) => number {
  let line = 1;
  let from = 0;
  return (index) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < index; at = text.indexOf('\n', from)) {
      line++;
      from = at + 1;
    }
    return line;
  };
}

/** A regular expression for exactly these tests, as runners compare names: suites and test with spaces between them. */
export function exactPattern(tests: readonly { suite: readonly string[]; name: string }[]): string {
  const names = new Set(tests.map(({ suite, name }) => [...suite, name].map(escaped).join('(?: > | )')));
  return `^(?:${[...names].join('|')})$`;
}

/** A regular expression for the names of suites and test with spaces between them, as runners compare them. */
export function namePattern(name: string, known: readonly string[]): string {
  const parts = name.split(separator).map((part) => part.trim());
  const pattern = parts.map(escaped).join('(?: > | )');
  const wanted = parts.join(' ');
  const isWhole = known.some((each) => spaced(each) === wanted || spaced(each).endsWith(` ${wanted}`));
  return isWhole ? `(?:^|\\s)${pattern}$` : pattern;
}

/** The names of the suites and of the test, one by one, for runners that know nothing of the whole. */
export function nameParts(name: string, known: readonly string[]): string[] {
  const wanted = spaced(name);
  const whole =
    known.find((each) => spaced(each) === wanted) ?? known.find((each) => spaced(each).endsWith(` ${wanted}`));
  return (whole ?? name).split(separator).map((part) => part.trim());
}

export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The known names that are most like the one wanted. */
export function nearestNames(wanted: string, known: readonly string[], count = 5): string[] {
  const grams = gramsOf(spaced(wanted));
  const scored = known.map((name) => {
    const own = gramsOf(spaced(name).split(/ > /).at(-1) ?? name);
    const whole = gramsOf(spaced(name));
    return { name, score: Math.max(likeness(grams, own), likeness(grams, whole)) };
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ name }) => name);
}

function spaced(name: string): string {
  return name.split(separator).join(' ').trim();
}

function gramsOf(text: string): Set<string> {
  const plain = ` ${text.toLowerCase()} `;
  return new Set(Array.from({ length: Math.max(plain.length - 1, 1) }, (_, at) => plain.slice(at, at + 2)));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((gram) => b.has(gram)).length;
  return (2 * shared) / (a.size + b.size);
}

/** The whole name of the one test in a file that a name means, as its runner takes it; undefined when it is none or several. */
export function writtenName(file: string, text: string, name: string): string | undefined {
  const isPython = file.endsWith('.py');
  const known = isPython ? pythonTestNames(text) : scriptTestNames(text);
  const plain = isPython ? name.replace(/\[.*$/s, '') : name;
  const wanted = spaced(isPython ? plain.replaceAll('.', '::') : plain);
  const found = known.filter((each) => spaced(each) === wanted || spaced(each).endsWith(` ${wanted}`));
  return found.length === 1 ? `${found[0] ?? ''}${name.slice(plain.length)}` : undefined;
}
