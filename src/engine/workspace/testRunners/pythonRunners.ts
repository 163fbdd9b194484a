/** pytest, unittest and plain functions: the interpreter of the program chooses among them, see python/_sightline_debuggee/test_runs.py. */
export function pythonRanNothing(output: string): boolean {
  return (
    /^ERROR: (?:not found|file or directory not found):/m.test(output) ||
    /^(?:no tests ran|=+ no tests ran|Ran 0 tests)\b/m.test(output) ||
    /^\d+ deselected in /m.test(output) ||
    /^There is no test /m.test(output) ||
    /^AttributeError: (?:module|type object) .* has no attribute/m.test(output)
  );
}

/** The tests that pytest and unittest list as failed, in their words. */
export function pythonFailedTests(output: string): string[] {
  const listed = output.matchAll(/^(?:FAILED|ERROR) (\S+::.+)$|^(?:FAIL|ERROR): (\w+ \([\w.]+\).*)$/gm);
  return [...new Set([...listed].map(([, pytest, unittest]) => (pytest ?? unittest ?? '').trim()))];
}
