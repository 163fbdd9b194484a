/** One line of `go test -json`; what it does not have is empty. */
export interface GoEvent {
  action: string;
  packageName: string;
  test: string;
  output: string;
  elapsed: number;
  importPath: string;
  failedBuild: string;
}

/** Undefined for a line that is none: before Go 1.24 what the compiler said was plain text. */
export function goEvent(text: string): GoEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('Action' in value)) return undefined;
  const fields: Record<string, unknown> = { ...value };
  const string = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  return {
    action: string('Action'),
    packageName: string('Package'),
    test: string('Test'),
    output: string('Output'),
    elapsed: typeof fields['Elapsed'] === 'number' ? fields['Elapsed'] : 0,
    importPath: string('ImportPath'),
    failedBuild: string('FailedBuild'),
  };
}
