import { displayPath } from '../../base/paths.ts';
import type { HistoryRow } from '../../engine/debugger/ask/history.ts';
import type { RecordedValue } from '../../engine/debugger/ask/model.ts';
import { differingParts } from './callText.ts';
import { byText } from './historyText.ts';
import type { Identities } from './identities.ts';
import { clipValue } from './valueText.ts';

const maxValueChars = 70;

/** `this.count (of #2): 0 → 1  cart.js:15 Cart.add ← Cart.total :9` */
export function writeText(row: HistoryRow, identities: Identities, root: string): string {
  const holder = identities.name(row.process, row.holder);
  const more = row.more === 0 ? '' : ` (in ${row.more + 1} writes)`;
  const since = row.since === undefined ? '' : ` (changed since :${row.since})`;
  const place = `${displayPath(root, row.file)}:${row.line}`;
  const inside = row.isInside && holder !== '' ? ` inside ${holder}` : row.isInside ? ' inside it' : '';
  return `${row.target}${inside !== '' ? inside : holder === '' ? '' : ` (of ${holder})`}: ${changeText(row, identities)}${more}  ${place}${byText(row.by, 3)}${since}`;
}

function changeText({ old, new: now, kind, process }: HistoryRow, identities: Identities): string {
  const text = (value: RecordedValue | undefined) => {
    if (value === undefined) return '(none)';
    const name = identities.name(process, value.object);
    return `${clipValue(value.text, maxValueChars)}${name === '' ? '' : ` ${name}`}`;
  };
  if (kind === 'delete') return `${text(old)} → deleted`;
  const isSameObject = old?.object !== undefined && old.object === now?.object;
  if (!isSameObject) return old === undefined ? `= ${text(now)}` : `${text(old)} → ${text(now)}`;
  const [was, is] = differingParts(old.text, now?.text ?? '');
  const name = identities.name(process, old.object);
  return `changed inside${name === '' ? '' : ` ${name}`}: ${clipValue(was, maxValueChars)} ⇒ ${clipValue(is, maxValueChars)}`;
}
