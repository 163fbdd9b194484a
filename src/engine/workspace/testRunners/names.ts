/** How people and runners put the names of suites before that of a test. */
const separator = / > |\s\u203A\s|::/;

/** The names of tests that are written out in a file of JavaScript or TypeScript, as `suite > test`. */
export function scriptTestNames(text: string): string[] {
  const found: string[] = [];
  const suites: { title: string; indent: number }[] = [];
  const call =
    /^([ \t]*).*?\b(describe|context|suite|it|test|t\.test|specify|bench)(?:\.\w+)*(?:\([^()]*\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\3).)+)\3/gm;
  for (const [, space = '', kind = '', , written = ''] of text.matchAll(call)) {
    const indent = space.length;
    while ((suites.at(-1)?.indent ?? -1) >= indent) suites.pop();
    const title = written.replaceAll(/\\(.)/g, '$1');
    found.push([...suites.map((suite) => suite.title), title].join(' > '));
    // Tests can hold tests, too; what is indented more belongs to them.
    if (kind !== 'bench') suites.push({ title, indent });
  }
  return [...new Set(found)];
}

/** The names of tests in a file of Python, as `TestClass::test_name`. */
export function pythonTestNames(text: string): string[] {
  const found: string[] = [];
  let owner: string | undefined;
  for (const [, space = '', kind = '', name = ''] of text.matchAll(
    /^([ \t]*)(?:async[ \t]+)?(class|def)[ \t]+(\w+)/gm,
  )) {
    if (kind === 'class' && space === '') owner = name;
    else if (kind === 'def' && name.startsWith('test')) {
      if (space === '') owner = undefined;
      found.push(owner === undefined ? name : `${owner}::${name}`);
    }
  }
  return [...new Set(found)];
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
