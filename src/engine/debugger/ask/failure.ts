import type { RecordedValue } from './model.ts';
import { isTest, type RecordedCall, type Recording } from './recording.ts';

/** What made a run fail, as far as the recording shows it. */
export interface RecordedFailure {
  thrown: RecordedValue;
  /** The call in which it was thrown. */
  call: RecordedCall;
  /** The outermost call that it left: the test, or the program's own function. */
  root: RecordedCall;
  line: number | undefined;
  /** The moment at which it was thrown. */
  seq: number;
}

/**
 * The first exception that left everything that was recorded: nobody of the project caught it. With a test's name, that of this test when it
 * has one.
 */
export function failureOf({ calls }: Recording, testName?: string): RecordedFailure | undefined {
  const left = calls.filter((call) => call.end?.threw !== undefined && !isCaughtAbove(call));
  const named = testName === undefined ? undefined : left.find(({ fn }) => isNamedTest(fn.name, testName));
  // What leaves another function that a runner or library called may have been caught there.
  const tests = left.filter(({ fn }) => isTest(fn));
  const root = named ?? tests[0] ?? left.find(({ fn }) => !fn.name.startsWith('describe(')) ?? left[0];
  if (root?.end?.threw === undefined) return undefined;
  const call = throwerIn(root);
  return {
    thrown: root.end.threw,
    call,
    root: outermost(root),
    line: call.end?.line,
    seq: call.end?.seq ?? root.end.seq,
  };
}

/** The innermost call that it left first: who throws again what it caught is not where it began. */
function throwerIn(root: RecordedCall): RecordedCall {
  let call = root;
  for (;;) {
    const above = call;
    const thrower = above.children.find((child) => isSame(child, above));
    if (thrower === undefined) return call;
    call = thrower;
  }
}

/** The test that a runner failed though no exception left it: it was told of the failure by a callback or an event. */
export function toldFailure({ roots, calls }: Recording, testName: string | undefined): RecordedFailure | undefined {
  const tests = roots.filter(({ fn }) => isTest(fn));
  const root = tests.find(({ fn }) => testName !== undefined && isNamedTest(fn.name, testName)) ?? tests.at(-1);
  if (root === undefined) return undefined;
  const seq = Math.max(...calls.map((call) => call.end?.seq ?? call.seq)) + 1;
  return { thrown: { text: '' }, call: root, root, line: undefined, seq };
}

/** `it("adds")` is meant by `adds`, and by `Cart adds` of a runner that writes suites before it; `T.test_a` by `T > test_a[1]`. */
function isNamedTest(name: string, testName: string): boolean {
  const title = /\("(.*)"\)$/.exec(name)?.[1] ?? name;
  const written = testName.split(' > ').join('.');
  return (
    name.includes(testName.slice(0, 60)) || (title.length > 3 && (testName.includes(title) || written.includes(title)))
  );
}

/** Callbacks belong to the test that made them. */
function outermost(call: RecordedCall): RecordedCall {
  return call.parent === undefined ? call : outermost(call.parent);
}

function isCaughtAbove({ parent, isLater }: RecordedCall): boolean {
  return parent !== undefined && !isLater;
}

/** The same exception, on its way up. */
function isSame(child: RecordedCall, parent: RecordedCall): boolean {
  const a = child.end?.threw;
  const b = parent.end?.threw;
  return a !== undefined && b !== undefined && (a.object === b.object || a.object === undefined) && a.text === b.text;
}
