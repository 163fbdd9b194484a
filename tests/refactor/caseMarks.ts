import type { Section } from './caseFile.ts';

const marks = /[«»‸]/g;

export function withoutMarks(text: string): string {
  return text.replace(marks, '');
}

/** The one place that is marked in the files, as a tool's arguments; none where nothing is marked. */
export function placeOf(files: readonly Section[], isExtraction: boolean): Record<string, unknown> {
  const marked = files.filter(({ content }) => withoutMarks(content) !== content);
  const [one] = marked;
  if (one === undefined) return {};
  const found = [...one.content.matchAll(marks)].map((mark, before) => ({ sign: mark[0], at: mark.index - before }));
  const signs = found.map(({ sign }) => sign).join('');
  if (marked.length > 1 || !['‸', '‸‸', '«»'].includes(signs)) throw new Error(`One place is marked, not ${signs}.`);
  const text = withoutMarks(one.content);
  const [start = { line: 1, column: 1 }, end = start] = found.map(({ at }) => positionOf(text, at));
  if (signs === '‸') return { file: one.name, line: start.line, column: start.column };
  if (signs === '‸‸')
    return {
      file: one.name,
      start_line: start.line,
      start_column: start.column,
      end_line: end.line,
      end_column: end.column,
    };
  const lines = text.split('\n');
  const firstLine = lines[start.line - 1] ?? '';
  if (isExtraction && start.column === 1 && end.column > (lines[end.line - 1] ?? '').length)
    return { file: one.name, start_line: start.line, end_line: end.line };
  const selected = firstLine.slice(start.column - 1, end.column - 1);
  if (start.line !== end.line || firstLine.indexOf(selected) !== start.column - 1)
    throw new Error(`"${selected}" stands earlier in the line or goes on in the next: mark more of it, or use ‸.`);
  return { file: one.name, [isExtraction ? 'start_line' : 'line']: start.line, text: selected };
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
