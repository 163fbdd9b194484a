export const coverageFormats = [
  'istanbul',
  'v8',
  'coverage.py',
  'lcov',
  'cobertura',
  'go',
  'llvm-cov',
  'jacoco',
] as const;

export type CoverageFormat = (typeof coverageFormats)[number];

/** How often each line with code ran. Lines that are not in it have none, as far as the tool can tell. */
type LineHits = ReadonlyMap<number, number>;

/** One file as a coverage tool names it. */
export interface NamedCoverage {
  /** As it stands in the report: absolute, relative to something, or with a package or module in front. */
  name: string;
  lines: LineHits;
  /** Which tests ran a line, where the tool tells. */
  tests?: ReadonlyMap<number, readonly string[]>;
}

/** One file of the project. */
export interface FileCoverage extends Omit<NamedCoverage, 'name'> {
  /** Canonical. */
  path: string;
  /** Hash of the content that was measured; absent for a report of unknown origin. */
  version?: string;
  /** The file has changed since it was measured, so that its line numbers may be wrong. */
  stale?: boolean;
}

export interface Coverage {
  format: CoverageFormat;
  madeAt: Date;
  /** The run_tests that made it; absent for a report that was found. */
  batchId?: string;
  /** The report that was read, relative to the project; absent for a run's. */
  report?: string;
  files: readonly FileCoverage[];
  /** Files of tests: they measure and are not measured. */
  testFiles?: readonly string[];
  /** Files that the tool names and the project does not have. */
  unknown: readonly string[];
  /** What limits what it says, in words. */
  notes: readonly string[];
}

/** A file or folder that a run of tests left for us to read. */
export interface CoverageArtifact {
  format: CoverageFormat;
  /** A file; of `v8` the folder with one file for each process. */
  path: string;
  /** What to say when it is not there. */
  missing?: string;
}

/** Adds one report's lines to another's: a line that ran in either has run. */
export function mergeCoverage(all: readonly NamedCoverage[]): NamedCoverage[] {
  const byName = new Map<string, { lines: Map<number, number>; tests: Map<number, Set<string>> }>();
  for (const { name, lines, tests } of all) {
    let into = byName.get(name);
    if (into === undefined) byName.set(name, (into = { lines: new Map(), tests: new Map() }));
    for (const [line, hits] of lines) into.lines.set(line, (into.lines.get(line) ?? 0) + hits);
    for (const [line, names] of tests ?? []) {
      const known = into.tests.get(line) ?? new Set();
      for (const each of names) known.add(each);
      into.tests.set(line, known);
    }
  }
  return [...byName].map(([name, { lines, tests }]) => ({
    name,
    lines,
    ...(tests.size === 0 ? {} : { tests: new Map([...tests].map(([line, names]) => [line, [...names]])) }),
  }));
}
