import type { VariableView } from './report.ts';
import type { SourceContext } from './sourceText.ts';

/** What runners call their tests on, or give them; it says nothing of the program. */
const runnerObjects = /^(TestContext|Context|SuiteContext|\*testing\.[TBF]|\*(assert|require)\.Assertions)$/;

/**
 * Orders the variables of a failure: what the failing statement names first, as it names it; then the function's own. What stands outside
 * of the function is there only when the statement names it. A receiver comes last: often only its assertions are called.
 */
export function readFirst<T extends { shown: VariableView[]; more: number }>(
  all: T,
  source: SourceContext | undefined,
): T {
  const words = wordsOf(source);
  const at = ({ name }: VariableView) => words.indexOf(name);
  const named = all.shown
    .filter((each) => at(each) >= 0 && !isRunnersPointer(each))
    .toSorted((a, b) => Number(isReceiver(a)) - Number(isReceiver(b)) || at(a) - at(b));
  const own = all.shown.filter((each) => at(each) < 0 && each.scope !== 'closure');
  const rest = own.filter((each) => !isReceiver(each) && !isRunnersPointer(each));
  const receivers = own.filter((each) => isReceiver(each) && !runnerObjects.test(each.type));
  return { ...all, shown: [...named.map((each) => ({ ...each, isRead: true })), ...rest, ...receivers] };
}

function wordsOf(source: SourceContext | undefined): string[] {
  const { start, end } = source?.statement ?? { start: 0, end: -1 };
  const lines = (source?.lines ?? []).filter(({ number }) => number >= start && number <= end);
  // Words in plain texts are no names; in those that are filled in they are.
  const plain = lines.map(({ content }) => content.replaceAll(/(?<![\w])("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/g, '""'));
  return plain.flatMap((content) => content.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}

function isRunnersPointer({ type }: VariableView): boolean {
  return type.startsWith('*') && runnerObjects.test(type);
}

function isReceiver({ name }: VariableView): boolean {
  return name === 'self' || name === 'this' || name === 'cls';
}
