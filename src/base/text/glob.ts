/**
 * Globs as git and editors write them, matched step by step instead of as regular expressions, so that no pattern a caller
 * sends can take more than (pattern × path) time. A pattern without a slash matches names at any depth; `**` matches any number
 * of folders; `{a,b}` and `[a-z]` work; a leading `!` excludes.
 */
export function globFilter(patterns: readonly string[]): (path: string) => boolean {
  const included: string[][] = [];
  const excluded: string[][] = [];
  for (const pattern of patterns) {
    const target = pattern.startsWith('!') ? excluded : included;
    for (const expanded of expandBraces(pattern.replace(/^!/, ''))) target.push(segmentsOf(expanded));
  }
  return (path) => {
    const segments = path.split('/');
    const matches = (pattern: string[]) => matchSegments(pattern, segments);
    return (included.length === 0 || included.some(matches)) && !excluded.some(matches);
  };
}

const maxExpansions = 256;

function segmentsOf(pattern: string): string[] {
  const rooted = pattern.startsWith('/') || pattern.startsWith('./');
  const plain = pattern.replace(/^\.?\//, '');
  const isFolder = plain.endsWith('/');
  const segments = plain.split('/').filter((segment) => segment !== '');
  const anywhere = !rooted && segments.length <= 1;
  // Two `**` in a row say the same as one, and would only multiply the ways to match.
  const all = [...(anywhere ? ['**'] : []), ...segments, ...(isFolder ? ['**'] : [])];
  return all.filter((segment, index) => segment !== '**' || all[index - 1] !== '**');
}

function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  // reachable[i]: the first i segments of the pattern can match what has been read of the path.
  let reachable = pattern.reduce<boolean[]>(
    (states, segment, index) => [...states, states[index] === true && segment === '**'],
    [true],
  );
  for (const name of path) {
    const next: boolean[] = [false];
    pattern.forEach((segment, index) => {
      const here = reachable[index] === true;
      if (segment === '**') next[index + 1] = here || reachable[index + 1] === true || next[index] === true;
      else next[index + 1] = here && matchName(segment, name);
    });
    reachable = next;
    if (!reachable.includes(true)) return false;
  }
  return reachable[pattern.length] === true;
}

/** `*`, `?` and `[...]` in one name. Going back only to the latest star keeps the time within pattern × name. */
function matchName(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    const step = p < pattern.length ? matchOne(pattern, p, name.charAt(n)) : undefined;
    if (pattern[p] === '*') {
      star = p++;
      resume = n;
    } else if (step !== undefined) {
      p = step;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** The place in the pattern after one matched character; undefined when it does not match. */
function matchOne(pattern: string, at: number, character: string): number | undefined {
  const wanted = pattern.charAt(at);
  if (wanted === '?') return at + 1;
  if (wanted === '\\' && at + 1 < pattern.length) return pattern.charAt(at + 1) === character ? at + 2 : undefined;
  if (wanted !== '[') return wanted === character ? at + 1 : undefined;
  const end = pattern.indexOf(']', at + 2);
  if (end < 0) return character === '[' ? at + 1 : undefined;
  const negated = /[!^]/.test(pattern.charAt(at + 1));
  return inClass(pattern.slice(at + (negated ? 2 : 1), end), character) === negated ? undefined : end + 1;
}

function inClass(members: string, character: string): boolean {
  for (let index = 0; index < members.length; index++) {
    const from = members.charAt(index);
    if (members[index + 1] === '-' && index + 2 < members.length) {
      if (from <= character && character <= members.charAt(index + 2)) return true;
      index += 2;
    } else if (from === character) return true;
  }
  return false;
}

function expandBraces(pattern: string): string[] {
  let results = [pattern];
  for (let round = 0; round < 16; round++) {
    const next = results.flatMap(expandFirst);
    if (next.length === results.length || next.length > maxExpansions) return results;
    results = next;
  }
  return results;
}

function expandFirst(pattern: string): string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern];
  let depth = 0;
  const cuts = [open];
  for (let index = open; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '{') depth++;
    else if (character === ',' && depth === 1) cuts.push(index);
    else if (character === '}' && --depth === 0) {
      cuts.push(index);
      const [head, tail] = [pattern.slice(0, open), pattern.slice(index + 1)];
      const options = cuts.slice(1).map((cut, option) => pattern.slice((cuts[option] ?? 0) + 1, cut));
      return options.map((option) => head + option + tail);
    }
  }
  return [pattern];
}
