/** A test of GoogleTest as the source shows it. */
export interface GoogleTest {
  suite: string;
  name: string;
  kind: string;
  file: string;
  line: number;
}

/** The tests written out in a file, without those that a macro of the project makes. */
export function googleTests(text: string, file: string): GoogleTest[] {
  const found: GoogleTest[] = [];
  const macro = /^[ \t]*(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)/gm;
  for (const { index, 1: kind = '', 2: suite = '', 3: name = '' } of text.matchAll(macro))
    found.push({ kind, suite, name, file, line: text.slice(0, index).split('\n').length });
  return found;
}

/** As `--gtest_filter` takes it: tests with parameters and of types are instantiated under longer names. */
export function filterOf({ suite, name, kind }: GoogleTest): string {
  if (kind === 'TEST_P') return `*${suite}.${name}/*`;
  return kind === 'TYPED_TEST' || kind === 'TYPED_TEST_P' ? `*${suite}/*.${name}` : `${suite}.${name}`;
}
