import type { CoverageOutput } from './getCoverage.ts';

type FileData = CoverageOutput['files'][number];

export function renderCoverage(data: CoverageOutput): string {
  return [
    heading(data),
    ...(data.line === undefined ? [] : lineText(data.line)),
    ...(data.changed === undefined ? [] : [changedText(data.changed)]),
    ...data.files.flatMap(fileText),
    ...(data.moreFiles === undefined ? [] : [`${data.moreFiles} more files with lines that did not run (limit).`]),
    ...(data.fullyCovered === 0 ? [] : [`Everything ran in ${data.fullyCovered} other ${noun(data.fullyCovered)}.`]),
    ...(data.files.some(({ stale }) => stale === true)
      ? [
          'Stale: the file changed after it was measured; its lines may have moved. run_tests {"coverage": true} measures again.',
        ]
      : []),
    ...(data.unknownFiles === undefined
      ? []
      : [`Not in the project: ${data.unknownFiles.slice(0, 3).join(', ')}${andMore(data.unknownFiles.length - 3)}.`]),
    ...(data.notes ?? []),
    ...(data.otherReports === undefined ? [] : [`Other reports: ${data.otherReports.join(', ')}.`]),
  ].join('\n');
}

function heading({ report, format, madeAt, total }: CoverageOutput): string {
  const source = report === undefined ? `The last run with coverage (${format})` : `${report} (${format})`;
  return `${source}, ${madeAt.slice(0, 19)}Z: ${total.covered} of ${total.lines} lines ran (${total.percent} %) in ${total.files} ${noun(total.files)}.`;
}

function changedText({ commit, lines, covered, files, unmeasured }: NonNullable<CoverageOutput['changed']>): string {
  const unknown = unmeasured === undefined ? '' : ` Changed and not measured: ${unmeasured.join(', ')}.`;
  if (lines === 0) return `No measured line changed since ${commit}.${unknown}`;
  return `Changed since ${commit}: ${covered} of ${lines} changed lines with code ran, in ${files} ${noun(files)}.${unknown}`;
}

function fileText(file: FileData): string[] {
  const changed = file.changed === undefined ? '' : `; changed: ${file.changed.covered} of ${file.changed.lines}`;
  const stale = file.stale === true ? ' [stale]' : '';
  const missed = file.uncovered === '' ? '' : `; not run: ${file.uncovered}`;
  return [
    `${file.file}${stale}: ${file.covered} of ${file.lines} (${file.percent} %)${changed}${missed}`,
    ...(file.uncoveredLines ?? []).map((each) => `${each.changed === true ? '+' : ' '} ${each.line}| ${each.text}`),
  ];
}

function lineText(line: NonNullable<CoverageOutput['line']>): string[] {
  const what = line.ran === undefined ? 'has no code that is measured' : line.ran ? 'ran' : 'did not run';
  const tests =
    line.tests === undefined
      ? line.ran === true
        ? '; which tests ran it is not told by this tool'
        : ''
      : `, by ${line.tests.length} tests:`;
  return [
    `${line.file}:${line.line} ${what}${tests}`,
    `  ${line.text}`,
    ...(line.tests ?? []).map((test) => `  ${test}`),
  ];
}

function noun(files: number): string {
  return files === 1 ? 'file' : 'files';
}

function andMore(count: number): string {
  return count > 0 ? ` and ${count} more` : '';
}
