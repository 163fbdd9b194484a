import type { ReportedFailure, TestFrame } from '../../tests/model.ts';
import type { JunitCase } from '../../tests/formats/junitXml.ts';

/** The failure of a JUnit case: the values that the assertion names, and frames where their files are known. */
export function javaFailure(
  { message, type, text = '' }: JunitCase,
  fileOf: (packageName: string, file: string) => string | undefined,
): ReportedFailure {
  const whole = message ?? text.split('\n', 1)[0] ?? '';
  // Gradle puts the class before the message, which is told beside it.
  const words = type !== undefined && whole.startsWith(`${type}: `) ? whole.slice(type.length + 2) : whole;
  return {
    ...(type === undefined ? {} : { type }),
    message: words === '' ? (type ?? 'It failed without a word.') : words,
    ...values(words, text),
    frames: framesIn(text, fileOf),
  };
}

/** `expected: <3> but was: <2>` of JUnit, the same in two lines of AssertJ, Hamcrest's `Expected:`, TestNG's brackets. */
function values(message: string, text: string): { expected?: string; actual?: string } {
  const patterns = [
    /expected: ?<([\s\S]*?)> but was: ?<([\s\S]*?)>(?:$|\s)/,
    /expected: (.*)\n\s*but was: (.*)/i,
    /expected \[([\s\S]*?)\] but found \[([\s\S]*?)\]/,
  ];
  for (const pattern of patterns) {
    const match = pattern.exec(message) ?? pattern.exec(text);
    if (match !== null) return { expected: match[1]?.trim(), actual: match[2]?.trim() };
  }
  return {};
}

function framesIn(text: string, fileOf: (packageName: string, file: string) => string | undefined): TestFrame[] {
  return [...text.matchAll(/^\s+at (?:[\w.@-]*\/)*([\w$.<>]+)\(([\w$]+\.\w+):(\d+)\)$/gm)].flatMap(
    ([, name = '', source = '', line]) => {
      // The class is what stands before the method, its package what stands before the class.
      const packageName = name.split('.').slice(0, -2).join('.');
      const file = fileOf(packageName, source);
      const shown = name.split('.').slice(-2).join('.');
      return file === undefined ? [] : [{ file, line: Number(line), function: shown }];
    },
  );
}
