/** What a test knows of the run, so that golden text does not depend on it. */
export interface RunFacts {
  root?: string;
  home?: string;
}

/** One normaliser for everything that differs between runs: paths, ids, ports, times, durations. */
export function normalise(text: string, facts: RunFacts = {}): string {
  let result = text;
  if (facts.root !== undefined && facts.root !== '') result = result.replaceAll(facts.root, '<project>');
  if (facts.home !== undefined && facts.home !== '') result = result.replaceAll(facts.home, '<home>');
  const { HOME: userHome } = process.env;
  if (userHome !== undefined && userHome.length > 1) result = result.replaceAll(userHome, '~');
  return result
    .replaceAll(/\b([a-z]{1,16})_[A-Za-z0-9_-]{12}(?![A-Za-z0-9_-])/g, '<$1 id>')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replaceAll(/\b(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g, '$1:<port>')
    .replaceAll(/\b\d+(\.\d+)? ?ms\b/g, '<ms>')
    .replaceAll(/\b\d+\.\d+ ?s\b/g, '<seconds>')
    .replaceAll(/("(?:durationMs|elapsedMs|timestamp|port|pid)": ?)\d+(\.\d+)?/g, '$1"<number>"')
    .replaceAll(/\bpid \d+\b/g, 'pid <pid>');
}
