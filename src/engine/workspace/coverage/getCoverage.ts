import { readFile } from 'node:fs/promises';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import { clip } from '../../../base/text/textBudget.ts';
import type { Project } from '../project.ts';
import { changedLines } from './changedLines.ts';
import { lastCoverage } from './coverageStore.ts';
import { findReports } from './findReports.ts';
import type { Coverage, CoverageFormat, FileCoverage } from './model.ts';
import { readReport } from './readCoverage.ts';
import { summarise, type CoverageSummary, type FileSummary, type LineRange, type Tally } from './summary.ts';

interface CoverageQuestion {
  /** Canonical files or folders. */
  within?: readonly string[];
  /** Of the one file that is asked about. */
  line?: number;
  changedOnly: boolean;
  commit?: string;
  /** Canonical. */
  report?: string;
  /** Files that are told one by one. */
  limit: number;
  signal?: AbortSignal;
}

interface CoverageAnswer {
  format: CoverageFormat;
  report?: string;
  otherReports?: string[];
  madeAt: string;
  total: Tally & { files: number };
  changed?: Tally & { commit: string; files: number; unmeasured?: string[] };
  files: FileAnswer[];
  moreFiles?: number;
  fullyCovered: number;
  line?: LineAnswer;
  unknownFiles?: string[];
  notes?: string[];
}

interface FileAnswer extends Tally {
  file: string;
  changed?: Tally;
  stale?: true;
  uncovered: string;
  uncoveredLines?: { line: number; text: string; changed?: true }[];
}

interface LineAnswer {
  file: string;
  line: number;
  text: string;
  ran?: boolean;
  tests?: string[];
}

/** Lines shown with their text, in all and of one file among several. */
const maxTexts = 60;
const maxTextsPerFile = 12;
const maxTextChars = 160;

export async function getCoverageData(project: Project, question: CoverageQuestion): Promise<CoverageAnswer> {
  const { coverage, others } = await chooseCoverage(project, question);
  const changed = await changedLines(project, question.commit, question.signal);
  const { within, changedOnly } = question;
  const summary = summarise(coverage, { within, changed, changedOnly });
  if (within !== undefined && summary.files.length === 0) throw notMeasured(project, coverage, question);
  const missed = summary.files.filter(({ uncovered }) => uncovered.length > 0);
  const shown = missed.slice(0, question.limit);
  const { unknown, notes } = coverage;
  return {
    format: coverage.format,
    ...(coverage.report === undefined ? {} : { report: coverage.report }),
    ...(others.length === 0 ? {} : { otherReports: others.map((path) => displayPath(project.root, path)) }),
    madeAt: coverage.madeAt.toISOString(),
    total: { ...summary.total, files: summary.files.length },
    ...(summary.changed === undefined ? {} : { changed: changedAnswer(project, summary.changed) }),
    files: await fileAnswers(project, shown),
    ...(missed.length > shown.length ? { moreFiles: missed.length - shown.length } : {}),
    fullyCovered: summary.files.length - missed.length,
    ...(question.line === undefined ? {} : { line: await lineAnswer(project, coverage, question, question.line) }),
    ...(unknown.length === 0 ? {} : { unknownFiles: [...unknown] }),
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
  };
}

function changedAnswer(
  project: Project,
  { unmeasured, ...tally }: NonNullable<CoverageSummary['changed']>,
): CoverageAnswer['changed'] {
  const files = unmeasured.map((path) => displayPath(project.root, path)).slice(0, 20);
  return { ...tally, ...(files.length === 0 ? {} : { unmeasured: files }) };
}

/** A report that is named, else the last run's, else the newest report that lies about. */
async function chooseCoverage(
  project: Project,
  { report, signal }: CoverageQuestion,
): Promise<{ coverage: Coverage; others: string[] }> {
  if (report !== undefined) return { coverage: await readReport(project, report), others: [] };
  const last = await lastCoverage(project);
  if (last !== undefined) return { coverage: last, others: [] };
  const [newest, ...others] = await findReports(project, signal);
  if (newest !== undefined) return { coverage: await readReport(project, newest), others: others.slice(0, 5) };
  throw new ToolError(
    'file_not_found',
    'No run of tests has measured coverage yet, and no report lies in the project.',
    {
      hint: advise`${step('runTests', { coverage: true })} measures it; report names a file elsewhere in the project.`,
    },
  );
}

async function fileAnswers(project: Project, files: readonly FileSummary[]): Promise<FileAnswer[]> {
  const answers: FileAnswer[] = [];
  let left = maxTexts;
  for (const file of files) {
    const wanted = file.uncoveredLines.slice(0, Math.min(left, files.length === 1 ? maxTexts : maxTextsPerFile));
    left -= wanted.length;
    const text = wanted.length === 0 ? [] : await linesOf(file.path);
    const lines = wanted
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, changed }) => ({
        line,
        text: clip(text[line - 1]?.trimEnd() ?? '', maxTextChars),
        ...(changed ? { changed: true as const } : {}),
      }));
    answers.push({
      file: displayPath(project.root, file.path),
      lines: file.lines,
      covered: file.covered,
      percent: file.percent,
      ...(file.changed === undefined ? {} : { changed: file.changed }),
      ...(file.stale === true ? { stale: true } : {}),
      uncovered: rangesText(file.uncovered),
      // A stale file's numbers may point at other lines by now: their text would be a lie.
      ...(lines.length === 0 || file.stale === true ? {} : { uncoveredLines: lines }),
    });
  }
  return answers;
}

async function lineAnswer(
  project: Project,
  coverage: Coverage,
  { within }: CoverageQuestion,
  line: number,
): Promise<LineAnswer> {
  const [path, ...others] = within ?? [];
  const file = coverage.files.find((each) => each.path === path);
  if (path === undefined || others.length > 0 || file === undefined)
    throw new ToolError('invalid_arguments', 'line needs exactly one measured file in files.', {
      hint: advise`${step('getCoverage', { files: ['src/a.ts'], line: 12 })}`,
    });
  const hits = file.lines.get(line);
  const tests = testsOf(file, line);
  return {
    file: displayPath(project.root, path),
    line,
    text: (await linesOf(path))[line - 1]?.trim() ?? '',
    ...(hits === undefined ? {} : { ran: hits > 0 }),
    ...(tests === undefined ? {} : { tests }),
  };
}

function testsOf({ tests, lines }: FileCoverage, line: number): string[] | undefined {
  if (tests === undefined || (lines.get(line) ?? 0) === 0) return undefined;
  return [...(tests.get(line) ?? [])];
}

function notMeasured(project: Project, coverage: Coverage, { within, changedOnly }: CoverageQuestion): ToolError {
  const places = (within ?? []).map((path) => displayPath(project.root, path)).join(', ');
  const source = coverage.report ?? 'the last run with coverage';
  return new ToolError(
    'file_not_found',
    `${source} measured nothing in ${places}${changedOnly ? ' that changed' : ''}.`,
    {
      hint: advise`It has ${coverage.files.length} files; ${step('getCoverage')} without files shows them. No test may have loaded this one.`,
    },
  );
}

function rangesText(ranges: readonly LineRange[]): string {
  return ranges.map(({ start, end }) => (start === end ? String(start) : `${start}-${end}`)).join(', ');
}

async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8').catch(() => '')).split('\n');
}
