import { ToolError } from '../../../../base/errors.ts';
import { childrenNamed, parseXml, XmlError, type XmlElement } from '../../../../base/text/xml.ts';

/** One test as a JUnit report tells it. */
export interface JunitCase {
  /** Names of the suites around it, outermost first; without those that only repeat the class. */
  suites: readonly string[];
  className?: string;
  name: string;
  file?: string;
  line?: number;
  status: 'passed' | 'failed' | 'error' | 'skipped';
  durationMs?: number;
  /** Of a failure, an error or a skip. */
  message?: string;
  /** The class of what was thrown. */
  type?: string;
  /** The failure as it was printed, usually with a stack. */
  text?: string;
  stdout?: string;
  stderr?: string;
  /** Earlier attempts that failed before it passed, or passed before it failed. */
  retries?: number;
}

interface JunitReport {
  cases: readonly JunitCase[];
  /** What the report itself says it holds; more than `cases` when it was cut off. */
  announced?: number;
  /** What went wrong outside any test: a suite that could not be set up. */
  suiteErrors: readonly { suite: string; message: string; text?: string }[];
}

/** Reads what JUnit, Surefire, Gradle, pytest, nextest, jest-junit and the others who write "JUnit XML" agree on. */
export function readJunitXml(source: string, shownName: string): JunitReport {
  const root = parse(source, shownName);
  const cases: JunitCase[] = [];
  const suiteErrors: { suite: string; message: string; text?: string }[] = [];
  visit(root, [], cases, suiteErrors);
  const announced = announcedTests(root);
  return { cases, suiteErrors, ...(announced === undefined ? {} : { announced }) };
}

function parse(source: string, shownName: string): XmlElement {
  try {
    const root = parseXml(source);
    if (root.name === 'testsuites' || root.name === 'testsuite') return root;
    throw new XmlError(`its root element is <${root.name}>`);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ToolError('invalid_arguments', `${shownName} is no JUnit XML: ${error.message}`, {
      hint: 'A report begins with <testsuites> or <testsuite>. A run that was killed may have left half a file.',
      cause: error,
    });
  }
}

function visit(
  element: XmlElement,
  suites: readonly string[],
  cases: JunitCase[],
  suiteErrors: { suite: string; message: string; text?: string }[],
): void {
  const name = element.attributes['name'];
  const inside = element.name === 'testsuite' && name !== undefined && name !== '' ? [...suites, name] : suites;
  for (const each of element.children) {
    if (each.name === 'testsuite') visit(each, inside, cases, suiteErrors);
    else if (each.name === 'testcase') cases.push(testCase(each, inside, element));
    else if (each.name === 'error' || each.name === 'failure')
      suiteErrors.push({
        suite: inside.join(' > '),
        message: each.attributes['message'] ?? firstLine(each.text),
        ...(each.text === '' ? {} : { text: each.text }),
      });
  }
}

function testCase(element: XmlElement, suites: readonly string[], suite: XmlElement): JunitCase {
  const { attributes } = element;
  const className = attributes['classname'] ?? attributes['class'];
  const seconds = Number(attributes['time']?.replaceAll(',', ''));
  const line = Number(attributes['line'] ?? attributes['lineno']);
  const file = attributes['file'] ?? attributes['filepath'] ?? suite.attributes['file'];
  const found = outcome(element);
  const retries = element.children.filter(({ name }) => retryNames.has(name)).length;
  return {
    suites: suites.filter((name) => name !== className),
    ...(className === undefined || className === '' ? {} : { className }),
    name: attributes['name'] ?? '',
    ...(file === undefined || file === '' ? {} : { file }),
    ...(Number.isInteger(line) && line > 0 ? { line } : {}),
    ...(Number.isFinite(seconds) && attributes['time'] !== undefined ? { durationMs: Math.round(seconds * 1000) } : {}),
    ...found,
    ...printed(element),
    ...(retries === 0 ? {} : { retries }),
  };
}

/** Surefire's words for attempts before the last. */
const retryNames = new Set(['flakyFailure', 'flakyError', 'rerunFailure', 'rerunError']);

function outcome(element: XmlElement): Pick<JunitCase, 'status' | 'message' | 'type' | 'text'> {
  const [failure] = childrenNamed(element, 'failure');
  const [error] = childrenNamed(element, 'error');
  const [skipped] = [...childrenNamed(element, 'skipped'), ...childrenNamed(element, 'ignored')];
  const because = failure ?? error ?? skipped;
  if (because === undefined) {
    const isDisabled = /^(?:notrun|disabled|skipped|ignored)$/i.test(element.attributes['status'] ?? '');
    return { status: isDisabled ? 'skipped' : 'passed' };
  }
  const { message = firstLine(because.text), type } = because.attributes;
  return {
    status: because === failure ? 'failed' : because === error ? 'error' : 'skipped',
    ...(message === '' ? {} : { message }),
    ...(type === undefined || type === '' ? {} : { type }),
    ...(because.text === '' ? {} : { text: because.text }),
  };
}

function printed(element: XmlElement): Pick<JunitCase, 'stdout' | 'stderr'> {
  const stdout = childrenNamed(element, 'system-out').map(({ text }) => text);
  const stderr = childrenNamed(element, 'system-err').map(({ text }) => text);
  return {
    ...(stdout.join('') === '' ? {} : { stdout: stdout.join('\n') }),
    ...(stderr.join('') === '' ? {} : { stderr: stderr.join('\n') }),
  };
}

/** The outermost suites that say how many tests they have. */
function announcedTests(element: XmlElement): number | undefined {
  const own = Number(element.attributes['tests'] ?? Number.NaN);
  if (Number.isInteger(own)) return own;
  const inner = childrenNamed(element, 'testsuite').map(announcedTests);
  if (inner.length === 0 || inner.includes(undefined)) return undefined;
  return inner.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}
