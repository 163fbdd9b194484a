/** Whether a path is test code by the usual names. Paths are relative to the project or absolute. */
export function isTestPath(path: string): boolean {
  return (
    /(^|\/)(tests?|__tests__|__mocks__|specs?|testing|e2e|testdata)\//.test(path) ||
    /[._-](test|spec)\.[cm]?[jt]sx?$/.test(path) ||
    /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.(py|go|rs)$/.test(path) ||
    /(^|\/)[^/]*Tests?\.(java|kt|cs)$/.test(path)
  );
}
