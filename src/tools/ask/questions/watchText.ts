import { isAbsolute, join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import type { HistoryRow } from '../../../engine/debugger/ask/history.ts';
import type { Watch } from '../../../engine/debugger/ask/model.ts';
import type { RecordedRun } from '../../../engine/debugger/ask/recordRun.ts';
import { Identities } from '../identities.ts';
import { writeText } from '../writeText.ts';

const maxRows = 25;

/** `src/cart.js total`, `src/cart.js:12 total`, or just what is written. */
export function watchOf(wanted: string | undefined, root: string, id = 'w'): Watch {
  const text = (wanted ?? '').trim();
  const [, file, expression] = /^(\S+\.\w+)(?::\d+)?\s+(\S.*)$/.exec(text) ?? [];
  const path = expression ?? text;
  if (!/^[\w$#][\w$#.[\]"']*$/.test(path))
    throw new ToolError('invalid_arguments', `\`${text}\` is neither a variable nor a property.`, {
      hint: 'expression: "total", "this.items", "options.router.path", or "src/cart.js total".',
    });
  const place = file === undefined ? {} : { file: isAbsolute(file) ? file : join(root, file) };
  return { id, expression: path, ...place };
}

export function summaryOf({ id, expression }: Watch, rows: readonly HistoryRow[], { recording }: RecordedRun): string {
  const changes = Math.max(
    recording.watchHits.get(id) ?? 0,
    rows.reduce((sum, { more }) => sum + 1 + more, 0),
  );
  if (changes === 0)
    return `${expression}: nothing in the project's code wrote it in this run (it may come from a library, or have another name).`;
  const holders = new Set(rows.flatMap(({ holder }) => holder ?? []));
  const objects = holders.size > 1 ? ` in ${holders.size} objects` : '';
  return `${expression}: ${counted(changes, 'write')}${objects}, last first:`;
}

export function writeLines(rows: readonly HistoryRow[], failedAt: number | undefined, root: string): string[] {
  const identities = new Identities(rows);
  const before = rows.filter(({ seq }) => failedAt === undefined || seq < failedAt).toReversed();
  const after = rows.filter((row) => !before.includes(row));
  const shown = before.length <= maxRows ? before : [...before.slice(0, maxRows - 5), undefined, ...before.slice(-4)];
  const hidden = before.length - maxRows + 1;
  return [
    ...shown.map((row) => (row === undefined ? `… ${hidden} more` : writeText(row, identities, root))),
    ...after.slice(0, 5).map((row) => `after the failure: ${writeText(row, identities, root)}`),
  ];
}
