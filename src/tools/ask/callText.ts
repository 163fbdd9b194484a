import { displayPath } from '../../base/paths.ts';
import type { RecordedValue } from '../../engine/debugger/ask/model.ts';
import { isSuite, isTest, type RecordedCall } from '../../engine/debugger/ask/recording.ts';
import { valueDifferences } from './valueDifference.ts';
import { clipValue } from './valueText.ts';

interface CallTextOptions {
  root: string;
  maxValueChars: number;
  /** Functions whose place was told already. */
  known: Set<string>;
}

/** `:18 price(item={price: 2}) → 6  [cart.js:13]`, with what the call changed in what it was given. */
export function callText(call: RecordedCall, options: CallTextOptions): string {
  const { maxValueChars } = options;
  const from = call.from === undefined ? '' : `:${call.from} `;
  const later = call.isLater ? 'later ' : '';
  const task = call.task === undefined ? '' : ` <${call.task}>`;
  return `${from}${later}${`${signature(call, maxValueChars)} ${outcome(call, maxValueChars)}`.trim()}${changes(call, maxValueChars)}${task}${place(call, options)}`;
}

export function signature({ fn, args }: RecordedCall, maxValueChars: number): string {
  if (/^(it|test|describe|specify|suite)\("/.test(fn.name)) return fn.name;
  const drawn = args.flatMap((value, index) => {
    const name = fn.params[index];
    // Python's `*args` and `**options`, when nothing came in by them.
    if (name?.startsWith('*') === true && /^(\(\)|\{\})$/.test(value.text)) return [];
    const text = clipValue(value.text, maxValueChars);
    return name === undefined ? text : `${name}=${text}`;
  });
  return `${fn.kind === undefined || fn.kind === 'module' ? '' : `${fn.kind === 'asyncGenerator' ? 'async generator' : fn.kind} `}${fn.name}(${drawn.join(', ')})`;
}

export function outcome({ end, fn }: RecordedCall, maxValueChars: number): string {
  if (end === undefined) return '(did not end)';
  if (end.threw !== undefined) return `✗ threw ${clipValue(end.threw.text, maxValueChars * 2)}${lineText(end.line)}`;
  if (/(^|\.)(constructor|__init__|<init>)$/.test(fn.name)) return '';
  const waits = (end.suspensions ?? 0) > 0 && fn.kind === 'generator' ? ` (${end.suspensions} yields)` : '';
  return `→ ${clipValue(end.value?.text ?? 'undefined', maxValueChars)}${waits}`;
}

function lineText(line: number | undefined): string {
  return line === undefined ? '' : ` at :${line}`;
}

function changes(call: RecordedCall, maxValueChars: number): string {
  // The receiver of a test is its runner's business.
  const isOfRunner = isTest(call.fn) || isSuite(call.fn);
  const changed = Object.entries(call.end?.changed ?? {}).filter(([name]) => !isOfRunner || name !== 'this');
  if (changed.length === 0) return '';
  const shown = changed.slice(0, maxChanged).map(([name]) => changedText(call, name, maxValueChars));
  return `; ${shown.join('; ')}${changed.length > maxChanged ? `; … +${changed.length - maxChanged}` : ''}`;
}

/** What a call changed in one of the things it was given. */
export function changedText(call: RecordedCall, name: string, maxValueChars: number): string {
  const now = call.end?.changed?.[name];
  return now === undefined ? '' : changeOf(name, call.end?.was?.[name] ?? before(call, name), now, maxValueChars);
}

function before({ fn, args, self }: RecordedCall, name: string): RecordedValue | undefined {
  return name === 'this' || name === 'self' ? self : args[fn.params.indexOf(name)];
}

/** Only the parts of a value that are others now: `this.count: 0 ⇒ 1`. */
function changeOf(name: string, old: RecordedValue | undefined, now: RecordedValue, maxValueChars: number): string {
  if (old === undefined) return `${name} = ${clipValue(now.text, maxValueChars)}`;
  const parts = valueDifferences(old.text, now.text);
  // They differ where their drawings were cut off.
  if (parts?.length === 0 && old.text.includes('…')) return `${name} changed`;
  if (parts !== undefined && parts.length > 0) {
    const shown = parts.slice(0, maxParts).map((part) => clipValue(`${name}${part}`, maxValueChars));
    return `${shown.join(', ')}${parts.length > maxParts ? `, … +${parts.length - maxParts}` : ''}`;
  }
  const isWhole = /^[^"']*[[{(]/;
  if (isWhole.test(now.text)) return `${name} = ${clipValue(now.text, maxValueChars)}`;
  const isLong = !isWhole.test(old.text) && old.text.length + now.text.length > maxValueChars;
  const [was, is] = isLong ? differingParts(old.text, now.text) : [old.text, now.text];
  return `${name}: ${clipValue(was, maxValueChars)} ⇒ ${clipValue(is, maxValueChars)}`;
}

/** More things that a call changed than these are only counted. */
const maxChanged = 5;

/** More places of one value than these are only counted. */
const maxParts = 3;

/** Two texts without what they begin and end with in common, cut between members. */
export function differingParts(a: string, b: string): [string, string] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const cut = memberStart(a, start);
  const tail = /[,}\])]/.exec(a.slice(a.length - end))?.index ?? end;
  const keep = (text: string) => text.slice(cut === 1 && start === 0 ? 0 : cut, text.length - end + tail).trim();
  const parts: [string, string] = [keep(a), keep(b)];
  return parts.map((part) => (part === '' ? '(nothing)' : part)) as [string, string];
}

/** Where the member begins in which this place of a value's text lies. */
function memberStart(text: string, at: number): number {
  const starts = [0];
  for (let index = 0; index < at; index++) {
    const character = text.charAt(index);
    if ('([{'.includes(character)) starts.push(index + 1);
    else if (')]}'.includes(character) && starts.length > 1) starts.pop();
    else if (character === ',' && text.charAt(index + 1) === ' ') starts[starts.length - 1] = index + 2;
  }
  return Math.min(starts.at(-1) ?? 0, at);
}

function place({ fn }: RecordedCall, { known, root }: CallTextOptions): string {
  const text = `${displayPath(root, fn.file)}:${fn.line}`;
  if (known.has(text)) return '';
  known.add(text);
  return `  [${text}]`;
}
