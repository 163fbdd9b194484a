/** The candidate most like `name`, if any is near enough to be a slip of the pen. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  // Two other letters may make another word: "line" is sooner meant as "start_line" than as "file".
  const longer = bestDistance > 1 ? candidates.find((candidate) => candidate.split('_').includes(name)) : undefined;
  if (longer !== undefined) return longer;
  if (best !== undefined || name.length <= 3) return best;
  return (
    candidates.find((candidate) => candidate.includes(name) || name.includes(candidate)) ??
    candidates.filter((candidate) => abbreviates(name, candidate)).sort((a, b) => a.length - b.length)[0]
  );
}

/** `ide_find_refs` is short for `ide_find_references`: each word begins alike and has its letters in order. */
function abbreviates(name: string, candidate: string): boolean {
  const short = name.toLowerCase().split(/[_-]/);
  const long = candidate.toLowerCase().split('_');
  return (
    short.length === long.length &&
    short.every((word, index) => {
      const whole = long[index] ?? '';
      let at = 0;
      for (const letter of word) at = whole.indexOf(letter, at) + 1 || whole.length + 2;
      return word[0] === whole[0] && at <= whole.length;
    })
  );
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || a.length > 200) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? limit;
}
