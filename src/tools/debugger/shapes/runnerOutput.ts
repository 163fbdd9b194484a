/**
 * What test runners print around what the program prints. Beside a failure only the program's own words and the runner's about this
 * failure tell something; banners, progress marks and the list of tests that were not run do not.
 */
const runnerLines = [
  // pytest
  /^=+ .* =+$/,
  /^(platform|rootdir|configfile|plugins|asyncio|cachedir|collected \d+|testpaths)\b.*$/,
  /^\S+\.py(::\S+)? [.FEsxX]*( *\[ *\d+%\])?$/,
  /^[.FEsxX]+( *\[ *\d+%\])?$/,
  // vitest and jest
  /^ *(RUN|DEV) +v\d.*$/,
  /^ *[\u2193\u25cb] .*$/,
  /^ *(Test Files|Tests|Start at|Duration|Test Suites|Snapshots|Time|Ran all test suites)\b.*$/,
  /^\u23af+.*\u23af+$/,
  /^ *FAIL +\S+$/,
  // go test
  /^ *(=== (RUN|PAUSE|CONT|NAME)\b|--- (PASS|FAIL|SKIP): ).*$/,
  /^(PASS|FAIL|ok|exit status \d+)\b.*$/,
  // cargo test
  /^running \d+ tests?$/,
  /^test \S+ \.\.\.( ok| FAILED| ignored)?$/,
  // node:test
  /^TAP version \d+$/,
  /^ *# Subtest: .*$/,
  /^ *ok \d+ - .*$/,
  /^ *(---|\.\.\.)$/,
  /^ *(duration_ms|type): .*$/,
  /^ *# (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/,
  /^ *1\.\.\d+$/,
];

/** What pytest and its plugins advise of themselves. */
const pytestWarning = /^\S+:\d+: Pytest\w*Warning: [\s\S]*?^ {2}\S.*$/gm;

export function withoutRunnerLines(output: string): string {
  const lines = output
    .replaceAll(pytestWarning, '')
    .split('\n')
    .filter((line) => !runnerLines.some((pattern) => pattern.test(line.trimEnd())));
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const pytestSection =
  /^-+ Captured (stdout|stderr|log) (?:call|setup|teardown) -+\n([\s\S]*?)(?=^(?:-{3,}|={3,}|_{3,}) |(?![\s\S]))/gm;
const vitestSection = /^(stdout|stderr) \| .*\n([\s\S]*?)\n\n/gm;
const jestSection = /^ {2}console\.(log|error|warn|info|debug)\n([\s\S]*?)\n\n +at .*$/gm;

/** What the program printed while its runner kept it back to show it with the failure. */
export function capturedOutput(report: string): string {
  const sections = [pytestSection, vitestSection, jestSection].flatMap((pattern) => [...report.matchAll(pattern)]);
  return sections.map(([, , text = '']) => outdented(text)).join('\n');
}

function outdented(text: string): string {
  return text.replaceAll(/^ {4}/gm, '').trim();
}
