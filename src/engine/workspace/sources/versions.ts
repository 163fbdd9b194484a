/** The highest of some version numbers; those before a release count only when there is no other. */
export function newestVersion(versions: readonly string[]): string | undefined {
  const released = versions.filter((version) => !/[a-z]/i.test(version.replace(/\+.*$/, '').replace(/\.post\d+$/, '')));
  return (released.length > 0 ? released : versions).toSorted(compare).at(-1);
}

function compare(a: string, b: string): number {
  const left = numbers(a);
  const right = numbers(b);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}
