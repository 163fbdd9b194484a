interface Version {
  version: string;
  build: string;
}

/** Whether `running` should make room for `mine`. Builds have no order: of two of one version, that of the one who asks counts. */
export function isOlder(running: Version, mine: Version): boolean {
  const order = compareVersions(running.version, mine.version);
  return order < 0 || (order === 0 && running.build !== mine.build);
}

function compareVersions(a: string, b: string): number {
  const numbers = (version: string) => (version.split(/[-+]/)[0] ?? '').split('.').map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return Math.sign(difference);
  }
  // A pre-release comes before its release.
  return Number(b.includes('-')) - Number(a.includes('-'));
}
