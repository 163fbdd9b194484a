import { extname } from 'node:path';
import { familyOfPath } from '../../../base/languages/byPath.ts';
import { isInside } from '../../../base/paths.ts';
import type { ChangedLines } from './changedLines.ts';
import type { Coverage, FileCoverage } from './model.ts';

export interface Tally {
  lines: number;
  covered: number;
  /** Rounded down: 100 means all. */
  percent: number;
}

export interface LineRange {
  start: number;
  end: number;
}

export interface FileSummary extends Tally {
  path: string;
  /** Of the lines that changed. */
  changed?: Tally;
  stale?: true;
  /** Lines that did not run; what lies between two and has no code counts as theirs. */
  uncovered: readonly LineRange[];
  /** The same as single lines, those that changed first. */
  uncoveredLines: readonly { line: number; changed: boolean }[];
}

export interface CoverageSummary {
  total: Tally;
  changed?: Tally & {
    commit: string;
    files: number;
    /** Files that changed and were not measured, of the languages that were: no test loaded them. */
    unmeasured: readonly string[];
  };
  /** What needs a look first: changed lines that did not run, then most lines that did not run. */
  files: readonly FileSummary[];
}

interface SummaryScope {
  /** Canonical files or folders; everything when absent. */
  within?: readonly string[];
  changed?: ChangedLines;
  /** Only lines and files that changed. */
  changedOnly?: boolean;
}

export function summarise(coverage: Coverage, scope: SummaryScope): CoverageSummary {
  const isWithin = (path: string) => scope.within === undefined || scope.within.some((place) => isInside(place, path));
  const files = coverage.files
    .filter(({ path }) => isWithin(path))
    .map((file) => fileSummary(file, scope))
    .filter((file) => scope.changedOnly !== true || file.changed !== undefined)
    .toSorted(byNeed);
  const changed = files.flatMap((file) => (file.changed === undefined ? [] : [file.changed]));
  return {
    total: sum(files),
    ...(scope.changed === undefined
      ? {}
      : {
          changed: {
            ...sum(changed),
            commit: scope.changed.commit,
            files: changed.length,
            unmeasured: unmeasured(coverage, scope.changed, isWithin),
          },
        }),
    files,
  };
}

/** A changed file without a line here would look as if all of it had run. */
function unmeasured(
  { files, testFiles = [] }: Coverage,
  { byPath }: ChangedLines,
  isWithin: (path: string) => boolean,
): string[] {
  const known = new Set([...files.map(({ path }) => path), ...testFiles]);
  const languages = new Set(files.map(({ path }) => languageOf(path)));
  return [...byPath.keys()].filter(
    (path) => !known.has(path) && languages.has(languageOf(path)) && isWithin(path) && !looksLikeTest.test(path),
  );
}

/** Whoever measures one of these measures all of them. */
function languageOf(path: string): string {
  return familyOfPath(path) ?? extname(path);
}

const looksLikeTest =
  /(?:[._-](?:test|spec)\.\w+|\/(?:test_|conftest)[^/]*\.py|\.d\.[cm]?ts|\.config\.\w+)$|\/(?:tests?|__tests__|node_modules)\//;

function fileSummary(file: FileCoverage, scope: SummaryScope): FileSummary {
  const changedHere = scope.changed?.byPath.get(file.path);
  const isChanged = (line: number) => changedHere === 'all' || changedHere?.has(line) === true;
  const lines = [...file.lines].toSorted(([a], [b]) => a - b);
  const changed = lines.filter(([line]) => isChanged(line));
  const missed = lines.filter(([line, hits]) => hits === 0 && (scope.changedOnly !== true || isChanged(line)));
  const single = missed.map(([line]) => ({ line, changed: isChanged(line) }));
  return {
    path: file.path,
    ...tally(lines),
    ...(changed.length === 0 ? {} : { changed: tally(changed) }),
    ...(file.stale === true ? { stale: true } : {}),
    uncovered: ranges(lines, new Set(single.map(({ line }) => line))),
    uncoveredLines: [...single.filter((each) => each.changed), ...single.filter((each) => !each.changed)],
  };
}

function ranges(lines: readonly (readonly [number, number])[], missed: ReadonlySet<number>): LineRange[] {
  const found: LineRange[] = [];
  let open: LineRange | undefined;
  for (const [line] of lines) {
    if (!missed.has(line)) open = undefined;
    else if (open === undefined) found.push((open = { start: line, end: line }));
    else open.end = line;
  }
  return found;
}

function tally(lines: readonly (readonly [number, number])[]): Tally {
  const covered = lines.filter(([, hits]) => hits > 0).length;
  return { lines: lines.length, covered, percent: percentOf(covered, lines.length) };
}

function sum(tallies: readonly Tally[]): Tally {
  const lines = tallies.reduce((all, each) => all + each.lines, 0);
  const covered = tallies.reduce((all, each) => all + each.covered, 0);
  return { lines, covered, percent: percentOf(covered, lines) };
}

function percentOf(covered: number, lines: number): number {
  return lines === 0 ? 100 : Math.floor((covered * 1000) / lines) / 10;
}

function byNeed(a: FileSummary, b: FileSummary): number {
  const missing = ({ lines, covered }: Tally) => lines - covered;
  const changed = (file: FileSummary) => (file.changed === undefined ? 0 : missing(file.changed));
  return changed(b) - changed(a) || missing(b) - missing(a) || (a.path < b.path ? -1 : 1);
}
